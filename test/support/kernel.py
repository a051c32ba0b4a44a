"""Kernels of the tests: linalg text around a body, and two ways to call them."""

import ctypes
import itertools
import re

import numpy as np

from ingot import _native
from ingot_runtime import buffers, kernels, pjrt, processors

NAMES = (f"ingot.test.{i}" for i in itertools.count())
#: Element types of MLIR, by NumPy's.
ELEMENTS = {
    "float32": "f32",
    "float64": "f64",
    "int32": "i32",
    "int64": "i64",
    "complex128": "complex<f64>",
}
ATTRIBUTES = "{llvm.noalias, llvm.nonnull, llvm.align = 16 : i64}"
PRELUDE = "\n".join(
    f"#{name} = affine_map<{text}>"
    for name, text in {
        "a": "(d0) -> (d0)",
        "none": "(d0) -> ()",
        "ab": "(d0, d1) -> (d0, d1)",
        "first": "(d0, d1) -> (d0)",
    }.items()
)


def shaped(kind, array):
    return f"{kind}<{''.join(f'{n}x' for n in array.shape)}{ELEMENTS[array.dtype.name]}>"


def text_of(body, arrays, frame):
    """A module. In the body, `%0` is the tensor of the first array, `T0` its type, and `store 0, %x`
    computes it."""
    tensors = [shaped("tensor", each) for each in arrays]
    memrefs = [shaped("memref", each) for each in arrays]
    numbers = range(len(arrays))
    parameters = ", ".join(f"%p{n}: {memrefs[n]} {ATTRIBUTES}" for n in numbers)
    reads = [
        f"%{n} = bufferization.to_tensor %p{n} restrict writable : {memrefs[n]} to {tensors[n]}"
        for n in numbers
    ]

    def stored(match):
        n = int(match[1])
        return (
            f"bufferization.materialize_in_destination {match[2]} in restrict writable %p{n} : "
            f"({tensors[n]}, {memrefs[n]}) -> ()"
        )

    body = re.sub(r"store (\d+), (%\w+)", stored, body)
    body = re.sub(r"\bT(\d+)\b", lambda match: tensors[int(match[1])], body)
    return "\n".join(
        [
            PRELUDE,
            f"func.func @kernel({parameters}) attributes {{ingot.frame = array<i64: {frame}>}} {{",
            *reads,
            body,
            "return",
            "}",
        ]
    )


ELEMENTWISE = """
  %y = linalg.generic {indexing_maps = [#a, #a], iterator_types = ["parallel"]}
      ins(%0 : T0) outs(%1 : T1) {
  ^bb0(%v: TYPE, %old: TYPE):
    BODY
    linalg.yield %r : TYPE
  } -> T1
  store 1, %y
"""


def elementwise(body, element="f64"):
    """The body of a kernel that computes `%r` of each `%v` of its first array."""
    return ELEMENTWISE.replace("BODY", body).replace("TYPE", element)


class Kernel:
    """A loaded kernel.

    Args:
        body: see `text_of`.
        arrays: an array of the type of each parameter.
        frame: where XLA has each parameter.
        aliases: the operand that lies in the memory of a result, by the result's number.
    """

    def __init__(self, body, arrays, frame, aliases=None):
        self.frame, self.aliases = frame, aliases or {}
        self.name = next(NAMES)
        text = text_of(body, arrays, ", ".join(map(str, frame)))
        self.library = kernels.load(self.name, _native.compile(text, processors.target()))
        kernels.register(self.library)

    def call_directly(self, *arrays):
        """The parameters after a call on copies of arrays, in NumPy's memory."""
        arrays = [each.copy() for each in arrays]
        self.call_at(*arrays)
        return arrays

    def call_at(self, *arrays):
        """Call it on the memory of arrays."""
        pointers = (ctypes.c_void_p * len(arrays))(*(each.ctypes.data for each in arrays))
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.library.address("ingot_call"))(pointers)

    def call_in_xla(self, *arrays):
        """The same for a program of XLA's. Parameters that are not results are as they were."""
        operands = {place: each for place, each in zip(self.frame, arrays) if place >= 0}
        results = {-1 - place: each for place, each in zip(self.frame, arrays) if place < 0}
        operands |= {operand: results[result] for result, operand in self.aliases.items()}
        operands = [operands[i] for i in range(len(operands))]
        device = pjrt.default_device()
        program = pjrt.compile_stablehlo(self._program(operands, results), device)
        got = program.run([pjrt.to_device(each, device) for each in operands])
        return [
            buffers.to_numpy(got[-1 - place], each.shape, each.dtype) if place < 0 else each
            for place, each in zip(self.frame, arrays)
        ]

    def _program(self, operands, results):
        types = [shaped("tensor", results[k]) for k in range(len(results))]
        names = ", ".join(f"%x{i}" for i in range(len(operands)))
        taken = ", ".join(shaped("tensor", each) for each in operands)
        parameters = ", ".join(f"%x{i}: {shaped('tensor', x)}" for i, x in enumerate(operands))
        found = ", ".join(f"%r#{k}" for k in range(len(results))) if len(results) > 1 else "%r"
        aliases = ", ".join(
            f"#stablehlo.output_operand_alias<output_tuple_indices = [{result if len(results) > 1 else ''}], "
            f"operand_index = {operand}, operand_tuple_indices = []>"
            for result, operand in self.aliases.items()
        )
        given = ", ".join(types)
        count = f":{len(results)}" if len(results) > 1 else ""
        return f"""module @test {{
  func.func public @main({parameters}) -> ({given}) {{
    %r{count} = stablehlo.custom_call @{self.name}({names}) {{api_version = 4 : i32,
      backend_config = {{}}, output_operand_aliases = [{aliases}]}} : ({taken}) -> ({given})
    return {found} : {given}
  }}
}}"""


def unaligned(array):
    """A copy 16 bytes after a multiple of 64."""
    memory = np.empty(array.nbytes + 128, np.uint8)
    start = -memory.ctypes.data % 64 + 16
    copy = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy
