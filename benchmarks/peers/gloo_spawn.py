#!/usr/bin/env python3
"""A peer: processes that are spawned for one test, with a gloo group, an all-reduce of 256 floats and a check.

Usage: gloo_spawn.py RANKS. For each line of its input it runs one such test, and prints how long it took in milliseconds, from
before the first process is started until the last one has ended, as the parent sees it.
"""
import multiprocessing
import os
import sys
import tempfile
import time
from datetime import timedelta

import torch
import torch.distributed as dist


def golden(ranks):
    return torch.arange(256, dtype=torch.float32) * ranks + ranks * (ranks - 1) / 2


def test(rank, ranks, store_file):
    torch.set_num_threads(1)
    store = dist.FileStore(store_file, ranks)
    dist.init_process_group("gloo", store=store, rank=rank, world_size=ranks, timeout=timedelta(seconds=60))
    tensor = torch.arange(256, dtype=torch.float32) + rank
    dist.all_reduce(tensor)
    torch.testing.assert_close(tensor, golden(ranks))
    dist.barrier()
    dist.destroy_process_group()


def spawned(ranks):
    context = multiprocessing.get_context("spawn")
    handle, store_file = tempfile.mkstemp()
    os.close(handle)
    begin = time.perf_counter()
    processes = [context.Process(target=test, args=(rank, ranks, store_file)) for rank in range(ranks)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0, f"a rank ended with {process.exitcode}"
    millis = (time.perf_counter() - begin) * 1e3
    os.path.exists(store_file) and os.remove(store_file)
    return millis


def main():
    ranks = int(sys.argv[1])
    for _ in iter(sys.stdin.readline, ""):
        print(spawned(ranks), flush=True)


if __name__ == "__main__":
    main()
