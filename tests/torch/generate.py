"""Writes `files.jsonl`: files of PyTorch's, what is in them, and which it refuses. Wants PyTorch (any since 2.3).

    python3 tests/torch/generate.py > tests/torch/files.jsonl

With a program's name, files that it writes are read by PyTorch with `weights_only=True` instead:

    python3 tests/torch/generate.py --read target/debug/genesis-repl
"""

import collections
import copy
import io
import json
import os
import subprocess
import sys
import tempfile

import torch

TYPES = "float32 float64 float16 bfloat16 int64 int32 int16 int8 uint8 bool complex64 complex128 uint16 uint32 uint64 " \
    "float8_e4m3fn float8_e5m2"


def values():
    """Names, what is saved, and an expression of the language that must hold of what is read."""
    torch.manual_seed(7)
    for name in TYPES.split():
        dtype = getattr(torch, name)
        x = (torch.randint(0, 9, (2, 3)) - (4 if dtype.is_signed else 0)).to(dtype)
        listed = x.to(torch.complex128 if dtype.is_complex else torch.float64).tolist()
        yield name, x, f"x.dtype.name == '{name}' and x.shape == (2, 3) and bool((x == array({listed})).all())"
    x = torch.arange(24.0).reshape(2, 3, 4)
    shown = "bool((x == arange(24.0).reshape(2, 3, 4)"
    yield "turned", x.permute(2, 0, 1), shown + ".transpose(2, 0, 1)).all())"
    yield "steps", x[:, ::2, 1:], shown + "[:, ::2, 1:]).all())"
    yield "spread", torch.tensor([1.0, 2]).expand(3, 2), "x.shape == (3, 2) and x.tolist() == [[1.0, 2.0]] * 3"
    yield "scalar", torch.tensor(2.5), "x.shape == () and float(x) == 2.5"
    yield "empty", torch.zeros(0, 3), "x.shape == (0, 3)"
    yield "parameter", torch.nn.Parameter(torch.ones(2)), "x.tolist() == [1.0, 1.0]"
    noted = torch.nn.Parameter(torch.ones(2))
    noted.note = "left out"
    yield "noted", noted, "x.tolist() == [1.0, 1.0]"
    pair = {"whole": x, "part": x[1]}
    yield "shared", pair, "x['part'].tolist() == x['whole'][1].tolist()"
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
    keys = list(model.state_dict())
    yield "state", model.state_dict(), f"list(x) == {keys} and x['1.num_batches_tracked'].tolist() == 0"
    step = torch.optim.Adam(model.parameters())
    model(torch.ones(2, 2)).sum().backward()
    step.step()
    run = {"model": model.state_dict(), "optimizer": step.state_dict(), "epoch": 3}
    yield "run", run, "x['epoch'] == 3 and x['optimizer']['state'][0]['exp_avg'].shape == (3, 2)"
    plain = {"a": [1, 2.5, "é", None, True, False, (), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4)], 5: {1, 2}, "w": -(2**40),
             "wide": 2**63 + 1, "z": 1 - 2j, "n": {"deep": [[[]]]}}
    yield "plain", plain, f"x == {plain}"
    yield "frozen", frozenset([3]), "x == frozenset([3])"
    yield "names", [torch.float16, torch.Size([2, 3]), torch.device("cpu"), torch.strided], \
        "x[0] == float16 and x[1] == (2, 3) and str(x[2]) == 'cpu' and x[3] == 'torch.strided'"
    order = collections.OrderedDict([("b", 1), ("a", 2)])
    yield "ordered", order, "list(x) == ['b', 'a'] and type(x).__name__ == 'OrderedDict'"
    ring = [1]
    ring.append((ring, {"ring": ring}))
    yield "ring", ring, "x[1][0] is x and x[1][1]['ring'] is x"
    same = [7]
    yield "twice", [same, same], "x[0] is x[1]"


def refused():
    """What PyTorch saves and no reader of data can make, with a word of the error."""
    yield "model", torch.nn.Linear(2, 2), "torch.nn.modules.linear.Linear"
    yield "float8", torch.zeros(2).to(torch.float8_e4m3fnuz), "float8_e4m3fnuz"
    yield "sparse", torch.eye(3).to_sparse(), "_rebuild_sparse_tensor"
    yield "long", 2**70, "64 bits"
    yield "default", collections.defaultdict(list), "collections.defaultdict"


def saved(value, is_new):
    stream = io.BytesIO()
    torch.save(value, stream, _use_new_zipfile_serialization=is_new)
    return stream.getvalue().hex()


def write():
    for name, value, truth in values():
        for is_new in (True, False):
            if name == "run" and not is_new:
                continue
            row = {"name": name, "is_new": is_new, "hex": saved(value, is_new), "truth": truth}
            print(json.dumps(row, ensure_ascii=False))
    for name, value, words in refused():
        print(json.dumps({"name": name, "is_new": True, "hex": saved(value, True), "words": words}))


def read(program):
    """Each file is written anew by the program, and read by PyTorch."""
    folder, lines, kept = tempfile.mkdtemp(), [], []
    for name, value, _ in values():
        if name == "frozen":  # PyTorch itself reads them with `weights_only=False` only.
            continue
        value = copy.deepcopy(value)
        torch.save(value, f"{folder}/{name}.pt")
        lines.append(f"torch.save(torch.load('{folder}/{name}.pt'), '{folder}/{name}_again.pt')")
        kept.append((name, value))
    asked = "".join(json.dumps({"code": line}) + "\n" for line in lines)
    done = subprocess.run([program, "--json", "--no-history", "--device", "cpu"], input=asked, capture_output=True,
                          text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    wrong = 0
    for (name, value), answer in zip(kept, answers):
        try:
            assert answer["ok"], answer
            again = torch.load(f"{folder}/{name}_again.pt", weights_only=True)
            mapped = torch.load(f"{folder}/{name}_again.pt", weights_only=True, mmap=True)
            assert is_same(value, again, set()) and is_same(value, mapped, set()), (value, again)
            if name == "shared":
                assert again["part"].data_ptr() == again["whole"].data_ptr() + 48
        except Exception as error:
            wrong += 1
            print(name, type(error).__name__, str(error)[:300])
    print(len(kept) - wrong, "passed,", wrong, "failed")
    return wrong


def is_same(a, b, seen):
    if id(a) in seen:
        return True
    seen.add(id(a))
    if isinstance(a, torch.Tensor):
        strides = name_strides(a) == name_strides(b) or not a.is_contiguous()
        if a.dtype != b.dtype or a.shape != b.shape or not strides:
            return False
        if "float8" in str(a.dtype):  # PyTorch compares no such numbers.
            a, b = a.float(), b.float()
        return torch.equal(a.detach(), b)
    if isinstance(a, dict):
        return list(a) == list(b) and all(is_same(a[key], b[key], seen) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(is_same(x, y, seen) for x, y in zip(a, b))
    return a == b or str(a) == str(b)


def name_strides(x):
    return x.stride() if x.is_contiguous() else None


if __name__ == "__main__":
    if sys.argv[1:2] == ["--read"]:
        sys.exit(bool(read(os.path.abspath(sys.argv[2]))))
    write()
