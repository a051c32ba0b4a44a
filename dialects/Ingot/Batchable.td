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
    States how the axes of an operation's operands and results correspond. `check-batch`
    uses it to follow the batch axis through an operation, and `expand-vmap` to add a
    leading axis for the lanes.
  }];
  let methods = [
    InterfaceMethod<"Returns which axes correspond.", "::ingot::AxisRule", "getAxisRule">,
    InterfaceMethod<
      [{Updates the attributes for operands that have one more leading axis. The default
      increments the axis numbers in `axis` and `axes`, and changes nothing else.}],
      "void", "addLeadingAxis", (ins "::mlir::NamedAttrList &":$attributes), [{}],
      [{ ::ingot::shiftAxes(attributes); }]>
  ];
}

/// Adds the definition of `getAxisRule` to the operation's class.
class Ingot_AxisRuleEntry<string rule>
    : NativeOpTrait<"AxisRuleTrait", [], [{}],
                    "::ingot::AxisRule $cppClass::getAxisRule() { return " # rule # "; }"> {
  let cppNamespace = "::ingot";
}

/// An operation whose axis rule is a C++ expression, usually a call of a function of
/// AxisRule.h.
class Ingot_Batchable<string rule>
    : TraitList<[DeclareOpInterfaceMethods<Ingot_BatchableOpInterface>,
                 Ingot_AxisRuleEntry<rule>]>;

/// An operation whose axis rule is defined in the .cpp file of its family.
def Ingot_HasAxisRule : DeclareOpInterfaceMethods<Ingot_BatchableOpInterface>;

#endif // INGOT_BATCHABLE_TD
