// RUN: ingot-opt %s --split-input-file --expand-vmap --verify-diagnostics | FileCheck %s

// What lanes exchange is the whole batch outside of it.
// CHECK-LABEL: func.func @collectives(
// CHECK-SAME: %[[X:.*]]: tensor<3x4xf64>)
func.func @collectives(%x: tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x3x4xf64>, tensor<3xi64>, tensor<3x4xf64>) {
  // CHECK: %[[SUM:.*]] = ingot.reduce add %[[X]] axes = [0] : (tensor<3x4xf64>) -> tensor<4xf64>
  // CHECK: %[[LAST:.*]] = ingot.slice %[[X]] starts = [2, 0] {{.*}} -> tensor<1x4xf64>
  // CHECK: %[[FIRST:.*]] = ingot.slice %[[X]] starts = [0, 0] {{.*}} -> tensor<2x4xf64>
  // CHECK: %[[ROLL:.*]] = ingot.concatenate %[[LAST]], %[[FIRST]] axis = 0
  // CHECK: %[[INDEX:.*]] = ingot.iota axis = 0 : tensor<3xi64>
  // CHECK: %[[ZEROS:.*]] = ingot.constant dense<0.000000e+00> : tensor<2x4xf64>
  // CHECK: ingot.slice %[[X]] starts = [0, 0] {{.*}} -> tensor<1x4xf64>
  // CHECK: %[[SHIFT:.*]] = ingot.concatenate %[[ZEROS]], %{{.*}} axis = 0
  // CHECK: %[[SUMS:.*]] = ingot.broadcast_to %[[SUM]] : (tensor<4xf64>) -> tensor<3x4xf64>
  // CHECK: %[[ALL:.*]] = ingot.broadcast_to %[[X]] : (tensor<3x4xf64>) -> tensor<3x3x4xf64>
  // CHECK: return %[[SUMS]], %[[ROLL]], %[[ALL]], %[[INDEX]], %[[SHIFT]]
  %0:5 = ingot.vmap "f"(%x) size = 3 shared = [] axis = "i" {
  ^bb0(%a: tensor<4xf64>):
    %1 = ingot.psum %a axis = "i" : tensor<4xf64>
    %2 = ingot.ppermute %a axis = "i" sources = [2, 0, 1] : tensor<4xf64>
    %3 = ingot.all_gather %a axis = "i" : (tensor<4xf64>) -> tensor<3x4xf64>
    %4 = ingot.axis_index "i" : tensor<i64>
    %5 = ingot.ppermute %a axis = "i" sources = [-1, -1, 0] : tensor<4xf64>
    ingot.yield %1, %2, %3, %4, %5 : tensor<4xf64>, tensor<4xf64>, tensor<3x4xf64>, tensor<i64>, tensor<4xf64>
  } : (tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x3x4xf64>, tensor<3xi64>, tensor<3x4xf64>)
  return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x3x4xf64>, tensor<3xi64>, tensor<3x4xf64>
}

// -----

// Collectives of an outer batch are batched by the inner one.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME: %[[X:.*]]: tensor<3x2xf64>)
func.func @nested(%x: tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<3x2x3xf64>) {
  // CHECK: %[[SUM:.*]] = ingot.reduce add %[[X]] axes = [0] : (tensor<3x2xf64>) -> tensor<2xf64>
  // CHECK: %[[ALL:.*]] = ingot.transpose %[[X]] axes = [1, 0]
  // CHECK: %[[SUMS:.*]] = ingot.broadcast_to %[[SUM]]
  // CHECK: %[[ALLS:.*]] = ingot.broadcast_to %[[ALL]]
  // CHECK: return %[[SUMS]], %[[ALLS]]
  %0:2 = ingot.vmap "f"(%x) size = 3 shared = [] axis = "i" {
  ^bb0(%a: tensor<2xf64>):
    %1:2 = ingot.vmap "g"(%a) size = 2 shared = [] axis = "j" {
    ^bb0(%b: tensor<f64>):
      %2 = ingot.psum %b axis = "i" : tensor<f64>
      %3 = ingot.all_gather %b axis = "i" : (tensor<f64>) -> tensor<3xf64>
      ingot.yield %2, %3 : tensor<f64>, tensor<3xf64>
    } : (tensor<2xf64>) -> (tensor<2xf64>, tensor<2x3xf64>)
    ingot.yield %1#0, %1#1 : tensor<2xf64>, tensor<2x3xf64>
  } : (tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<3x2x3xf64>)
  return %0#0, %0#1 : tensor<3x2xf64>, tensor<3x2x3xf64>
}

// -----

module attributes {ingot.mesh = #ingot.mesh<["i"=3, "m"=2]>} {
  // The lanes lie along the axis of the mesh that has their name, or anywhere.
  // CHECK-LABEL: func.func @shardings
  func.func @shardings(%x: tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3x4xf64>) {
    // CHECK: ingot.shard %{{.*}} <[{"i"}, {"m"}]> : tensor<3x4xf64>
    %0 = ingot.vmap "f"(%x) size = 3 shared = [] axis = "i" {
    ^bb0(%a: tensor<4xf64>):
      %1 = ingot.shard %a <[{"m"}]> : tensor<4xf64>
      ingot.yield %1 : tensor<4xf64>
    } : (tensor<3x4xf64>) -> tensor<3x4xf64>
    // CHECK: ingot.shard %{{.*}} <[{?}, {"i"}]> : tensor<3x4xf64>
    %2 = ingot.vmap "f"(%x) size = 3 shared = [] {
    ^bb0(%a: tensor<4xf64>):
      %1 = ingot.shard %a <[{"i"}]> : tensor<4xf64>
      ingot.yield %1 : tensor<4xf64>
    } : (tensor<3x4xf64>) -> tensor<3x4xf64>
    return %0, %2 : tensor<3x4xf64>, tensor<3x4xf64>
  }
}

// -----

module attributes {ingot.mesh = #ingot.mesh<["i"=3]>} {
  func.func @twice(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
    %0 = ingot.vmap "f"(%x) size = 3 shared = [] axis = "i" {
    ^bb0(%a: tensor<4xf64>):
      // expected-error @+1 {{a value is divided by the axis "i" of the mesh, along which the items of the batch lie}}
      %1 = ingot.shard %a <[{"i"}]> : tensor<4xf64>
      ingot.yield %1 : tensor<4xf64>
    } : (tensor<3x4xf64>) -> tensor<3x4xf64>
    return %0 : tensor<3x4xf64>
  }
}

// -----

func.func @divergent(%x: tensor<3xf64>, %c: tensor<3xi1>) -> tensor<3xf64> {
  %0 = ingot.vmap "f"(%x, %c) size = 3 shared = [] axis = "i" {
  ^bb0(%a: tensor<f64>, %b: tensor<i1>):
    %1 = ingot.if %b : tensor<f64> {
      // expected-error @+1 {{lanes exchange values in a branch or loop that not all items of the batch take}}
      %2 = ingot.psum %a axis = "i" : tensor<f64>
      ingot.yield %2 : tensor<f64>
    } else {
      ingot.yield %a : tensor<f64>
    }
    ingot.yield %1 : tensor<f64>
  } : (tensor<3xf64>, tensor<3xi1>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// -----

func.func @other_size(%x: tensor<3xf64>) -> tensor<3x2xf64> {
  %0 = ingot.vmap "f"(%x) size = 3 shared = [] axis = "i" {
  ^bb0(%a: tensor<f64>):
    // expected-error @+1 {{the values of another number of lanes than 3}}
    %1 = ingot.all_gather %a axis = "i" : (tensor<f64>) -> tensor<2xf64>
    ingot.yield %1 : tensor<2xf64>
  } : (tensor<3xf64>) -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}

// -----

func.func @other_sources(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = ingot.vmap "f"(%x) size = 3 shared = [] axis = "i" {
  ^bb0(%a: tensor<f64>):
    // expected-error @+1 {{has sources for 2 lanes, not 3}}
    %1 = ingot.ppermute %a axis = "i" sources = [1, 0] : tensor<f64>
    ingot.yield %1 : tensor<f64>
  } : (tensor<3xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
