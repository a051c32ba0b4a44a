//===- Module.cpp - The Python module ingot._core -------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder.h"
#include "Expressions.h"
#include "Guards.h"
#include "Sources.h"
#include "Values.h"

#include "Fusion/KernelCall.h"
#include "Ingot/Derivatives.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/ADT/ScopeExit.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace ingot;
using mlir::MLIRContext;
using Shape = std::vector<int64_t>;
using TypeCode = std::pair<Shape, unsigned>;

namespace {

using Values = std::vector<PyValue>;

llvm::SmallVector<mlir::Value> unwrap(const Values &values) {
  return llvm::to_vector(
      llvm::map_range(values, [](const PyValue &each) { return each.value; }));
}

Values wrap(mlir::ValueRange values) {
  Values result;
  for (mlir::Value value : values)
    result.push_back({value});
  return result;
}

mlir::RankedTensorType typeOf(const TypeCode &code, MLIRContext *context) {
  return mlir::RankedTensorType::get(code.first,
                                     elementTypeOf(code.second, context));
}

llvm::SmallVector<mlir::Type> typesOf(const std::vector<TypeCode> &codes,
                                      MLIRContext *context) {
  return llvm::to_vector(
      llvm::map_range(codes, [&](const TypeCode &code) -> mlir::Type {
        return typeOf(code, context);
      }));
}

/// bool -> i1, int -> i64, sequence of int -> array<i64>, bytes -> string,
/// "#..."
/// -> parsed, str -> string. Text of the user's comes as bytes: it may begin
/// with "#".
mlir::Attribute attributeOf(FunctionBuilder &self, nb::handle object) {
  mlir::Builder builder(self.context());
  if (nb::isinstance<nb::bool_>(object))
    return builder.getBoolAttr(nb::cast<bool>(object));
  if (nb::isinstance<nb::int_>(object))
    return builder.getI64IntegerAttr(nb::cast<int64_t>(object));
  if (nb::isinstance<nb::bytes>(object)) {
    auto text = nb::cast<nb::bytes>(object);
    return builder.getStringAttr(llvm::StringRef(text.c_str(), text.size()));
  }
  if (!nb::isinstance<nb::str>(object))
    return builder.getDenseI64ArrayAttr(nb::cast<std::vector<int64_t>>(object));
  auto text = nb::cast<std::string>(object);
  if (!text.empty() && text[0] == '#')
    return self.parseAttribute(text);
  return builder.getStringAttr(text);
}

mlir::NamedAttrList attributesOf(FunctionBuilder &self, nb::dict dict) {
  mlir::NamedAttrList list;
  for (auto [key, value] : dict)
    list.append(nb::cast<std::string>(key), attributeOf(self, value));
  return list;
}

Values create(FunctionBuilder &self, const std::string &name,
              const Values &operands, nb::dict attributes,
              const std::vector<TypeCode> &types, unsigned regions) {
  return wrap(self.create(name, unwrap(operands),
                          attributesOf(self, attributes),
                          typesOf(types, self.context()), regions));
}

PyValue elementwiseOf(FunctionBuilder &self, const Elementwise &operation,
                      nb::list operands) {
  llvm::SmallVector<PyObject *, 3> given;
  for (nb::handle each : operands)
    given.push_back(each.ptr());
  return elementwise(self, operation, given);
}

/// An array constant from C-contiguous bytes.
PyValue constant(FunctionBuilder &self, nb::bytes bytes, const Shape &shape,
                 unsigned code) {
  MLIRContext *context = self.context();
  auto type = mlir::RankedTensorType::get(shape, elementTypeOf(code, context));
  llvm::ArrayRef<char> data(bytes.c_str(), bytes.size());
  if (type.getElementType().isInteger(1)) {
    llvm::SmallVector<bool> bits(data.begin(), data.end());
    return {self.constant(mlir::DenseElementsAttr::get(type, bits))};
  }
  return {self.constant(mlir::DenseElementsAttr::getFromRawBuffer(type, data))};
}

std::string textOf(ModuleHolder &self, bool generic, bool locations) {
  mlir::OpPrintingFlags flags;
  flags.printGenericOpForm(generic);
  flags.enableDebugInfo(locations, /*prettyForm=*/true);
  // The builder and the passes verify the IR; aliases would only be in the way.
  flags.assumeVerified().useLocalScope();
  std::string text;
  llvm::raw_string_ostream stream(text);
  // The printer writes a few characters at a time.
  stream.SetBufferSize(1 << 14);
  self.op->print(stream, flags);
  stream << '\n';
  stream.flush();
  return text;
}

/// Records the IR after every pass.
class Snapshots : public mlir::PassInstrumentation {
public:
  Snapshots(std::vector<std::pair<std::string, std::string>> &list)
      : list(list) {}

  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    // Skip adaptors, which only run the passes of a nested pipeline.
    if (pass->getArgument().empty())
      return;
    std::string text;
    llvm::raw_string_ostream stream(text);
    while (op->getParentOp())
      op = op->getParentOp();
    op->print(stream);
    stream << '\n';
    list.emplace_back(pass->getArgument().str(), text);
  }

private:
  std::vector<std::pair<std::string, std::string>> &list;
};

void runPasses(ModuleHolder &self, mlir::PassManager &passes) {
  ErrorCollector errors(&self.context->mlir);
  if (failed(passes.run(*self.op)))
    errors.raise("a pass failed");
}

void run(ModuleHolder &self, const std::string &pipeline) {
  runPasses(self, self.context->passesOf(pipeline));
}

/// Runs a pipeline, and returns each pass's name and the IR after it.
std::vector<std::pair<std::string, std::string>>
snapshots(ModuleHolder &self, const std::string &pipeline) {
  std::vector<std::pair<std::string, std::string>> list;
  std::unique_ptr<mlir::PassManager> passes =
      self.context->makePasses(pipeline);
  passes->addInstrumentation(std::make_unique<Snapshots>(list));
  runPasses(self, *passes);
  return list;
}

using Remark =
    std::tuple<std::string, std::string, std::string, unsigned, unsigned>;

/// Collects remarks.
class Remarks : public mlir::remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Remarks(std::vector<Remark> &list) : list(list) {}

  void streamOptimizationRemark(
      const mlir::remark::detail::Remark &remark) override {
    std::string message;
    for (const auto &part : remark.getArgs())
      message += part.val;
    Problem at = problemAt(remark.getLocation(), std::move(message));
    list.emplace_back(remark.getCombinedCategoryName().str(), at.message,
                      at.filename, at.line, at.column);
  }

private:
  std::vector<Remark> &list;
};

/// Runs a pipeline, and returns (pass, message, file, line, column) of each
/// remark.
std::vector<Remark> remarksOf(ModuleHolder &self, const std::string &pipeline) {
  std::vector<Remark> list;
  mlir::MLIRContext &context = self.context->mlir;
  mlir::remark::RemarkCategories categories;
  categories.passed = categories.missed = ".*";
  if (failed(mlir::remark::enableOptimizationRemarks(
          context, std::make_unique<Remarks>(list),
          std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(),
          categories)))
    throw std::runtime_error("remarks can't be collected");
  auto stop = llvm::make_scope_exit([&] { context.setRemarkEngine(nullptr); });
  run(self, pipeline);
  return list;
}

using Check = std::tuple<std::string, std::string, std::string, int64_t,
                         int64_t, int64_t, int64_t>;

nb::object factOf(mlir::Attribute attribute) {
  if (auto text = mlir::dyn_cast<mlir::StringAttr>(attribute))
    return nb::cast(text.getValue().str());
  return nb::cast(mlir::cast<mlir::IntegerAttr>(attribute).getInt());
}

/// (exception, message, file, line, column, end line, end column, facts) of
/// each check; the facts are its other attributes by name.
nb::list checksOf(ModuleHolder &self) {
  nb::list list;
  for (auto function : self.op->getOps<mlir::func::FuncOp>()) {
    auto checks = function->getAttrOfType<mlir::ArrayAttr>("ingot.checks");
    if (!checks)
      continue;
    for (mlir::Attribute each : checks) {
      auto fields = mlir::cast<mlir::ArrayAttr>(each);
      nb::list entry;
      for (mlir::Attribute field : fields) {
        auto others = mlir::dyn_cast<mlir::DictionaryAttr>(field);
        if (!others) {
          entry.append(factOf(field));
          continue;
        }
        nb::dict facts;
        for (mlir::NamedAttribute each : others)
          facts[each.getName().str().c_str()] = factOf(each.getValue());
        entry.append(facts);
      }
      list.append(nb::tuple(entry));
    }
  }
  return list;
}

/// Makes the only function an entry point for PJRT: renames it to `main` and
/// removes the attributes of our dialects.
void makeEntry(ModuleHolder &self) {
  for (auto function : self.op->getOps<mlir::func::FuncOp>()) {
    if (function.isPrivate())
      continue;
    function->removeAttr("ingot.checks");
    function.setName("main");
  }
}

/// The functions that are declared for user-defined StableHLO. Maps their names
/// to the text, or to the number of a function of the process and the position
/// of a call; these are removed from their attributes.
nb::dict takeStablehlo(ModuleHolder &self) {
  nb::dict found;
  for (auto function : self.op->getOps<mlir::func::FuncOp>()) {
    mlir::Attribute module = function->removeAttr("ingot.stablehlo");
    if (!module)
      continue;
    nb::object name = nb::cast(function.getSymName().str());
    if (auto text = mlir::dyn_cast<mlir::StringAttr>(module)) {
      found[name] = text.getValue().str();
      continue;
    }
    int64_t source = mlir::cast<mlir::IntegerAttr>(module).getInt();
    Problem at = problemAt(function.getLoc(), "");
    found[name] = nb::make_tuple(source, at.filename, at.line, at.column,
                                 at.endLine, at.endColumn);
  }
  return found;
}

/// The functions that calls refer to by number, which Python derives.
class PythonSources : public CallSources {
public:
  explicit PythonSources(nb::object derive) : derived(std::move(derive)) {}
  std::optional<int64_t> derive(int64_t source, llvm::StringRef kind,
                                llvm::ArrayRef<int64_t> which) override {
    nb::list indices;
    for (int64_t index : which)
      indices.append(index);
    // No exception may pass through the frames of passes.
    try {
      nb::object made = derived(source, kind.str(), nb::tuple(indices));
      return nb::cast<int64_t>(made);
    } catch (nb::python_error &error) {
      error.discard_as_unraisable("a derivative of a call");
      return std::nullopt;
    }
  }

private:
  nb::object derived;
};

void setSources(nb::object derive) {
  // Never destroyed, since Python may be finalised before static destructors.
  ingot::setCallSources(new PythonSources(std::move(derive)));
}

/// The kernels, which are modules of their own, as text by name; they are
/// removed.
nb::dict takeKernels(ModuleHolder &self) {
  nb::dict found;
  for (auto kernel :
       llvm::make_early_inc_range(self.op->getOps<mlir::ModuleOp>())) {
    std::string text;
    llvm::raw_string_ostream(text) << kernel;
    found[nb::cast(kernel.getSymName()->str())] = text;
    kernel.erase();
  }
  return found;
}

std::vector<TypeCode> codesOf(mlir::TypeRange types) {
  std::vector<TypeCode> codes;
  for (mlir::Type type : types) {
    auto tensor = mlir::cast<mlir::RankedTensorType>(type);
    codes.emplace_back(tensor.getShape().vec(),
                       codeOf(tensor.getElementType()));
  }
  return codes;
}

/// (kernel, inputs, outputs, parameters, passed, repeated, lengths) as in
/// `KernelCall`, or None; before `take_kernels`.
nb::object kernelCall(ModuleHolder &self) {
  std::optional<KernelCall> call = kernelCallOf(*self.op);
  if (!call)
    return nb::none();
  return nb::make_tuple(call->kernel, codesOf(call->type.getInputs()),
                        codesOf(call->type.getResults()), call->parameters,
                        call->passed, call->repeated, call->lengths);
}

/// Adds the functions in a text, under unused names.
void addText(ModuleHolder &self, const std::string &text) {
  ErrorCollector errors(&self.context->mlir);
  auto other =
      mlir::parseSourceString<mlir::ModuleOp>(text, &self.context->mlir);
  if (!other)
    errors.raise("can't parse");
  mlir::SymbolTable symbols(*self.op);
  for (auto function :
       llvm::make_early_inc_range(other->getOps<mlir::func::FuncOp>())) {
    function->remove();
    symbols.insert(function);
  }
}

using Shardings = std::vector<std::optional<std::string>>;

/// Sets the mesh, and the shardings of the entry's arguments and results, of
/// which None stands for none. All are attributes as text.
void setShardings(ModuleHolder &self, const std::string &mesh,
                  const Shardings &arguments, const Shardings &results) {
  MLIRContext *context = &self.context->mlir;
  ErrorCollector errors(context);
  auto parsed = [&](const std::string &text) {
    mlir::Attribute found = mlir::parseAttribute(text, context);
    if (!found)
      errors.raise("malformed attribute");
    return found;
  };
  (*self.op)->setAttr("ingot.mesh", parsed(mesh));
  auto entry = *self.op->getOps<mlir::func::FuncOp>().begin();
  for (auto [i, text] : llvm::enumerate(arguments))
    if (text)
      entry.setArgAttr(i, "ingot.sharding", parsed(*text));
  for (auto [i, text] : llvm::enumerate(results))
    if (text)
      entry.setResultAttr(i, "ingot.sharding", parsed(*text));
}

/// Says of results of the entry which other ones are their lengths, along the
/// first axis: pairs of numbers.
void setLengths(ModuleHolder &self,
                const std::vector<std::pair<unsigned, int64_t>> &lengths) {
  auto entry = *self.op->getOps<mlir::func::FuncOp>().begin();
  mlir::Builder builder(&self.context->mlir);
  for (auto [result, length] : lengths)
    entry.setResultAttr(result, "ingot.length",
                        builder.getI64IntegerAttr(length));
}

/// Registers the passes of a shared library.
void loadPlugin(const std::string &path) {
  auto plugin = mlir::PassPlugin::load(path);
  if (!plugin)
    throw DiagnosticError{
        {llvm::toString(plugin.takeError()), "", 0, 0, 0, 0, ""}};
  plugin->registerPassRegistryCallbacks();
}

void verify(ModuleHolder &self) {
  ErrorCollector errors(&self.context->mlir);
  if (failed(mlir::verify(*self.op)))
    errors.raise("invalid IR");
}

ModuleHolder parse(const std::string &text) {
  std::shared_ptr<Context> context = Context::acquire();
  ErrorCollector errors(&context->mlir);
  auto op = mlir::parseSourceString<mlir::ModuleOp>(text, &context->mlir);
  if (!op)
    errors.raise("can't parse");
  return {context, std::move(op)};
}

ModuleHolder cloneOf(ModuleHolder &self) {
  return {self.context, mlir::OwningOpRef<mlir::ModuleOp>(self.op->clone())};
}

} // namespace

NB_MODULE(_core, m) {
  ingot::registerPasses();
  nb::set_leak_warnings(false);

  bindValues(m);

  nb::class_<ModuleHolder>(m, "Module")
      .def("text", textOf, nb::arg("generic") = false,
           nb::arg("locations") = false)
      .def("run", run, nb::arg("pipeline"))
      .def("snapshots", snapshots, nb::arg("pipeline"))
      .def("remarks", remarksOf, nb::arg("pipeline"))
      .def("verify", verify)
      .def("clone", cloneOf)
      .def("make_entry", makeEntry)
      .def("take_stablehlo", takeStablehlo)
      .def("kernel_call", kernelCall)
      .def("take_kernels", takeKernels)
      .def("add", addText)
      .def("set_shardings", setShardings)
      .def("set_lengths", setLengths)
      .def_prop_ro("checks", checksOf);

  nb::class_<FunctionBuilder>(m, "FunctionBuilder")
      .def("__init__",
           [](FunctionBuilder *self, const std::string &name) {
             new (self) FunctionBuilder(name);
           })
      .def("set_file", [](FunctionBuilder &self,
                          const std::string &name) { self.setFile(name); })
      .def("set_location", &FunctionBuilder::setLocation)
      .def("add_argument",
           [](FunctionBuilder &self, const TypeCode &type) {
             return PyValue{self.addArgument(typeOf(type, self.context()))};
           })
      .def("constant", constant)
      .def("number", number)
      .def("create", create, nb::arg("name"), nb::arg("operands"),
           nb::arg("attributes") = nb::dict(),
           nb::arg("types") = std::vector<TypeCode>(), nb::arg("regions") = 0)
      .def("elementwise", elementwiseOf)
      .def("convert",
           [](FunctionBuilder &self, const PyValue &value, unsigned code) {
             return PyValue{self.convert(value.value,
                                         elementTypeOf(code, self.context()))};
           })
      .def("begin_region",
           [](FunctionBuilder &self, const std::vector<TypeCode> &types) {
             self.beginRegion(typesOf(types, self.context()));
             Values arguments;
             for (size_t i = 0; i < types.size(); ++i)
               arguments.push_back({self.regionArgument(i)});
             return arguments;
           })
      .def("leave_region", &FunctionBuilder::leaveRegion)
      .def("inline_region", &FunctionBuilder::inlineRegion)
      .def("enter_region", &FunctionBuilder::enterRegion)
      .def("end_region",
           [](FunctionBuilder &self, const std::string &terminator,
              const Values &values) {
             self.endRegion(terminator, unwrap(values));
           })
      .def("keep_region", &FunctionBuilder::keepRegion)
      .def("copy_kept",
           [](FunctionBuilder &self, size_t number, const Values &arguments,
              const std::vector<unsigned> &wanted) {
             Values made;
             for (mlir::Value value :
                  self.copyKept(number, unwrap(arguments), wanted))
               made.push_back({value});
             return made;
           })
      .def("insertion_point", &FunctionBuilder::insertionPoint)
      .def("record",
           [](FunctionBuilder &self, size_t start, const Values &arguments,
              const Values &results) {
             return self.record(start, unwrap(arguments), unwrap(results));
           })
      .def("replay",
           [](FunctionBuilder &self, size_t number, const Values &arguments) {
             return wrap(self.replay(number, unwrap(arguments)));
           })
      .def("same",
           [](FunctionBuilder &self, const PyValue &lhs, const PyValue &rhs) {
             return self.same(lhs.value, rhs.value);
           })
      .def("mark", &FunctionBuilder::mark)
      .def("rollback", &FunctionBuilder::rollback)
      .def("emitted", &FunctionBuilder::emitted)
      .def("finish", [](FunctionBuilder &self, const Values &results) {
        return self.finish(unwrap(results));
      });

  bindExpressions(m);
  bindGuards(m);
  bindSources(m);

  m.def("parse", parse);
  m.def("load_plugin", loadPlugin);
  m.def("set_call_sources", setSources);
}
