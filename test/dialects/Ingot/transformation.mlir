// RUN: %roundtrip

// CHECK-LABEL: func.func @derivatives
func.func @derivatives(%x: tensor<4xf64>, %n: tensor<i64>, %dx: tensor<4xf64>, %dy: tensor<f64>) {
  // CHECK: ingot.jvp "f"(%arg0, %arg2) of = [0] {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<4xf64>):
  // CHECK-NEXT: %[[B:.*]] = ingot.reduce add %[[A]]
  // CHECK-NEXT: ingot.yield %[[B]], %arg1 : tensor<f64>, tensor<i64>
  // CHECK-NEXT: } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<f64>, tensor<i64>, tensor<f64>)
  %0:3 = ingot.jvp "f"(%x, %dx) of = [0] {
  ^bb0(%a: tensor<4xf64>):
    %b = ingot.reduce add %a axes = [0] : (tensor<4xf64>) -> tensor<f64>
    ingot.yield %b, %n : tensor<f64>, tensor<i64>
  } : (tensor<4xf64>, tensor<4xf64>) -> (tensor<f64>, tensor<i64>, tensor<f64>)
  // CHECK: ingot.vjp "f"(%arg0, %arg3) of = [0] {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<4xf64>):
  // CHECK-NEXT: %[[B:.*]] = ingot.reduce add %[[A]]
  // CHECK-NEXT: ingot.yield %[[B]], %arg1 : tensor<f64>, tensor<i64>
  // CHECK-NEXT: } : (tensor<4xf64>, tensor<f64>) -> (tensor<f64>, tensor<i64>, tensor<4xf64>)
  %1:3 = ingot.vjp "f"(%x, %dy) of = [0] {
  ^bb0(%a: tensor<4xf64>):
    %b = ingot.reduce add %a axes = [0] : (tensor<4xf64>) -> tensor<f64>
    ingot.yield %b, %n : tensor<f64>, tensor<i64>
  } : (tensor<4xf64>, tensor<f64>) -> (tensor<f64>, tensor<i64>, tensor<4xf64>)
  return
}

// CHECK-LABEL: func.func @in_place
func.func @in_place(%x: tensor<f64>) -> tensor<f64> {
  // CHECK: ingot.checkpoint {
  // CHECK: } : tensor<f64>
  %c = ingot.checkpoint {
    %b = ingot.sin %x : tensor<f64>
    ingot.yield %b : tensor<f64>
  } : tensor<f64>
  // CHECK: ingot.custom_derivative jvp(%arg0) {
  // CHECK: } rule {
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<f64>, %[[T:.*]]: tensor<f64>):
  // CHECK-NEXT: ingot.yield %[[T]] : tensor<f64>
  // CHECK-NEXT: } : (tensor<f64>) -> tensor<f64>
  %d = ingot.custom_derivative jvp(%x) {
  ^bb0(%a: tensor<f64>):
    %b = ingot.sin %a : tensor<f64>
    ingot.yield %b : tensor<f64>
  } rule {
  ^bb0(%a: tensor<f64>, %t: tensor<f64>):
    ingot.yield %t : tensor<f64>
  } : (tensor<f64>) -> tensor<f64>
  // CHECK: ingot.stop_gradient %{{.*}} : tensor<f64>
  %e = ingot.stop_gradient %d : tensor<f64>
  return %e : tensor<f64>
}

// CHECK-LABEL: func.func @batches
func.func @batches(%x: tensor<5x4xf64>, %w: tensor<4xf64>) -> (tensor<5xf64>, tensor<4xf64>) {
  // CHECK: ingot.vmap "f"(%arg0) size = 5 shared = [1] {
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<4xf64>):
  // CHECK: ingot.yield %{{.*}}, %arg1 : tensor<f64>, tensor<4xf64>
  // CHECK: } : (tensor<5x4xf64>) -> (tensor<5xf64>, tensor<4xf64>)
  %y:2 = ingot.vmap "f"(%x) size = 5 shared = [1] {
  ^bb0(%a: tensor<4xf64>):
    %b = ingot.reduce add %a axes = [0] : (tensor<4xf64>) -> tensor<f64>
    ingot.yield %b, %w : tensor<f64>, tensor<4xf64>
  } : (tensor<5x4xf64>) -> (tensor<5xf64>, tensor<4xf64>)
  return %y#0, %y#1 : tensor<5xf64>, tensor<4xf64>
}

// CHECK-LABEL: func.func @of_users
func.func @of_users(%x: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  // CHECK: ingot.custom_vmap(%arg0) size = 3 {
  // CHECK: } rule {
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<3xf64>):
  // CHECK: } : (tensor<f64>) -> tensor<f64>
  %0 = ingot.custom_vmap(%x) size = 3 {
  ^bb0(%a: tensor<f64>):
    %1 = ingot.sin %a : tensor<f64>
    ingot.yield %1 : tensor<f64>
  } rule {
  ^bb0(%a: tensor<3xf64>):
    %1 = ingot.sin %a : tensor<3xf64>
    ingot.yield %1 : tensor<3xf64>
  } : (tensor<f64>) -> tensor<f64>
  // CHECK: ingot.call_stablehlo "g"(%arg0) text = "module {}" : (tensor<f64>) -> tensor<f64>
  %2 = ingot.call_stablehlo "g"(%x) text = "module {}" : (tensor<f64>) -> tensor<f64>
  // CHECK: ingot.call_stablehlo "h"(%arg0) source = 3 : (tensor<f64>) -> tensor<f64>
  %3 = ingot.call_stablehlo "h"(%x) source = 3 : (tensor<f64>) -> tensor<f64>
  // CHECK: ingot.print "note" callback = 7(%arg0) : tensor<f64>
  ingot.print "note" callback = 7(%x) : tensor<f64>
  return %0, %2 : tensor<f64>, tensor<f64>
}

// -----

func.func @call_stablehlo_c1(%x: tensor<f64>) -> tensor<f64> {
  // expected-error @+1 {{'ingot.call_stablehlo' op needs either a text or a source}}
  %0 = ingot.call_stablehlo "g"(%x) : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

func.func @call_stablehlo_c1_both(%x: tensor<f64>) -> tensor<f64> {
  // expected-error @+1 {{'ingot.call_stablehlo' op needs either a text or a source}}
  %0 = ingot.call_stablehlo "g"(%x) text = "module {}" source = 3 : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
