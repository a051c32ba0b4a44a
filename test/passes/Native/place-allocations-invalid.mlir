// RUN: ingot-opt %s --place-allocations --split-input-file --verify-diagnostics

// expected-error @+1 {{must have one block, with structured control flow}}
func.func @blocks() {
  cf.br ^bb1
^bb1:
  return
}

// -----

func.func @returned(%p: i1, %n: index, %a: memref<?xf64>) {
  %m = scf.if %p -> memref<?xf64> {
    // expected-error @+1 {{has no bound, and is used after its block}}
    %b = memref.alloc(%n) : memref<?xf64>
    scf.yield %b : memref<?xf64>
  } else {
    scf.yield %a : memref<?xf64>
  }
  memref.copy %m, %a : memref<?xf64> to memref<?xf64>
  return
}
