"""Writes `files.jsonl`: small files of Parquet, Arrow and Feather that pyarrow wrote, and what is in them. Wants
pyarrow and NumPy (`tests/columns/run` has them in an environment of its own).

    python3 tests/columns/generate.py > tests/columns/files.jsonl

With a program's name, random tables that pyarrow writes are read by the program and compared instead:

    python3 tests/columns/generate.py --compare target/debug/genesis-repl 200
"""

import io
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

INTEGERS = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]
FLOATS = [pa.float16(), pa.float32(), pa.float64()]
CODECS = ["none", "snappy", "gzip", "lz4", "zstd", "brotli"]


def column(kind, count, nulls, draw, is_even=False):
    """Random elements of a type; `is_even`: with long runs and few values, as dictionaries and runs like them."""
    mask = draw.random(count) < nulls if nulls else None
    if kind == pa.bool_():
        values = np.repeat(draw.random(count) < 0.5, 40)[:count] if is_even else draw.random(count) < 0.5
    elif pa.types.is_floating(kind):
        values = (draw.integers(0, 5, count) if is_even else draw.normal(size=count)).astype(kind.to_pandas_dtype())
    else:
        about = np.iinfo(kind.to_pandas_dtype())
        low, high = (0, 9) if is_even else (about.min, about.max)
        values = draw.integers(low, high, count, dtype=kind.to_pandas_dtype(), endpoint=True)
        if is_even:
            values = np.sort(values)
    return pa.array(values, kind, mask=mask)


def table(count, nulls, draw, kinds=(*INTEGERS, *FLOATS, pa.bool_()), is_even=False):
    return pa.table({str(kind): column(kind, count, nulls, draw, is_even) for kind in kinds})


def coded(rows):
    """The columns as numbers of entries in dictionaries, by indices of each type in turn."""
    encoded = {}
    for at, name in enumerate(rows.column_names):
        values = rows[name].combine_chunks()
        if pa.types.is_float16(values.type) or pa.types.is_boolean(values.type):
            continue
        values = values.dictionary_encode()
        index = INTEGERS[at % len(INTEGERS)]
        if len(values.dictionary) > np.iinfo(index.to_pandas_dtype()).max:
            index = pa.int32()
        values = values.cast(pa.dictionary(index, values.type.value_type))
        encoded[name] = values
    return pa.table(encoded)


def parquet(rows, **options):
    stream = io.BytesIO()
    pa.parquet.write_table(rows, stream, **options)
    return stream.getvalue()


def arrow(rows, codec=None, batch=None):
    stream = io.BytesIO()
    options = pa.ipc.IpcWriteOptions(compression=codec)
    with pa.ipc.new_file(stream, rows.schema, options=options) as writer:
        writer.write_table(rows, max_chunksize=batch)
    return stream.getvalue()


def feather(rows):
    with tempfile.TemporaryDirectory() as folder:
        pa.feather.write_feather(rows, f"{folder}/x", version=1)
        with open(f"{folder}/x", "rb") as file:
            return file.read()


def files():
    """Names, bytes and what pyarrow has put there."""
    draw = np.random.default_rng(7)
    few, some = table(12, 0, draw), table(30, 0.3, draw)
    even = table(120, 0.1, draw, is_even=True)
    for codec in CODECS:
        yield f"parquet {codec}", parquet(some, compression=codec), some
        yield f"parquet {codec} v2", parquet(even, compression=codec, data_page_version="2.0"), even
    plain = {"use_dictionary": False, "compression": "none"}
    yield "plain", parquet(few, **plain), few
    yield "plain nulls", parquet(some, **plain), some
    yield "groups", parquet(some, row_group_size=7, **plain), some
    yield "pages", parquet(even, data_page_size=64, write_batch_size=16, compression="none"), even
    required = few.cast(pa.schema([pa.field(f.name, f.type, nullable=False) for f in few.schema]))
    yield "required", parquet(required, compression="none"), few
    for page in ("1.0", "2.0"):
        split = {str(kind): "BYTE_STREAM_SPLIT" for kind in (*FLOATS, pa.int32(), pa.int64())}
        yield f"split {page}", parquet(some, column_encoding=split, data_page_version=page, **plain), some
        delta = {str(kind): "DELTA_BINARY_PACKED" for kind in INTEGERS}
        yield f"delta {page}", parquet(some, column_encoding=delta, data_page_version=page, **plain), some
        runs = {"bool": "RLE"}
        yield f"runs {page}", parquet(even, column_encoding=runs, data_page_version=page, **plain), even
    many = pa.table({"n": pa.array(np.arange(1000) ** 2), "m": pa.array(draw.integers(-9, 9, 1000), pa.int32())})
    yield "long delta", parquet(many, column_encoding={"n": "DELTA_BINARY_PACKED", "m": "DELTA_BINARY_PACKED"}, **plain), many
    yield "no rows", parquet(few.slice(0, 0)), few.slice(0, 0)
    none = parquet(few.select([]))
    yield "no columns", none, pa.parquet.read_table(io.BytesIO(none))
    nothing = pa.table({str(kind): pa.array([None] * 5, kind) for kind in (pa.int32(), pa.float64(), pa.bool_())})
    yield "nothing but nulls", parquet(nothing), nothing
    others = pa.table({
        "text": ["a", None, "é"], "list": [[1], [], [2, 3]], "after": [1, 2, 3],
        "struct": [{"x": 1, "y": "a"}, {"x": None, "y": "b"}, None],
        "date": pa.array([1, 2, None], pa.date32()), "time": pa.array([1, 2, 3], pa.time64("us")),
        "stamp": pa.array([1, 2, 3], pa.timestamp("ns")), "old": pa.array([1, 2, 3], pa.timestamp("ms", tz="UTC")),
        "money": pa.array([100, None, -250], pa.decimal128(9, 2)), "bytes": pa.array([b"a", b"b", b"c"]),
        "wide": pa.array([-10**27, 2, None], pa.decimal128(30, 2)), "huge": pa.array([1, 2, 3], pa.decimal256(60, 2)),
        "last": [0.5, 1.5, None],
    })
    yield "others", parquet(others, compression="none"), others
    yield "short decimals", parquet(others, store_decimal_as_integer=True, compression="none"), others
    shown = others.append_column("kind", pa.array(["a", "b", "a"]).dictionary_encode()) \
        .append_column("view", pa.array(["a", "b", "c"], pa.string_view())) \
        .append_column("large", pa.array([["a"], ["b", "c"], None], pa.large_list(pa.large_string()))) \
        .append_column("fixed", pa.array([[1, 2], [3, 4], None], pa.list_(pa.int32(), 2))) \
        .append_column("map", pa.array([[("a", 1)], [], None], pa.map_(pa.string(), pa.int64()))) \
        .append_column("nothing", pa.nulls(3)).append_column("end", pa.array([7, 8, 9], pa.uint16()))
    yield "arrow others", arrow(shown), shown
    yield "arrow plain", arrow(few), few
    yield "arrow nulls", arrow(some), some
    yield "arrow batches", arrow(some, batch=7), some
    yield "arrow lz4", arrow(even, "lz4"), even
    yield "arrow zstd", arrow(even, "zstd", 100), even
    yield "arrow no rows", arrow(few.slice(0, 0)), few.slice(0, 0)
    yield "arrow no columns", arrow(few.select([])), few.select([])
    for codec in (None, "zstd"):
        yield f"arrow dictionaries {codec}", arrow(coded(even), codec, 50), coded(even)
    holes = pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 2, 0], pa.int8()), pa.array([7, None, 9], pa.int64()))
    yield "arrow dictionary with nulls", arrow(pa.table({"n": holes})), pa.table({"n": holes})
    short = even.select([str(kind) for kind in (*INTEGERS, pa.float32(), pa.float64(), pa.bool_())])
    yield "feather", feather(short), short
    yield "feather nulls", feather(some.select(short.column_names)), some.select(short.column_names)


def listed(values):
    """Elements as numbers that JSON has, None for what is null; nothing for a column that no tensor holds."""
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    kind = values.type
    if pa.types.is_date32(kind) or pa.types.is_time32(kind):
        values = values.cast(pa.int32())
    elif pa.types.is_temporal(kind):
        values = values.cast(pa.int64())
    elif pa.types.is_decimal128(kind):
        return [None if one is None else float(one) for one in values.to_pylist()]
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)):
        return None
    return [float(one) if isinstance(one, np.floating) else one for one in values.to_pylist()]


def write():
    for name, data, rows in files():
        kept = {}
        for field in rows.column_names:
            values = listed(rows[field].combine_chunks())
            if values is not None:
                kept[field] = [None if one is None else str(one) for one in values]
        print(json.dumps({"name": name, "hex": data.hex(), "rows": rows.num_rows, "columns": kept}))


def compare(program, count):
    draw = np.random.default_rng(int(os.environ.get("SEED", "1")))
    folder, known = tempfile.mkdtemp(), []
    for number in range(count):
        size = int(draw.choice([0, 1, 7, 8, 9, 100, 1000, 5000]))
        rows = table(size, float(draw.choice([0, 0.1, 0.9])), draw, is_even=draw.random() < 0.5)
        way = draw.choice(["parquet", "parquet", "parquet", "arrow", "feather"])
        if way == "parquet":
            options = {"compression": str(draw.choice(CODECS)), "data_page_version": str(draw.choice(["1.0", "2.0"])),
                       "use_dictionary": bool(draw.random() < 0.5), "row_group_size": int(draw.choice([5, 64, 999, 10**6])),
                       "data_page_size": int(draw.choice([100, 2000, 2**20])), "write_batch_size": int(draw.choice([10, 1024]))}
            if not options["use_dictionary"] and draw.random() < 0.5:
                encodings = {str(kind): "BYTE_STREAM_SPLIT" for kind in FLOATS}
                encodings.update({str(kind): "DELTA_BINARY_PACKED" for kind in INTEGERS})
                options["column_encoding"] = {**encodings, "bool": "RLE"}
            data = parquet(rows, **options)
        elif way == "arrow":
            codec = [None, "lz4", "zstd"][draw.integers(3)]
            options = {"codec": codec, "batch": int(draw.choice([5, 64, 10**6]))}
            if draw.random() < 0.4:
                options["is_coded"] = True
                rows = rows.select(coded(rows).column_names)
                data = arrow(coded(rows), codec, options["batch"])
            else:
                data = arrow(rows, **options)
        else:
            rows = rows.drop_columns(["halffloat"])
            data, options = feather(rows), {}
        path = f"{folder}/{number}.{way}"
        with open(path, "wb") as file:
            file.write(data)
        for field in rows.column_names:
            known.append((number, way, options, field, rows[field].combine_chunks(), path))
    # One program reads and writes each column to a file of its own.
    lines = []
    for at, (number, way, options, field, values, path) in enumerate(known):
        fill = "False" if field == "bool" else "0"
        lines.append(f"t = load('{path}'); t.column('{field}', fill={fill}).tofile('{folder}/{at}.values'); "
                     f"t.isnull('{field}').tofile('{folder}/{at}.nulls')")
    given = "".join(json.dumps({"code": line}) + "\n" for line in lines)
    done = subprocess.run([program, "--json", "--no-history", "--device", "cpu"], input=given, capture_output=True,
                          text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    wrong = 0
    for at, ((number, way, options, field, values, path), answer) in enumerate(zip(known, answers, strict=True)):
        try:
            assert answer["ok"], answer
            nulls = np.fromfile(f"{folder}/{at}.nulls", bool)
            kind = bool if field == "bool" else values.type.to_pandas_dtype()
            found = np.fromfile(f"{folder}/{at}.values", kind)
            expected = values.fill_null(False if field == "bool" else 0 if pa.types.is_integer(values.type)
                                        else np.float16(0) if field == "halffloat" else 0.0)
            assert np.array_equal(nulls, values.is_null().to_numpy(zero_copy_only=False)), "nulls"
            assert np.array_equal(found, expected.to_numpy(zero_copy_only=False)), (found, expected)
        except Exception as error:
            wrong += 1
            print(number, way, options, field, type(error).__name__, str(error)[:300])
    print(len(known) - wrong, "columns are equal,", wrong, "are not")
    return wrong


if __name__ == "__main__":
    if "--compare" in sys.argv:
        sys.exit(1 if compare(sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 100) else 0)
    write()
