"""Jobs of several processes: how they begin, and how they end."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

import ingot
import level
from ingot_runtime.distributed import environments, member
from jobs import TOTAL, Job, coordinators, free_port, wait_for

pytestmark = pytest.mark.once

ENVIRONMENTS = {
    "ingot launch": (
        {"INGOT_COORDINATOR": "10.0.0.1:99", "INGOT_RANK": "1", "INGOT_PROCESSES": "4"},
        ("10.0.0.1:99", 1, 4),
    ),
    "slurm": (
        {
            "SLURM_JOB_ID": "7", "SLURM_STEP_ID": "0", "SLURM_PROCID": "3", "SLURM_NTASKS": "8",
            "SLURM_STEP_NODELIST": "node[007-010,012]-ib,login",
        },
        ("node007-ib", 3, 8),
    ),
    "slurm, a step of fewer tasks on one node": (
        {
            "SLURM_JOB_ID": "7", "SLURM_STEP_ID": "1", "SLURM_PROCID": "1", "SLURM_NTASKS": "8",
            "SLURM_STEP_NUM_TASKS": "2", "SLURM_JOB_NODELIST": "a1,b2",
        },
        ("a1", 1, 2),
    ),
    "open mpi 4": (
        {
            "OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2",
            "OMPI_MCA_orte_hnp_uri": "1531576320.0;tcp://10.96.0.1,10.148.0.1:34911",
        },
        ("10.96.0.1", 0, 2),
    ),
    "open mpi 4, one address": (
        {
            "OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2",
            "OMPI_MCA_orte_hnp_uri": "1531576320.0;tcp://10.96.0.1:34911",
        },
        ("10.96.0.1", 0, 2),
    ),
    "open mpi 4, ipv6": (
        {
            "OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2",
            "OMPI_MCA_orte_hnp_uri": "1314521088.0;tcp6://[fe80::b9b,2620:10d::2]:43370",
        },
        ("[fe80::b9b]", 1, 2),
    ),
    "open mpi 5 on one machine, in a job of slurm": (
        {
            "OMPI_COMM_WORLD_RANK": "2", "OMPI_COMM_WORLD_SIZE": "4",
            "OMPI_COMM_WORLD_LOCAL_SIZE": "4", "PMIX_NAMESPACE": "prterun-a-1@1",
            "SLURM_JOB_ID": "7", "SLURM_PROCID": "0", "SLURM_NTASKS": "1",
        },
        ("127.0.0.1", 2, 4),
    ),
    "jobset": (
        {
            "KUBERNETES_SERVICE_HOST": "10.0.0.1", "JOB_COMPLETION_INDEX": "12",
            "INGOT_PROCESSES": "16",
        },
        ("train-workers-0-0.train.default.svc.cluster.local", 12, 16),
    ),
    "a launcher in a job of slurm": (
        {
            "SLURM_JOB_ID": "7", "SLURM_PROCID": "0", "SLURM_NTASKS": "1",
            "INGOT_COORDINATOR": "127.0.0.1:99", "INGOT_RANK": "1", "INGOT_PROCESSES": "2",
        },
        ("127.0.0.1:99", 1, 2),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_the_environment_tells_the_place(name, monkeypatch):
    pod = "train-workers-0-12.train.default.svc.cluster.local"
    monkeypatch.setattr(socket, "getfqdn", lambda: pod)
    variables, (coordinator, rank, size) = ENVIRONMENTS[name]
    found, *numbers = environments.place(environments.Place(), variables)
    assert numbers == [rank, size]
    if coordinator.endswith(":99"):
        assert found == coordinator
    else:
        host, port = found.rsplit(":", 1)
        assert host == coordinator and 61440 <= int(port) < 65536


def test_what_is_given_comes_first():
    variables, _ = ENVIRONMENTS["slurm"]
    place = environments.Place("127.0.0.1:5", size=20)
    assert environments.place(place, variables) == ("127.0.0.1:5", 3, 20)


def test_jobs_on_one_machine_have_ports_of_their_own():
    variables, _ = ENVIRONMENTS["slurm"]
    ports = {
        environments.place(environments.Place(), {**variables, "SLURM_JOB_ID": str(job)})[0]
        for job in range(20)
    }
    assert len(ports) > 15


@pytest.mark.parametrize(
    "variables, said",
    [
        ({}, "does not know the coordinator: start the program with `ingot launch`, set INGOT_CO"),
        ({"INGOT_COORDINATOR": "a:1"}, "does not know the rank"),
        ({"INGOT_COORDINATOR": "a:1", "INGOT_RANK": "0"}, "does not know the number of processes"),
        ({"INGOT_RANK": "one"}, "INGOT_RANK is 'one', which is no number"),
        (
            {"INGOT_COORDINATOR": "a:1", "INGOT_RANK": "2", "INGOT_PROCESSES": "2"},
            "the rank 2 is not one of 2 processes, which count from 0",
        ),
        (
            {"INGOT_COORDINATOR": "a", "INGOT_RANK": "0", "INGOT_PROCESSES": "2"},
            "the coordinator 'a' is not an address such as 10.0.0.1:9876",
        ),
        (
            {"INGOT_COORDINATOR": "a:70000", "INGOT_RANK": "0", "INGOT_PROCESSES": "2"},
            "the coordinator 'a:70000' is not an address",
        ),
        ({"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2"}, "does not know the coord"),
        (
            {"KUBERNETES_SERVICE_HOST": "10.0.0.1", "JOB_COMPLETION_INDEX": "3"},
            "does not know the coordinator",
        ),
    ],
)
def test_what_is_missing_or_wrong_is_named(variables, said, monkeypatch):
    monkeypatch.setattr(socket, "getfqdn", lambda: "laptop")
    with pytest.raises(ingot.IngotError, match="ingot.distributed|which is no number|not ") as e:
        environments.place(environments.Place(), variables)
    assert said in str(e.value)


# The coordinator, which this process joins as several ones.


@pytest.fixture(scope="module")
def coordinator():
    """The address of a coordinator."""
    address = f"127.0.0.1:{free_port()}"
    process = subprocess.Popen(
        [sys.executable, "-m", "ingot_runtime.distributed", address],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout.readline() == "listening\n"
    yield address
    process.kill()
    process.communicate()


class Joined:
    """Members of a job, which join at once."""

    def __init__(self, address, places, timeout=20.0, heartbeat=60.0):
        self.members, self.errors, self.heartbeat = {}, {}, heartbeat
        threads = [
            threading.Thread(target=self._join, args=(address, number, *place, timeout))
            for number, place in enumerate(places)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _join(self, address, number, rank, size, timeout):
        deadline = time.monotonic() + timeout
        connection = member.connected(address, deadline)
        try:
            self.members[number] = member.Member(
                connection, address, rank, size, deadline, self.heartbeat
            )
        except ingot.IngotError as error:
            self.errors[number] = str(error)
            connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for each in self.members.values():
            each.leave()


def test_values_are_gathered_in_the_order_of_ranks(coordinator):
    with Joined(coordinator, [(1, 3), (2, 3), (0, 3)]) as job:
        assert not job.errors
        found = {}

        def gather(each):
            found[each.rank] = [each.gather(f"a{each.rank}"), each.gather([each.rank])]

        threads = [threading.Thread(target=gather, args=(m,)) for m in job.members.values()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == {rank: [["a0", "a1", "a2"], [[0], [1], [2]]] for rank in range(3)}


def test_jobs_follow_each_other(coordinator):
    with Joined(coordinator, [(0, 2), (1, 2)]) as first:
        with Joined(coordinator, [(0, 1)]) as second:
            numbers = {each.number for each in first.members.values()}
            assert len(numbers) == 1 and second.members[0].number not in numbers
            assert second.members[0].gather(5) == [5]


def test_who_is_missing_is_named(coordinator):
    with Joined(coordinator, [(1, 4), (3, 4)], timeout=0.5) as job:
        said = "process 0, 2 did not join the job of 4 processes within"
        assert [said in error for error in job.errors.values()] == [True, True]


def test_a_rank_joins_once(coordinator):
    with Joined(coordinator, [(0, 3), (0, 3)], timeout=0.5) as job:
        assert any("two processes have the rank 0" in error for error in job.errors.values())


def test_all_say_how_many_they_are(coordinator):
    with Joined(coordinator, [(0, 2), (1, 3)], timeout=0.5) as job:
        said = ("process 0 is one of 2 processes, the others are 3",
                "process 1 is one of 3 processes, the others are 2")  # fmt: skip
        assert any(each in error for error in job.errors.values() for each in said)


def test_a_member_that_is_gone_is_named(coordinator):
    with Joined(coordinator, [(0, 3), (1, 3), (2, 3)]) as job:
        by_rank = {each.rank: each for each in job.members.values()}
        by_rank[0].check()
        by_rank[2].close()
        with pytest.raises(ingot.IngotError, match="process 2 of 3 has died"):
            by_rank[0].gather(None)
        # It tells the rest that it has given up.
        with pytest.raises(ingot.IngotError, match="process [02] of 3 has"):
            by_rank[1].gather(None)


def test_a_member_that_ends_is_no_failure_until_it_is_needed(coordinator):
    with Joined(coordinator, [(0, 2), (1, 2)]) as job:
        by_rank = {each.rank: each for each in job.members.values()}
        by_rank.pop(1).leave()
        wait_for(lambda: by_rank[0].left)
        by_rank[0].check()
        with pytest.raises(ingot.IngotError, match="process 1 of 2 has ended"):
            by_rank[0].gather(None)


def test_nobody_listens():
    address = f"127.0.0.1:{free_port()}"
    with pytest.raises(ingot.IngotError, match=f"no coordinator answers at {address} within"):
        member.connected(address, time.monotonic() + 0.3)


@pytest.mark.parametrize(
    "answer, said",
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "is no coordinator"),
        (json.dumps({"other": 1}).encode() + b"\n", "is no coordinator"),
        (b"", "did not join the job of 2 processes within"),
    ],
)
def test_another_program_listens(answer, said):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        connection = member.connected(address, time.monotonic() + 5)
        other, _ = listener.accept()
        with connection, other:
            other.sendall(answer)
            with pytest.raises(ingot.IngotError, match=said):
                member.Member(connection, address, 0, 2, time.monotonic() + 0.3, heartbeat=5)


@pytest.mark.parametrize("greeting", [b"GET / HTTP/1.1\r\n\r\n", b'{"tunnel": 99}\n', b"[1]\n"])
def test_what_does_not_keep_to_the_protocol_is_cut_off(coordinator, greeting):
    with socket.create_connection(environments.split_address(coordinator), 5) as connection:
        connection.sendall(greeting)
        assert connection.recv(100) == b""
    with Joined(coordinator, [(0, 1)]) as job:
        assert job.members[0].gather(1) == [1]


# Processes.

REPORT = """
import sys, time
import ingot
ingot.distributed.init(timeout=60)
"""


PROGRAMS = (
    TOTAL
    + """
rank = ingot.distributed.rank()
assert ingot.distributed.size() == 2
print(total([rank, 1]))
# A program of one device is a process's own.
f = ingot.jit(lambda x: np.linalg.det(x) + np.sort(x @ x)[0, 0] + rank)
print(float(f(np.eye(3))))
ingot.distributed.barrier()
"""
)


def test_processes_compute_together(tmp_path):
    with Job(REPORT + PROGRAMS, 2) as job:
        assert job.output(0) == ["[1.0, 2.0]", "1.0"]
        assert job.output(1) == ["[1.0, 2.0]", "2.0"]
        # The coordinator was a process of its own, and ends by itself.
        wait_for(lambda: not coordinators(job.address))


TWICE = """
import sys, time
import numpy as np
import ingot
if sys.argv[1] == "late":
    ingot.jit(lambda x: x + 1, native=False)(np.ones(2))
try:
    ingot.distributed.init()
    ingot.distributed.init()
except ingot.IngotError as error:
    print(error)
"""


def test_init_comes_first():
    with Job(TWICE, 1, "late") as job:
        assert job.output(0) == [
            "ingot.distributed.init is called after a program has run: call it at the start"
        ]


def test_init_comes_once():
    with Job(TWICE, 1, "twice") as job:
        (said,) = job.output(0)
        assert said == "ingot.distributed.init is called twice: this process is in a job already"


STARTING = """
import sys, time
import ingot
try:
    ingot.distributed.init(timeout=60)
except ingot.IngotError as error:
    print(error)
assert ingot.jit(lambda x: x + 1)(1.0) == 2.0
time.sleep(float(sys.argv[1]))
"""


@pytest.mark.parametrize("seconds", [0, pytest.param(400, marks=pytest.mark.nightly)])
@pytest.mark.timeout(600)
def test_a_process_that_dies_while_the_job_begins_is_named(seconds):
    """Here XLA waits for it, and would end this process after a while."""
    with Job(STARTING, 0, seconds) as job:
        job.size = 2
        job.start(0)
        connection = member.connected(job.address, time.monotonic() + 60)
        other = member.Member(connection, job.address, 1, 2, time.monotonic() + 60, heartbeat=60)
        start = time.monotonic()
        other.close()
        (said,) = job.output(0, within=500)
        assert said.startswith("process 1 of 2 has died")
        # It ends without waiting for XLA, which waits for the other one.
        assert time.monotonic() - start < seconds + 8


#: Two processes that have run a program together; each prints so.
TOGETHER = (
    REPORT
    + TOTAL
    + """
import os
rank = ingot.distributed.rank()
assert total([rank, 1]) == [1.0, 2.0]
print("began")
"""
)


def together(rest, *arguments, heartbeat=60):
    """A job of two processes that go on with this when they have run a program together."""
    begin = TOGETHER.replace("timeout=60", f"timeout=60, heartbeat={heartbeat}")
    return Job(begin + rest, 2, *arguments)


DYING = """
if rank == 1:
    if sys.argv[1] == "idle":
        time.sleep(60)
    while True:
        total([rank, 1])
start = time.monotonic()
try:
    while True:
        total([rank, 1])
except ingot.IngotError as error:
    print(error)
assert ingot.jit(lambda x: x + 1)(1.0) == 2.0
"""


@pytest.mark.parametrize("round", range(level.pick(1, 1, 20)))
@pytest.mark.parametrize("where", ["idle", "busy"])
def test_a_process_that_is_killed_is_named(where, round):
    """Whether the other one waits for it in a collective, or is just in one with it."""
    with together(DYING, where) as job:
        job.until(0, "began")
        job.until(1, "began")
        time.sleep(0.5)
        start = time.monotonic()
        job.processes[1].kill()
        said = job.processes[0].stdout.readline()
        assert time.monotonic() - start < 10
        assert said.startswith("process 1 of 2 has died; start the job again")
        assert job.output(0) == []


STOPPED = """
busy = sys.argv[1] == "busy"
try:
    while busy or rank == 0:
        total([rank, 1])
    time.sleep(120)
except ingot.IngotError as error:
    print(error)
"""


@pytest.mark.parametrize("where", ["idle", "busy"])
def test_a_process_that_is_stopped_is_named(where):
    """It keeps its connections, and the other one waits for it in a collective."""
    with together(STOPPED, where, heartbeat=3) as job:
        job.until(0, "began")
        job.until(1, "began")
        time.sleep(0.5)
        start = time.monotonic()
        job.processes[1].send_signal(signal.SIGSTOP)
        try:
            said = job.processes[0].stdout.readline()
            assert 2 < time.monotonic() - start < 20
            assert said.startswith("process 1 of 2 has not answered for 3 s; start the job again")
            assert job.processes[0].wait(60) == 0
        finally:
            job.processes[1].send_signal(signal.SIGCONT)


def test_a_coordinator_that_is_stopped_is_an_error():
    address = f"127.0.0.1:{free_port()}"
    process = subprocess.Popen(
        [sys.executable, "-m", "ingot_runtime.distributed", address],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout.readline() == "listening\n"
    try:
        with Joined(address, [(0, 2), (1, 2)], heartbeat=2.0) as job:
            assert not job.errors
            process.send_signal(signal.SIGSTOP)
            with pytest.raises(ingot.IngotError, match="coordinator of the job has not answered"):
                job.members[0].gather(None)
    finally:
        process.kill()
        process.communicate()


def test_a_heartbeat_is_positive():
    with pytest.raises(ingot.IngotError, match="the heartbeat must be positive"):
        ingot.distributed.init("127.0.0.1:5", rank=0, n=1, heartbeat=0)


UNCAUGHT = """
if rank == 1:
    os.kill(os.getpid(), 9)
while True:
    total([rank, 1])
"""


@pytest.mark.parametrize("round", range(level.pick(1, 1, 20)))
def test_a_survivor_ends_by_its_exception(round):
    """What it has abandoned comes back while Python is finalised, or just before."""
    with together(UNCAUGHT) as job:
        _, err = job.processes[0].communicate(timeout=60)
        assert job.processes[0].returncode == 1, err
        assert "IngotError: process 1 of 2 has died" in err.splitlines()[-1]


FORKED = """
ingot.distributed.barrier()
if rank == 1:
    child = os.fork()
    if child == 0:
        assert (ingot.distributed.rank(), ingot.distributed.size()) == (0, 1)
        assert ingot.jit(lambda x: x + 1)(1.0) == 2.0
        sys.stdout.close()
        os.close(1), os.close(2)
        time.sleep(20)
        os._exit(0)
    print(child)
    os.kill(os.getpid(), 9)
try:
    ingot.distributed.barrier()
except ingot.IngotError as error:
    print(error)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_child_is_not_in_the_job():
    """It has copies of its parent's connections; the end of the parent is seen all the same."""
    with together(FORKED) as job:
        start = time.monotonic()
        said = job.output(0)[-1]
        child = int(job.processes[1].stdout.read().splitlines()[-1])
        try:
            assert said.startswith("process 1 of 2 has died")
            assert time.monotonic() - start < 15
        finally:
            os.kill(child, signal.SIGKILL)


INTERRUPTED = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
if rank == 1:
    time.sleep(2)
try:
    total([rank, 1])
except KeyboardInterrupt:
    print("interrupted")
except ingot.IngotError as error:
    print(error)
assert ingot.jit(lambda x: x + 1)(1.0) == 2.0
"""


@pytest.mark.slow
def test_ctrl_c_interrupts_a_wait_for_others():
    with together(INTERRUPTED) as job:
        job.until(0, "began")
        time.sleep(0.3)
        job.processes[0].send_signal(signal.SIGINT)
        assert job.output(0) == ["interrupted"]
        said = job.output(1)[-1]
        assert "process 0 of 2 has given up, since it was interrupted" in said
