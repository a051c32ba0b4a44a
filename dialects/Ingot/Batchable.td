//===- Batchable.td - How axes correspond ------------------*- tablegen -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_BATCHABLE_TD
#define INGOT_BATCHABLE_TD

include "mlir/IR/OpBase.td"

def Ingot_BatchableOpInterface : OpInterface<"BatchableOpInterface"> {
  let cppNamespace = "::ingot";
  let description = [{
    How the axes of an operation's operands and results correspond. `check-batch` follows
    values by it, and `expand-vmap` gives the operation one more axis.
  }];
  let methods = [
    InterfaceMethod<"Which axes correspond.", "::ingot::AxisRule", "getAxisRule">,
    InterfaceMethod<
      [{Changes the attributes to those of the operation on operands with one more axis,
      the first. By default, the attributes `axis` and `axes` are numbers of axes, and no
      other attribute changes.}],
      "void", "addLeadingAxis", (ins "::mlir::NamedAttrList &":$attributes), [{}],
      [{ ::ingot::shiftAxes(attributes); }]>
  ];
}

/// Carries the definition of `getAxisRule` into the class of the operation.
class Ingot_AxisRuleEntry<string rule>
    : NativeOpTrait<"AxisRuleTrait", [], [{}],
                    "::ingot::AxisRule $cppClass::getAxisRule() { return " # rule # "; }"> {
  let cppNamespace = "::ingot";
}

/// An operation whose rule is a C++ expression, most often a function of AxisRule.h.
class Ingot_Batchable<string rule>
    : TraitList<[DeclareOpInterfaceMethods<Ingot_BatchableOpInterface>,
                 Ingot_AxisRuleEntry<rule>]>;

/// An operation whose rule is written beside its family.
def Ingot_HasAxisRule : DeclareOpInterfaceMethods<Ingot_BatchableOpInterface>;

#endif // INGOT_BATCHABLE_TD
