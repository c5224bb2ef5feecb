#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""torch_program.py HOW [--profiler FILE] [--window A B]: work of PyTorch on a GPU. Prints JSON: microseconds per step.

HOW: eager (matrix products), graph (the same as a CUDA graph), tiny (launches of almost nothing),
train (a transformer in bfloat16, forward, backward and optimizer). --profiler runs it under PyTorch's
own profiler, and writes how often each kernel ran. --window calls cudaProfilerStart and
cudaProfilerStop around the steps A to B."""

import argparse
import collections
import contextlib
import json
import time

import torch


def products():
    x = torch.randn(1024, 1024, device="cuda")
    w = torch.randn(1024, 1024, device="cuda")

    def step():
        y = x
        for _ in range(20):
            y = torch.relu(y @ w)
    return step


def replayed():
    step = products()
    step()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def tiny():
    x = torch.ones(16, device="cuda")

    def step():
        y = x
        for _ in range(200):
            y = y + 1
    return step


def training():
    layer = torch.nn.TransformerEncoderLayer(1024, 16, 4096, batch_first=True, dropout=0.0)
    model = torch.nn.TransformerEncoder(layer, 6).to("cuda", torch.bfloat16)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    x = torch.randn(16, 512, 1024, device="cuda", dtype=torch.bfloat16)

    def step():
        with torch.cuda.nvtx.range("forward"):
            loss = model(x).float().square().mean()
        with torch.cuda.nvtx.range("backward"):
            loss.backward()
        with torch.cuda.nvtx.range("optimizer"):
            optimizer.step()
            optimizer.zero_grad()
    return step


MAKERS = {"eager": (products, 50), "graph": (replayed, 50), "tiny": (tiny, 50), "train": (training, 10)}


def run(make, steps, window=(None, None)):
    """The best of five times, in microseconds per step."""
    step = make()
    for _ in range(3):
        step()
    torch.cuda.synchronize()
    best = float("inf")
    for turn in range(5):
        start = time.perf_counter()
        for i in range(turn * steps, (turn + 1) * steps):
            if i == window[0]:
                torch.cuda.profiler.start()
            with torch.cuda.nvtx.range(f"step {i}"):
                step()
            if i == window[1]:
                torch.cuda.profiler.stop()
        torch.cuda.synchronize()
        best = min(best, time.perf_counter() - start)
    return best / steps * 1e6


def counted(profiler):
    kinds = collections.Counter()
    for event in profiler.events():
        if event.device_type == torch.autograd.DeviceType.CUDA and not event.is_user_annotation:
            kinds[event.name] += 1
    return kinds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("how", choices=MAKERS)
    parser.add_argument("--profiler")
    parser.add_argument("--window", type=int, nargs=2, default=(None, None))
    arguments = parser.parse_args()
    torch.manual_seed(0)
    profiler = contextlib.nullcontext()
    if arguments.profiler:
        profiler = torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA])
    with profiler:
        us = run(*MAKERS[arguments.how], arguments.window)
    if arguments.profiler:
        with open(arguments.profiler, "w", encoding="utf-8") as out:
            json.dump(counted(profiler), out)
    print(json.dumps({"us": us}))


if __name__ == "__main__":
    main()
