"""Functions of iterators, as loops over generators."""


def enumerate_(items, start=0):
    number = start
    for each in items:
        yield number, each
        number += 1


def map_(function, items):
    for each in items:
        yield function(each)


def filter_(function, items):
    for each in items:
        if each if function is None else function(each):
            yield each


def islice(items, stop):
    if stop == 0:
        return
    taken = 0
    for each in items:
        yield each
        taken += 1
        if taken == stop:
            return


def zip_before(items, sequence, *, strict=False):
    _refuse(strict)
    at = 0
    for each in items:
        if at == len(sequence):
            return
        yield each, sequence[at]
        at += 1


def zip_behind(sequence, items, *, strict=False):
    _refuse(strict)
    at = 0
    if len(sequence) == 0:
        return
    for each in items:
        yield sequence[at], each
        at += 1
        if at == len(sequence):
            return


def _refuse(strict):
    if strict:
        raise NotImplementedError(
            "zip(strict=True) of a generator is not supported; make a list of it first: list(...)"
        )
