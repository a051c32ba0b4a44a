"""Elements of arrays of dynamic length as Python's numbers."""

from ingot.numpy import primitives as prim


def truth(a):
    """`bool(a)`."""
    prim.require(
        a.size > 0,
        "ValueError",
        "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an "
        "array is not empty.",
    )
    prim.require(
        a.size < 2,
        "ValueError",
        "The truth value of an array with more than one element is ambiguous. Use a.any() or "
        "a.all()",
    )
    return bool(a.ravel()[0])


def item(a, *index):
    if len(index) == 1 and not isinstance(index[0], tuple):
        return a.ravel()[index[0]].item()
    if index:
        return a[index[0] if isinstance(index[0], tuple) else index].item()
    prim.require(
        a.size == 1, "ValueError", "can only convert an array of size 1 to a Python scalar"
    )
    return a.ravel()[0].item()


def tolist(a):
    if a.ndim != 1:
        raise NotImplementedError("a list of rows whose number only run time knows")
    return [each.item() for each in a]
