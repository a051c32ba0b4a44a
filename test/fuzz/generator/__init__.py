"""Random programs: written while they run, vetted plain, judged compiled, shrunk when they fail.

A program is the text of a module: classes, helpers, a function `f` and `CASES`, functions that
each make what `f` is called with. The tree that the vetting and the shrinker work on is Python's own.
"""
