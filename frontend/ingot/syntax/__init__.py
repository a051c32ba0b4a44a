"""From a function's AST to the ingot dialect: a partial evaluator."""

import time

#: When Ingot was imported, less two ticks of the coarse clock from which files get their times. The
#: frontend itself may be imported much later, by the first call.
STARTED = time.time() - 0.02
