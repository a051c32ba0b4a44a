// RUN: %roundtrip

// CHECK-LABEL: func.func @if
func.func @if(%c: tensor<i1>, %a: tensor<f64>, %b: tensor<f64>) -> tensor<f64> {
  // CHECK: %[[R:.*]] = ingot.if %{{.*}} : tensor<f64> {
  // CHECK-NEXT: ingot.yield %{{.*}} : tensor<f64>
  // CHECK-NEXT: } else {
  // CHECK-NEXT: ingot.yield %{{.*}} : tensor<f64>
  // CHECK-NEXT: }
  %0 = ingot.if %c : tensor<f64> {
    ingot.yield %a : tensor<f64>
  } else {
    ingot.yield %b : tensor<f64>
  }
  // CHECK: ingot.if %{{.*}} {
  // CHECK-NEXT: ingot.yield{{$}}
  ingot.if %c {
    ingot.yield
  } else {
    ingot.yield
  }
  // CHECK: return %[[R]]
  return %0 : tensor<f64>
}

// CHECK-LABEL: func.func @for
func.func @for(%n: tensor<i64>, %x: tensor<f64>) -> tensor<f64> {
  // CHECK: ingot.for %[[I:.*]] = %[[N:.*]] to %[[N]] step %[[N]] carry (%[[A:.*]] = %{{.*}}) : tensor<f64> {
  // CHECK-NEXT: ingot.convert %[[I]]
  %0 = ingot.for %i = %n to %n step %n carry (%a = %x) : tensor<f64> {
    %1 = ingot.convert %i : (tensor<i64>) -> tensor<f64>
    ingot.yield %1 : tensor<f64>
  }
  // CHECK: ingot.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} carry () {
  ingot.for %i = %n to %n step %n carry () {
    ingot.yield
  }
  return %0 : tensor<f64>
}

// CHECK-LABEL: func.func @while
func.func @while(%x: tensor<f64>, %y: tensor<4xi64>) -> (tensor<f64>, tensor<4xi64>) {
  // CHECK: ingot.while (%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) : tensor<f64>, tensor<4xi64> cond {
  // CHECK-NEXT: %[[C:.*]] = ingot.compare lt %[[A]], %[[A]]
  // CHECK-NEXT: ingot.condition %[[C]] : tensor<i1>
  // CHECK-NEXT: } do {
  // CHECK-NEXT: ingot.yield %[[A]], %[[B]] : tensor<f64>, tensor<4xi64>
  %0:2 = ingot.while (%a = %x, %b = %y) : tensor<f64>, tensor<4xi64> cond {
    %c = ingot.compare lt %a, %a : (tensor<f64>, tensor<f64>) -> tensor<i1>
    ingot.condition %c : tensor<i1>
  } do {
    ingot.yield %a, %b : tensor<f64>, tensor<4xi64>
  }
  return %0#0, %0#1 : tensor<f64>, tensor<4xi64>
}

// CHECK-LABEL: func.func @fusion
func.func @fusion(%x: tensor<f64>) -> tensor<f64> {
  // CHECK: %[[F:.*]]:2 = ingot.fusion {
  // CHECK-NEXT: %[[S:.*]] = ingot.sin %{{.*}} : tensor<f64>
  // CHECK-NEXT: ingot.yield %[[S]], %{{.*}} : tensor<f64>, tensor<f64>
  // CHECK-NEXT: } : tensor<f64>, tensor<f64>
  %0:2 = ingot.fusion {
    %1 = ingot.sin %x : tensor<f64>
    ingot.yield %1, %x : tensor<f64>, tensor<f64>
  } : tensor<f64>, tensor<f64>
  // CHECK: ingot.fusion {
  // CHECK-NEXT: ingot.yield{{$}}
  // CHECK-NEXT: }{{$}}
  ingot.fusion {
    ingot.yield
  }
  // CHECK: return %[[F]]#0
  return %0#0 : tensor<f64>
}

// -----

func.func @fusion_c1(%x: tensor<f64>) {
  // expected-error @+1 {{'ingot.fusion' op yields ('tensor<f64>') and not ('tensor<f32>')}}
  %0 = ingot.fusion {
    ingot.yield %x : tensor<f64>
  } : tensor<f32>
  return
}

// -----

func.func @fusion_terminator(%c: tensor<i1>) {
  // expected-error @+1 {{'ingot.fusion' op a region does not end in ingot.yield}}
  ingot.fusion {
    func.return
  }
  return
}

// -----

func.func @if_c1(%c: tensor<i1>, %a: tensor<f64>, %b: tensor<f32>) {
  // expected-error @+1 {{yields ('tensor<f32>') but results are ('tensor<f64>')}}
  %0 = ingot.if %c : tensor<f64> {
    ingot.yield %a : tensor<f64>
  } else {
    ingot.yield %b : tensor<f32>
  }
  return
}

// -----

func.func @while_condition(%a: tensor<f64>) {
  // expected-error @+1 {{the first region does not end in ingot.condition}}
  %0 = ingot.while (%x = %a) : tensor<f64> cond {
    ingot.yield %x : tensor<f64>
  } do {
    ingot.yield %x : tensor<f64>
  }
  return
}

// -----

func.func @for_index(%n: tensor<i64>) {
  // expected-error @+1 {{the body's first argument is not the index}}
  "ingot.for"(%n, %n, %n) ({
    "ingot.yield"() : () -> ()
  }) : (tensor<i64>, tensor<i64>, tensor<i64>) -> ()
  return
}

// -----

func.func @while_types(%x: tensor<f64>) {
  // expected-error @+1 {{expected 1 types}}
  %0 = ingot.while (%a = %x) : tensor<f64>, tensor<f64> cond {
  } do {
  }
  return
}

// -----

func.func @for_results(%n: tensor<i64>, %x: tensor<f64>) {
  // expected-error @+1 {{results have types ('tensor<f32>') and not the carried values' ('tensor<f64>')}}
  %0 = "ingot.for"(%n, %n, %n, %x) ({
  ^bb0(%i: tensor<i64>, %a: tensor<f64>):
    ingot.yield %a : tensor<f64>
  }) : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f64>) -> tensor<f32>
  return
}

// -----

func.func @for_arguments(%n: tensor<i64>, %x: tensor<f64>) {
  // expected-error @+1 {{region arguments have types ('tensor<f32>') and not the carried values' ('tensor<f64>')}}
  %0 = "ingot.for"(%n, %n, %n, %x) ({
  ^bb0(%i: tensor<i64>, %a: tensor<f32>):
    ingot.yield %x : tensor<f64>
  }) : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f64>) -> tensor<f64>
  return
}

// -----

func.func @for_yields(%n: tensor<i64>, %x: tensor<f64>) {
  // expected-error @+1 {{yielded values have types ('tensor<i64>') and not the carried values' ('tensor<f64>')}}
  %0 = "ingot.for"(%n, %n, %n, %x) ({
  ^bb0(%i: tensor<i64>, %a: tensor<f64>):
    ingot.yield %i : tensor<i64>
  }) : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f64>) -> tensor<f64>
  return
}

// -----

func.func @while_arguments(%c: tensor<i1>, %x: tensor<f64>) {
  // expected-error @+1 {{condition's arguments have types () and not the carried values' ('tensor<f64>')}}
  %0 = "ingot.while"(%x) ({
    ingot.condition %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>):
    ingot.yield %a : tensor<f64>
  }) : (tensor<f64>) -> tensor<f64>
  return
}

// -----

func.func @if_end(%c: tensor<i1>, %a: tensor<f64>) {
  // expected-error @+1 {{'ingot.if' op a region does not end in ingot.yield}}
  %0 = ingot.if %c : tensor<f64> {
    stablehlo.return %a : tensor<f64>
  } else {
    ingot.yield %a : tensor<f64>
  }
  return
}

// -----

func.func @for_end(%n: tensor<i64>, %x: tensor<f64>) {
  // expected-error @+1 {{'ingot.for' op a region does not end in ingot.yield}}
  %0 = ingot.for %i = %n to %n step %n carry (%a = %x) : tensor<f64> {
    stablehlo.return %a : tensor<f64>
  }
  return
}

// -----

func.func @while_end(%c: tensor<i1>, %x: tensor<f64>) {
  // expected-error @+1 {{'ingot.while' op a region does not end in ingot.yield}}
  %0 = ingot.while (%a = %x) : tensor<f64> cond {
    ingot.condition %c : tensor<i1>
  } do {
    stablehlo.return %a : tensor<f64>
  }
  return
}
