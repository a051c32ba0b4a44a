// RUN: ingot-opt %s --ingot-linalg-to-llvm --verify-diagnostics

// Each iteration would return the other's memory: the contract of `place-allocations`.
func.func @swap(%a: memref<9xf64>, %b: memref<9xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %x = bufferization.to_tensor %a restrict writable : memref<9xf64> to tensor<9xf64>
  %y = bufferization.to_tensor %b restrict writable : memref<9xf64> to tensor<9xf64>
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%v = %x, %w = %y)
      -> (tensor<9xf64>, tensor<9xf64>) {
    // expected-error @+1 {{Yield operand #0 is not equivalent to the corresponding iter bbArg}}
    scf.yield %w, %v : tensor<9xf64>, tensor<9xf64>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %a
    : (tensor<9xf64>, memref<9xf64>) -> ()
  return
}
