"""`python -m ingot_runtime.distributed HOST:PORT`: a coordinator in a process of its own.

It prints one line: "listening", or why it can't listen there.
"""

import asyncio
import os
import signal
import sys

from ingot_runtime.distributed.coordinator import Coordinator
from ingot_runtime.distributed.environments import split_address


async def _serve(address: str) -> None:
    coordinator = Coordinator()
    try:
        await coordinator.start(*split_address(address))
    except OSError as error:
        print(error.strerror or error, flush=True)
        return
    print("listening", flush=True)
    # Nobody reads what it would print later.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    await coordinator.linger()
    await coordinator.close()


# Ctrl-C is for the processes of the job, which still talk to the coordinator then.
signal.signal(signal.SIGINT, signal.SIG_IGN)
asyncio.run(_serve(sys.argv[1]))
