"""Writes `blocks.jsonl`: blocks of every type with the numbers that the package `gguf` makes of them, and a whole file.
Wants `pip install gguf`.

    python3 tests/gguf/generate.py > tests/gguf/blocks.jsonl
"""

import json
import os
import tempfile

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Type

rng = np.random.default_rng(5)
# Where the numbers of sixteen bits stand that scale a block: anything but NaN and infinity there.
HALVES = {"Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q2_K": [80, 82], "Q3_K": [108],
          "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208]}
made = {}
for name, places in HALVES.items():
    kind = Type[name]
    block, size = gguf.GGML_QUANT_SIZES[kind]
    raw = rng.integers(0, 256, (2, size), dtype=np.uint8)
    for place in places:
        raw[:, place:place + 2] = rng.normal(size=2).astype(np.float16).view(np.uint8).reshape(2, 2)
    made[name] = raw
    numbers = gguf.quants.dequantize(raw, kind).astype(np.float32)
    print(json.dumps({"name": name, "hex": raw.tobytes().hex(), "bits": numbers.tobytes().hex()}))

path = os.path.join(tempfile.mkdtemp(), "x.gguf")
writer = gguf.GGUFWriter(path, "llama")
writer.add_block_count(2)
writer.add_float32("x.half", 0.5)
writer.add_bool("x.yes", True)
writer.add_array("tokenizer.ggml.tokens", ["a", "é", ""])
writer.add_array("x.counts", [1, 2, 3])
tensors = {"plain": np.arange(6, dtype=np.float32).reshape(2, 3), "half": np.arange(4, dtype=np.float16),
           "wide": np.arange(2, dtype=np.float64), "whole": np.array([[1, -2]], dtype=np.int32)}
for name, x in tensors.items():
    writer.add_tensor(name, x)
writer.add_tensor("blk.0.q", made["Q4_0"].reshape(2, -1), raw_dtype=Type.Q4_0)
writer.add_tensor("blk.1.q", made["Q6_K"].reshape(2, -1), raw_dtype=Type.Q6_K)
writer.add_tensor("odd", np.zeros((1, 18), dtype=np.uint8), raw_dtype=Type.IQ4_NL)
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
reader = gguf.GGUFReader(path)
tensors = {x.name: [int(n) for n in reversed(x.shape)] for x in reader.tensors}
print(json.dumps({"name": "file", "hex": open(path, "rb").read().hex(), "tensors": tensors}))
