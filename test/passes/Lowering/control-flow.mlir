// RUN: %lower-and-verify

// CHECK-LABEL: func.func @if
func.func @if(%c: tensor<i1>, %a: tensor<f64>, %b: tensor<f64>) -> tensor<f64> {
  // CHECK: "stablehlo.if"(%arg0) ({
  // CHECK-NEXT: stablehlo.return %arg1 : tensor<f64>
  // CHECK-NEXT: }, {
  // CHECK-NEXT: stablehlo.return %arg2 : tensor<f64>
  %0 = ingot.if %c : tensor<f64> {
    ingot.yield %a : tensor<f64>
  } else {
    ingot.yield %b : tensor<f64>
  }
  return %0 : tensor<f64>
}

// Between static bounds, the number of iterations is known; XLA finds it in loops that count upwards.
// CHECK-LABEL: func.func @for_static
func.func @for_static(%x: tensor<i64>) -> tensor<i64> {
  // CHECK-DAG: %[[LO:.*]] = stablehlo.constant dense<7>
  // CHECK-DAG: %[[S:.*]] = stablehlo.constant dense<-2>
  // CHECK-DAG: %[[ZERO:.*]] = stablehlo.constant dense<0>
  // CHECK-DAG: %[[COUNT:.*]] = stablehlo.constant dense<4>
  // CHECK: stablehlo.while(%[[K:.*]] = %[[ZERO]], %[[A:.*]] = %arg0)
  // CHECK: stablehlo.compare LT, %[[K]], %[[COUNT]], SIGNED
  // CHECK: %[[O:.*]] = stablehlo.multiply %[[K]], %[[S]]
  // CHECK: %[[I:.*]] = stablehlo.add %[[LO]], %[[O]]
  // CHECK: stablehlo.add %[[A]], %[[I]]
  %lo = ingot.constant dense<7> : tensor<i64>
  %hi = ingot.constant dense<-1> : tensor<i64>
  %s = ingot.constant dense<-2> : tensor<i64>
  %0 = ingot.for %i = %lo to %hi step %s carry (%a = %x) : tensor<i64> {
    %1 = ingot.add %a, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    ingot.yield %1 : tensor<i64>
  }
  return %0 : tensor<i64>
}

// If the step is static, the counter is the induction variable; it may count down.
// CHECK-LABEL: func.func @for_down
func.func @for_down(%lo: tensor<i64>, %hi: tensor<i64>, %x: tensor<i64>) -> tensor<i64> {
  // CHECK: %[[S:.*]] = stablehlo.constant dense<-2>
  %s = ingot.constant dense<-2> : tensor<i64>
  // CHECK: stablehlo.while(%[[I:.*]] = %arg0, %[[A:.*]] = %arg2)
  // CHECK: stablehlo.compare GT, %[[I]], %arg1, SIGNED
  // CHECK: %[[SUM:.*]] = stablehlo.add %[[A]], %[[I]]
  // CHECK: %[[NEXT:.*]] = stablehlo.add %[[I]], %[[S]]
  // CHECK: stablehlo.return %[[NEXT]], %[[SUM]]
  %0 = ingot.for %i = %lo to %hi step %s carry (%a = %x) : tensor<i64> {
    %1 = ingot.add %a, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    ingot.yield %1 : tensor<i64>
  }
  return %0 : tensor<i64>
}

// A step of unknown sign: the counter is the iteration's number.
// CHECK-LABEL: func.func @for_unknown
func.func @for_unknown(%lo: tensor<i64>, %hi: tensor<i64>, %s: tensor<i64>, %x: tensor<i64>) -> tensor<i64> {
  // CHECK: stablehlo.divide
  // CHECK: stablehlo.while(%[[K:.*]] = %{{.*}}, %[[A:.*]] = %arg3)
  // CHECK: stablehlo.compare LT, %[[K]]
  // CHECK: %[[O:.*]] = stablehlo.multiply %[[K]], %arg2
  // CHECK: %[[I:.*]] = stablehlo.add %arg0, %[[O]]
  // CHECK: stablehlo.add %[[A]], %[[I]]
  %0 = ingot.for %i = %lo to %hi step %s carry (%a = %x) : tensor<i64> {
    %1 = ingot.add %a, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    ingot.yield %1 : tensor<i64>
  }
  return %0 : tensor<i64>
}

// CHECK-LABEL: func.func @while
func.func @while(%x: tensor<f64>) -> tensor<f64> {
  // CHECK: stablehlo.while(%[[A:.*]] = %arg0) : tensor<f64>
  // CHECK-NEXT: cond {
  // CHECK-NEXT: %[[C:.*]] = stablehlo.compare LT, %[[A]], %[[A]], FLOAT
  // CHECK-NEXT: stablehlo.return %[[C]] : tensor<i1>
  // CHECK-NEXT: } do {
  // CHECK-NEXT: stablehlo.return %[[A]] : tensor<f64>
  %0 = ingot.while (%a = %x) : tensor<f64> cond {
    %c = ingot.compare lt %a, %a : (tensor<f64>, tensor<f64>) -> tensor<i1>
    ingot.condition %c : tensor<i1>
  } do {
    ingot.yield %a : tensor<f64>
  }
  return %0 : tensor<f64>
}

// CHECK-LABEL: func.func @stopped
func.func @stopped(%x: tensor<f64>) -> tensor<f64> {
  // CHECK-NEXT: return %arg0
  %0 = ingot.stop_gradient %x : tensor<f64>
  return %0 : tensor<f64>
}
