"""`a.flags`: what is known of an array's memory."""


class Flags:
    """The flags of an array: its order in memory, and whether it can be stored to."""

    def __init__(self, c_contiguous, f_contiguous, writeable):
        self._known = {
            "C_CONTIGUOUS": c_contiguous, "F_CONTIGUOUS": f_contiguous, "WRITEABLE": writeable,
        }  # fmt: skip
        for short, name in (
            ("C", "C_CONTIGUOUS"), ("CONTIGUOUS", "C_CONTIGUOUS"), ("F", "F_CONTIGUOUS"),
            ("FORTRAN", "F_CONTIGUOUS"), ("W", "WRITEABLE"),
        ):  # fmt: skip
            self._known[short] = self._known[name]
        self._known["FORC"] = c_contiguous or f_contiguous
        self._known["FNC"] = f_contiguous and not c_contiguous

    def __getitem__(self, name):
        if name not in self._known:
            raise NotImplementedError(f"the flag {name} is not supported")
        return self._known[name]

    def __setitem__(self, name, value):
        raise NotImplementedError("flags can't be set in compiled code")

    def __getattr__(self, name):
        return self[name.upper()]

    def __setattr__(self, name, value):
        if name != "_known":
            raise NotImplementedError("flags can't be set in compiled code")
        object.__setattr__(self, name, value)

    def __eq__(self, other):
        raise NotImplementedError("flags can't be compared in compiled code")
