// RUN: ingot-opt %s --split-input-file --expand-transformations --resolve-absent-tangents --canonicalize | FileCheck %s

// The square of a root has the slope of what is under it, where that is not negative.
// CHECK-LABEL: func.func @root
// CHECK-SAME:  (%[[X:.+]]: tensor<f64>)
// CHECK-DAG:   %[[IS:.+]] = ingot.compare ge %[[X]],
// CHECK:       %[[SLOPE:.+]] = ingot.select %[[IS]],
// CHECK:       return %[[SLOPE]]
func.func @root(%x: tensor<f64>) -> tensor<f64> {
  %one = ingot.constant dense<1.0> : tensor<f64>
  %0:2 = ingot.vjp "f"(%x, %one) of = [0] {
  ^bb0(%a: tensor<f64>):
    %root = ingot.sqrt %a : tensor<f64>
    %y = ingot.mul %root, %root : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %y : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %0#1 : tensor<f64>
}

// -----

// log(2 + exp(x)) has the slope 1 / (2 / exp(x) + 1), which is 1 where exp(x) is infinite.
// CHECK-LABEL: func.func @softplus
// CHECK:       %[[E:.+]] = ingot.exp %arg0
// CHECK-NOT:   ingot.log
// CHECK:       %[[RATIO:.+]] = ingot.div %{{.+}}, %[[E]]
// CHECK:       %[[SUM:.+]] = ingot.add %[[RATIO]],
// CHECK:       ingot.div %{{.+}}, %[[SUM]]
func.func @softplus(%x: tensor<f64>) -> tensor<f64> {
  %one = ingot.constant dense<1.0> : tensor<f64>
  %0:2 = ingot.jvp "f"(%x, %one) of = [0] {
  ^bb0(%a: tensor<f64>):
    %two = ingot.constant dense<2.0> : tensor<f64>
    %e = ingot.exp %a : tensor<f64>
    %sum = ingot.add %e, %two : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %y = ingot.log %sum : tensor<f64>
    ingot.yield %y : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %0#1 : tensor<f64>
}

// -----

// CHECK-LABEL: func.func @size
// CHECK-NOT:   ingot.sign
// CHECK:       return
func.func @size(%x: tensor<f64>) -> tensor<f64> {
  %one = ingot.constant dense<1.0> : tensor<f64>
  %0:2 = ingot.vjp "f"(%x, %one) of = [0] {
  ^bb0(%a: tensor<f64>):
    %size = ingot.abs %a : (tensor<f64>) -> tensor<f64>
    %y = ingot.mul %size, %size : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %y : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %0#1 : tensor<f64>
}

// -----

// 1 / (1 + exp(x)) is multiplied by the share of exp(x), of which no product is 0 * inf.
// CHECK-LABEL: func.func @logistic
// CHECK:       %[[E:.+]] = ingot.exp %arg0
// CHECK:       %[[SUM:.+]] = ingot.add %[[E]],
// CHECK:       %[[Y:.+]] = ingot.div %{{.+}}, %[[SUM]]
// CHECK:       %[[RATIO:.+]] = ingot.div %{{.+}}, %[[E]]
// CHECK:       %[[MORE:.+]] = ingot.add %[[RATIO]],
// CHECK:       %[[SHARE:.+]] = ingot.div %{{.+}}, %[[MORE]]
// CHECK:       ingot.mul {{.*}}%[[Y]]
func.func @logistic(%x: tensor<f64>) -> tensor<f64> {
  %one = ingot.constant dense<1.0> : tensor<f64>
  %0:2 = ingot.jvp "f"(%x, %one) of = [0] {
  ^bb0(%a: tensor<f64>):
    %number = ingot.constant dense<1.0> : tensor<f64>
    %e = ingot.exp %a : tensor<f64>
    %sum = ingot.add %number, %e : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %y = ingot.div %number, %sum : (tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %y : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %0#1 : tensor<f64>
}

// -----

// CHECK-LABEL: func.func @logarithm_of_cosh
// CHECK:       %[[SLOPE:.+]] = ingot.tanh %arg0
// CHECK:       return %[[SLOPE]]
func.func @logarithm_of_cosh(%x: tensor<f64>) -> tensor<f64> {
  %one = ingot.constant dense<1.0> : tensor<f64>
  %0:2 = ingot.vjp "f"(%x, %one) of = [0] {
  ^bb0(%a: tensor<f64>):
    %cosh = ingot.cosh %a : tensor<f64>
    %y = ingot.log %cosh : tensor<f64>
    ingot.yield %y : tensor<f64>
  } : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %0#1 : tensor<f64>
}

// -----

// hypot(x, y) has the slope of its scaled arguments over its scaled value, also where it is infinite.
// CHECK-LABEL: func.func @hypotenuse
// CHECK:       %[[A:.+]] = ingot.div %arg0, %[[SCALE:[^ ]+]]
// CHECK:       %[[ROOT:.+]] = ingot.sqrt
// CHECK-NOT:   ingot.mul {{.*}}%[[SCALE]]
// CHECK-DAG:   ingot.div %[[A]], %[[ROOT]]
// CHECK-DAG:   ingot.sign %[[A]]
// CHECK:       return
func.func @hypotenuse(%x: tensor<f64>, %y: tensor<f64>, %large: tensor<f64>) -> tensor<f64> {
  %one = ingot.constant dense<1.0> : tensor<f64>
  %0:4 = ingot.vjp "f"(%x, %y, %large, %one) of = [0] {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>, %c: tensor<f64>):
    %inf = ingot.constant dense<0x7FF0000000000000> : tensor<f64>
    %scale = ingot.stop_gradient %c : tensor<f64>
    %p = ingot.div %a, %scale : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %q = ingot.div %b, %scale : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %pp = ingot.mul %p, %p : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %qq = ingot.mul %q, %q : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %square = ingot.add %pp, %qq : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %root = ingot.sqrt %square : tensor<f64>
    %scaled = ingot.mul %scale, %root : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %size_p = ingot.abs %p : (tensor<f64>) -> tensor<f64>
    %far_p = ingot.compare eq %size_p, %inf : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %size_q = ingot.abs %q : (tensor<f64>) -> tensor<f64>
    %far_q = ingot.compare eq %size_q, %inf : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %far = ingot.or %far_p, %far_q : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %y0 = ingot.select %far, %inf, %scaled : (tensor<i1>, tensor<f64>, tensor<f64>) -> tensor<f64>
    ingot.yield %y0 : tensor<f64>
  } : (tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>)
  return %0#1 : tensor<f64>
}
