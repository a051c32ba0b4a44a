// RUN: ingot-opt %s --call-numpy --split-input-file --verify-diagnostics

#a = affine_map<(i, j) -> (i, j)>
#x = affine_map<(i, j) -> (i)>

func.func @inv(%a: memref<20x20xf64>, %x: memref<20xf64>) {
  // expected-error @+1 {{is no call of `inv`, whose signature is mm>mm}}
  linalg.generic {indexing_maps = [#a, #x], library_call = "inv", iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<20x20xf64>) outs(%x : memref<20xf64>) {
  ^bb0(%p: f64, %q: f64):
    linalg.yield %p : f64
  }
  return
}
