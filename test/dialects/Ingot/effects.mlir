// RUN: %roundtrip

// CHECK-LABEL: func.func @effects
func.func @effects(%c: tensor<i1>, %x: tensor<4xf64>) {
  // CHECK: ingot.assert %{{.*}}, "IndexError", "out of bounds" : tensor<i1>
  ingot.assert %c, "IndexError", "out of bounds" : tensor<i1>
  // CHECK-NEXT: ingot.print "x = {}"(%{{.*}}) : tensor<4xf64>
  ingot.print "x = {}"(%x) : tensor<4xf64>
  // CHECK-NEXT: ingot.print "{{[{][{]}}}}"(){{$}}
  ingot.print "{{}}"()
  // CHECK-NEXT: ingot.print "note" callback = 7(%{{.*}}) : tensor<4xf64>
  ingot.print "note" callback = 7(%x) : tensor<4xf64>
  // CHECK-NEXT: ingot.print "f" callback = 8(%{{.*}}) : tensor<4xf64> gives tensor<f64>, tensor<2xi32>
  %r:2 = ingot.print "f" callback = 8(%x) : tensor<4xf64> gives tensor<f64>, tensor<2xi32>
  // CHECK-NEXT: %[[S:.*]] = ingot.constant
  %s = ingot.constant dense<0> : tensor<i32>
  // CHECK-NEXT: ingot.ordered_print "{}" after %[[S]](%{{.*}}) : tensor<i32>, tensor<4xf64>
  %next = ingot.ordered_print "{}" after %s (%x) : tensor<i32>, tensor<4xf64>
  // CHECK-NEXT: ingot.ordered_print "f" callback = 8 after %[[S]](%{{.*}}) : tensor<i32>, tensor<4xf64> gives tensor<f64>
  %after:2 = ingot.ordered_print "f" callback = 8 after %s (%x) : tensor<i32>, tensor<4xf64> gives tensor<f64>
  // CHECK-NEXT: ingot.barrier %{{.*}}, %[[S]] : tensor<4xf64>, tensor<i32>
  %0:2 = ingot.barrier %x, %s : tensor<4xf64>, tensor<i32>
  return
}

// -----

func.func @print_c1(%a: tensor<f64>) {
  // expected-error @+1 {{format has 2 holes for 1 values}}
  ingot.print "{} {}"(%a) : tensor<f64>
  return
}

// -----

func.func @barrier_c1(%a: tensor<f64>) {
  // expected-error @+1 {{'ingot.barrier' op results have types ('tensor<f32>') and not the operands' ('tensor<f64>')}}
  %0 = "ingot.barrier"(%a) : (tensor<f64>) -> tensor<f32>
  return
}

// -----

func.func @ordered_print_c1(%s: tensor<i32>) {
  // expected-error @+1 {{format has 1 holes for 0 values}}
  %0 = ingot.ordered_print "{}" after %s () : tensor<i32>
  return
}

// -----

func.func @print_c2(%a: tensor<f64>) {
  // expected-error @+1 {{'ingot.print' op has results, but is no callback}}
  %0 = ingot.print "{}"(%a) : tensor<f64> gives tensor<f64>
  return
}

// -----

func.func @ordered_print_c2(%s: tensor<i32>) {
  // expected-error @+1 {{'ingot.ordered_print' op has results, but is no callback}}
  %0:2 = ingot.ordered_print "" after %s () : tensor<i32> gives tensor<f64>
  return
}
