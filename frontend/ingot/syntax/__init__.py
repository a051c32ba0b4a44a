"""From a function's AST to the ingot dialect: a partial evaluator."""
