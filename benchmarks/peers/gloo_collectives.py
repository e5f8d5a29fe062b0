#!/usr/bin/env python3
"""A peer: all-reduce (sum of float) and all-gather by gloo, as PyTorch has it.

Usage: gloo_collectives.py RANKS all-reduce|all-gather BYTES TIMES, with the bytes of the output. Prints the median time
on rank 0 in microseconds. An all-reduce is in place, since PyTorch has no other; an all-gather writes a tensor for each
rank.
"""
import multiprocessing
import os
import statistics
import sys
import tempfile
import time
from datetime import timedelta

import torch
import torch.distributed as dist


def all_reduce(rank, ranks, count):
    tensor = torch.full((count,), float(rank + 1))
    dist.all_reduce(tensor)
    expected = ranks * (ranks + 1) / 2
    assert bool((tensor == expected).all()), "the result is wrong"
    # Zeros stay what they are in every further sum.
    tensor.zero_()
    return lambda: dist.all_reduce(tensor)


def all_gather(rank, ranks, count):
    own = torch.full((count // ranks,), float(rank + 1))
    gathered = [torch.empty(count // ranks) for _ in range(ranks)]
    dist.all_gather(gathered, own)
    assert all(bool((each == of + 1).all()) for of, each in enumerate(gathered)), "the result is wrong"
    return lambda: dist.all_gather(gathered, own)


def run(rank, ranks, store_file, collective, count, times):
    torch.set_num_threads(1)
    store = dist.FileStore(store_file, ranks)
    dist.init_process_group("gloo", store=store, rank=rank, world_size=ranks, timeout=timedelta(seconds=60))
    call = {"all-reduce": all_reduce, "all-gather": all_gather}[collective](rank, ranks, count)
    took = []
    for i in range(-(times // 10) - 2, times):
        begin = time.perf_counter()
        call()
        if i >= 0:
            took.append((time.perf_counter() - begin) * 1e6)
    dist.barrier()
    dist.destroy_process_group()
    if rank == 0:
        print(f"{statistics.median(took):.3f}", flush=True)


def main():
    ranks, collective, count, times = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]) // 4, int(sys.argv[4])
    # By fork, so that PyTorch is imported once; nothing has used it yet.
    context = multiprocessing.get_context("fork")
    with tempfile.TemporaryDirectory() as folder:
        store_file = os.path.join(folder, "store")
        processes = [
            context.Process(target=run, args=(rank, ranks, store_file, collective, count, times))
            for rank in range(ranks)
        ]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
    sys.exit(any(process.exitcode != 0 for process in processes))


if __name__ == "__main__":
    main()
