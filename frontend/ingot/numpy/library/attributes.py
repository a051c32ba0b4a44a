"""What reads attributes that may be missing, as a property or `__getattr__` says when it runs."""


def has(value, name):
    try:
        getattr(value, name)
    except AttributeError:
        return False
    return True


def read(value, name, default):
    try:
        return getattr(value, name)
    except AttributeError:
        return default


def asked(getter, otherwise, value, name):
    try:
        return getter(value)
    except AttributeError:
        return otherwise(value, name)
