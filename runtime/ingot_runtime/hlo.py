"""What the text of a compiled program, in HLO, says about its calls."""

from __future__ import annotations

import collections
import re

from ingot_runtime.linking import NUMPY

#: The routines of LAPACK that are no iterations, so the shapes decide how long they take.
_DIRECT = r"lapack_[sdcz](?:getrf|geqrf|orgqr|potrf|trsm|gtsv)_ffi|lapack_[cz]ungqr_ffi"
#: The same of NumPy's functions: those for eigenvalues and singular values iterate.
_OF_NUMPY = rf'{re.escape(NUMPY)}[^"]*(?!.*\bname = "(?:eig|svd|lstsq))'
#: Native kernels say so themselves.
_STEADY_CALL = re.compile(
    rf'custom_call_target="(?:{_DIRECT}|{_OF_NUMPY})"|backend_config={{steady = true}}'
)

#: NumPy's functions of matrices. They take longer than other calls of NumPy on arrays of a size.
_OF_MATRICES = re.compile(
    rf'custom_call_target="{re.escape(NUMPY)}gufunc.*\bname = '
    r'"(?:cholesky|det|eig|inv|lstsq|slogdet|solve|svd)'
)


def inputs_not_read(text: str) -> set[int]:
    """The numbers of the inputs that nothing in a program uses."""
    (entry,) = re.findall(r"(?ms)^ENTRY .*?^\}", text)
    uses = collections.Counter(re.findall(r"%([\w.-]+)", entry))
    declared = re.findall(r"(?m)^  %([\w.-]+) = .* parameter\((\d+)\)", entry)
    # The first use is the declaration; one that is the result has ROOT before it.
    return {int(number) for name, number in declared if uses[name] == 1}


def has_costly_calls(text: str) -> bool:
    """Whether a program calls what may take longer than a pass over its arrays."""
    called = text.count(" custom-call(")
    quick = text.count(f'custom_call_target="{NUMPY}') - len(_OF_MATRICES.findall(text))
    return called > quick


def is_steady(text: str) -> bool:
    """Whether the values of the arguments hardly change how long a call takes.

    That is: XLA knows the trip count of each loop, and there are neither branches nor calls of
    other code than direct methods.
    """
    lines = text.splitlines()
    loops = [line for line in lines if " while(" in line]
    called = [line for line in lines if " custom-call(" in line]
    return (
        " conditional(" not in text
        and all("known_trip_count" in line for line in loops)
        and all(map(_STEADY_CALL.search, called))
    )
