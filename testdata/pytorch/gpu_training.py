#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records a training on an NVIDIA GPU: a trace, and a snapshot of the allocator's memory with its history.

    python3 gpu_training.py record FOLDER          # on the machine with the GPU
    python3 gpu_training.py pack FOLDER            # anywhere: the two files without names of folders
"""

import gzip
import os
import pickle
import sys
import time

import recording


def train(folder):
    import torch

    class Slow(torch.utils.data.Dataset):
        """Examples that take 1 ms each."""

        def __len__(self):
            return 128

        def __getitem__(self, n):
            time.sleep(0.001)
            return torch.full((3, 32, 32), 0.5), 1

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            layers = torch.nn.Conv2d(3, 16, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(14400, 64)
            self.layers = torch.nn.Sequential(*layers)

        def forward(self, x):
            with torch.profiler.record_function("my_forward"):
                return self.layers(x)

    model = Net().cuda()
    optimizer = torch.optim.Adam(model.parameters())
    torch.cuda.memory._record_memory_history(max_entries=10000)
    loader = torch.utils.data.DataLoader(Slow(), batch_size=16)
    when = torch.profiler.schedule(wait=1, warmup=1, active=4, repeat=1)
    with torch.profiler.profile(schedule=when, record_shapes=True, profile_memory=True, with_stack=True,
                                with_flops=True, with_modules=True) as run:
        for x, y in loader:
            loss = torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            run.step()
    run.export_chrome_trace(folder + "/torch_train.json")
    torch.cuda.memory._dump_snapshot(folder + "/snapshot.pickle")


def without_place(text):
    if "/site-packages/" in text:
        return "/opt/venv/lib/python3.12/site-packages/" + text.rpartition("/site-packages/")[2]
    return "/home/user/" + text.rpartition("/")[2] if text.endswith(".py") else text


def without_places(value, made):
    """A snapshot whose files have no folder of their machine; what was one object stays one."""
    if id(value) not in made:
        copy = value
        if isinstance(value, dict):
            copy = {name: without_places(one, made) for name, one in value.items()}
        elif isinstance(value, list):
            copy = [without_places(one, made) for one in value]
        elif isinstance(value, str):
            copy = without_place(value)
        made[id(value)] = copy
    return made[id(value)]


def pack(folder):
    recording.keep(folder + "/torch_train.json", "gpu_training.pt.trace.json.gz")
    with open(folder + "/snapshot.pickle", "rb") as file:
        snapshot = without_places(pickle.load(file), {})
    with open("gpu_training.snapshot.pickle.gz", "wb") as file:
        file.write(gzip.compress(pickle.dumps(snapshot, 4), mtime=0))


if __name__ == "__main__":
    {"record": train, "pack": pack}[sys.argv[1]](os.path.abspath(sys.argv[2]))
