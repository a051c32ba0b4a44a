"""Joins requests into a single call, along the batch dimension of an entry point."""

from __future__ import annotations

import asyncio
import hashlib
import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np
from prometheus_client import Counter, Histogram

from ingot_runtime.entry_points import EntryPoint, batch_axis, items
from ingot_runtime.serving.options import Batching

_ITEMS = Histogram(
    "ingot_batch_items", "Items in a call of a model.", ["model"],
    buckets=[1 << i for i in range(12)],
)  # fmt: skip
_REQUESTS = Counter("ingot_batched_requests", "Requests that were joined with others.", ["model"])


@dataclass
class _Request:
    values: list[Any]
    size: int
    arrived: float
    answer: asyncio.Future[list[Any]]


class Batcher:
    """Calls an entry point for requests, and joins requests if that does not change results.

    A batcher belongs to one event loop. Calls run on the executor; those that can be joined run one
    at a time.
    """

    def __init__(self, entry: EntryPoint, options: Batching, executor: Executor, name: str) -> None:
        self._entry, self._options, self._executor, self._name = entry, options, executor, name
        self._batch = str(entry.batch)
        self._largest = largest(entry, options)
        self._axes = [batch_axis(leaf, entry.batch) for leaf in entry.arguments]
        self._output_axes = [batch_axis(leaf, entry.batch) for leaf in entry.outputs]
        #: The waiting requests by `_key`; requests with the same key can be joined.
        self._waiting: dict[Any, list[_Request]] = {}
        self._worker: asyncio.Task[None] | None = None
        self._more = asyncio.Event()

    async def run(self, values: list[Any]) -> list[Any]:
        """Answer a request, possibly together with others.

        Args:
            values: one value for each of the entry point's `arguments`.

        Returns:
            One value for each of the entry point's `outputs`.

        Raises:
            Exception: the exception of `EntryPoint.run` for these values alone.
        """
        loop = asyncio.get_running_loop()
        if self._entry.batch is None or self._largest <= 1:
            return await loop.run_in_executor(self._executor, self._entry.run_outputs, values)
        size = self._entry.sizes_of(values)[self._batch]
        key = self._key(values)
        if size <= self._largest:
            return await self._queued(key, values, size)
        # In parts of equal size, so that none is below the lower bound of the dimension. The next
        # one is queued when the one before is answered: the requests of others go in between.
        count = math.ceil(size / self._largest)
        ends = [size * (i + 1) // count for i in range(count)]
        pieces = [
            await self._queued(key, _part(values, self._axes, start, end), end - start)
            for start, end in zip([0, *ends], ends, strict=False)
        ]
        return await loop.run_in_executor(self._executor, self._concatenated, pieces)

    async def _queued(self, key: Any, values: list[Any], size: int) -> list[Any]:
        loop = asyncio.get_running_loop()
        request = _Request(values, size, time.monotonic(), loop.create_future())
        self._waiting.setdefault(key, []).append(request)
        self._more.set()
        if self._worker is None or self._worker.done():
            self._worker = loop.create_task(self._work())
        return await request.answer

    def _key(self, values: list[Any]) -> tuple:
        """What must be equal for requests to be joined: everything except the batched items."""
        return tuple(
            _fixed(value) if axis is None else value.shape[:axis] + value.shape[axis + 1 :]
            for value, axis in zip(values, self._axes, strict=True)
        )

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            key = min(self._waiting, key=lambda key: self._waiting[key][0].arrived)
            await self._gather(key)
            requests = self._taken(key)
            answers: list[list[Any] | Exception]
            try:
                answers = await loop.run_in_executor(self._executor, self._answers, requests)
            except Exception as error:
                answers = [error] * len(requests)
            for request, answer in zip(requests, answers, strict=True):
                if request.answer.done():
                    continue  # The client has disconnected.
                if isinstance(answer, Exception):
                    request.answer.set_exception(answer)
                else:
                    request.answer.set_result(answer)

    async def _gather(self, key: Any) -> None:
        """Wait until the batch is full, or its first request has waited long enough."""
        end = self._waiting[key][0].arrived + self._options.delay
        while sum(request.size for request in self._waiting[key]) < self._largest:
            left = end - time.monotonic()
            if left <= 0:
                return
            self._more.clear()
            try:
                await asyncio.wait_for(self._more.wait(), left)
            except TimeoutError:
                return

    def _taken(self, key: Any) -> list[_Request]:
        """Remove the oldest requests that fit into one call."""
        waiting = self._waiting[key]
        count, size = 1, waiting[0].size
        while count < len(waiting) and size + waiting[count].size <= self._largest:
            size += waiting[count].size
            count += 1
        self._waiting[key] = waiting[count:]
        if not self._waiting[key]:
            del self._waiting[key]
        return waiting[:count]

    # On the executor.

    def _answers(self, requests: list[_Request]) -> list[list[Any] | Exception]:
        if len(requests) == 1:
            return [_caught(self._run_alone, requests[0])]
        joined = [
            requests[0].values[i] if axis is None
            else np.concatenate([request.values[i] for request in requests], axis)
            for i, axis in enumerate(self._axes)
        ]  # fmt: skip
        try:
            results = self._run(joined, sum(request.size for request in requests))
        except Exception:
            # One of them has raised, and the others need an answer.
            return [_caught(self._run_alone, request) for request in requests]
        _REQUESTS.labels(self._name).inc(len(requests))
        ends = np.cumsum([request.size for request in requests]).tolist()
        return [
            _part(results, self._output_axes, end - request.size, end)
            for request, end in zip(requests, ends, strict=True)
        ]

    def _run_alone(self, request: _Request) -> list[Any]:
        return self._run(request.values, request.size)

    def _concatenated(self, pieces: list[list[Any]]) -> list[Any]:
        return [
            parts[0] if axis is None else np.concatenate(parts, axis)
            for parts, axis in zip(zip(*pieces, strict=True), self._output_axes, strict=True)
        ]

    def _run(self, values: list[Any], size: int) -> list[Any]:
        _ITEMS.labels(self._name).observe(size)
        return self._entry.run_outputs(values)


def largest(entry: EntryPoint, options: Batching) -> int:
    """The most items in one call, within the bounds of the batch dimension."""
    low, high = entry.sizes.get(str(entry.batch), (1, None))
    wanted = max(options.largest, 2 * low if low > 1 else 1)
    return wanted if high is None else min(wanted, high)


def buckets(largest: int) -> list[int]:
    """The sizes to compile for: the powers of two, and the largest."""
    return sorted({*(1 << i for i in range(largest.bit_length())), largest})


def _fixed(value: Any) -> Any:
    """A comparable form of a value that must be equal in all joined requests."""
    if not isinstance(value, np.ndarray):
        return type(value), repr(value)
    return value.shape, hashlib.sha256(value.tobytes()).digest()


def _part(values: Sequence[Any], axes: Sequence[int | None], start: int, end: int) -> list[Any]:
    return [items(value, axis, start, end) for value, axis in zip(values, axes, strict=True)]


def _caught(run: Callable[[_Request], list[Any]], request: _Request) -> list[Any] | Exception:
    try:
        return run(request)
    except Exception as error:
        return error
