// RUN: ingot-opt %s --call-libm | FileCheck %s

// CHECK-LABEL: @near_zero
// CHECK: call @expm1(%{{.*}}) : (f64) -> f64
// CHECK: call @log1pf(%{{.*}}) : (f32) -> f32
func.func @near_zero(%x: f64, %y: f32) -> (f64, f32) {
  %0 = math.expm1 %x : f64
  %1 = math.log1p %y : f32
  return %0, %1 : f64, f32
}

// LLVM computes these, or `convert-math-to-libm` calls them later.
// CHECK-LABEL: @others
// CHECK: math.sqrt
// CHECK: math.cbrt
func.func @others(%x: f64) -> f64 {
  %0 = math.sqrt %x : f64
  %1 = math.cbrt %0 : f64
  return %1 : f64
}

// CHECK-LABEL: @remainders
// CHECK: call @fmod(%arg0, %arg0) : (f64, f64) -> f64
// CHECK: call @fmodf(%arg1, %arg1) : (f32, f32) -> f32
func.func @remainders(%x: f64, %y: f32) -> (f64, f32) {
  %0 = arith.remf %x, %x : f64
  %1 = arith.remf %y, %y : f32
  return %0, %1 : f64, f32
}
