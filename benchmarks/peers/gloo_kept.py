#!/usr/bin/env python3
"""A peer: processes and a gloo group that are kept, and one all-reduce of 256 floats with a check per test.

Usage: gloo_kept.py RANKS TESTS. Prints the median time of a test in milliseconds, as the parent sees it.
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


def golden(ranks):
    return torch.arange(256, dtype=torch.float32) * ranks + ranks * (ranks - 1) / 2


def serve(rank, ranks, store_file, orders, answers):
    torch.set_num_threads(1)
    store = dist.FileStore(store_file, ranks)
    dist.init_process_group("gloo", store=store, rank=rank, world_size=ranks, timeout=timedelta(seconds=60))
    answers.send("ready")
    while orders.recv() is not None:
        tensor = torch.arange(256, dtype=torch.float32) + rank
        dist.all_reduce(tensor)
        torch.testing.assert_close(tensor, golden(ranks))
        dist.barrier()
        answers.send("ok")
    dist.destroy_process_group()


def main():
    ranks, tests = int(sys.argv[1]), int(sys.argv[2])
    context = multiprocessing.get_context("spawn")
    handle, store_file = tempfile.mkstemp()
    os.close(handle)
    orders, answers, processes = [], [], []
    for rank in range(ranks):
        order_in, order_out = context.Pipe(False)
        answer_in, answer_out = context.Pipe(False)
        process = context.Process(target=serve, args=(rank, ranks, store_file, order_in, answer_out))
        process.start()
        processes.append(process)
        orders.append(order_out)
        answers.append(answer_in)
    for answer in answers:
        assert answer.recv() == "ready"
    times = []
    for _ in range(tests):
        begin = time.perf_counter()
        for order in orders:
            order.send("test")
        for answer in answers:
            assert answer.recv() == "ok"
        times.append((time.perf_counter() - begin) * 1e3)
    for order in orders:
        order.send(None)
    for process in processes:
        process.join()
    os.path.exists(store_file) and os.remove(store_file)
    print(statistics.median(times[tests // 10:]))


if __name__ == "__main__":
    main()
