"""Random statements for benches/sweep.py: text that every peer evaluates in a vocabulary of its own.

A case is a text over the arrays `x`, `y`, … and what these are: shape, type, and how they lie in memory.
The names that texts call are those of `VOCABULARY`; in our language they are what they are.
"""
import random
from dataclasses import dataclass, field

VOCABULARY = (
    "exp log1p tanh sqrt sin absolute maximum minimum where square sign floor amax amin argmax argmin stack "
    "concatenate roll flip repeat take_along_axis cumsum sort argsort bincount histogram matmul softmax "
    "log_softmax var std mean transposed copied searchsorted nonzero_of clip dot unique_of"
).split()

FLOATS = ("float32", "float32", "float32", "float64", "float16", "bfloat16")
INTEGERS = ("int32", "int64", "uint8", "int16")


@dataclass
class Array:
    """What an input is: elements of `dtype`, `kind` says from where (`normal`, `positive`, `small` integers
    below `bound`, `sorted`), `lies` how (`dense`, `transposed`, `strided`)."""

    shape: tuple
    dtype: str
    kind: str = "normal"
    bound: int = 100
    lies: str = "dense"


@dataclass
class Case:
    family: str
    text: str
    arrays: dict = field(default_factory=dict)
    # How results are compared: `close` in proportion to the largest, `equal` to the bit, or `near`, where a few may differ.
    compared: str = "close"


class Maker:
    """Draws cases, the same ones for the same seed. `most` is the number of elements of the largest inputs."""

    def __init__(self, seed, most, dtypes=FLOATS):
        self.rng = random.Random(seed)
        self.most = most
        self.floats = dtypes
        self.families = [
            self.chain, self.chain, self.cheap, self.integers, self.broadcast, self.reduce, self.reduce,
            self.columns, self.short_rows, self.moments, self.row_program, self.several, self.copies, self.joins,
            self.gathers, self.masks, self.scans, self.counts, self.orders, self.products, self.small_products,
            self.hidden_products, self.stencil, self.small,
        ]

    def case(self):
        return self.rng.choice(self.families)()

    # Shapes: `most` elements at the most, a sixteenth of that at the least, with odd extents in between.

    def total(self, most=None):
        most = most or self.most
        return int(most / 2 ** self.rng.uniform(0, 4))

    def shape(self, rank, most=None):
        total = self.total(most)
        if rank == 1:
            return (total,)
        shape = []
        for left in range(rank - 1, 0, -1):
            side = max(1, int(total ** (self.rng.uniform(0.15, 1.5) / (left + 1))))
            if self.rng.random() < 0.3:
                side = 2 ** max(0, side.bit_length() - 1)
            shape.append(min(side, total))
            total = max(1, total // shape[-1])
        shape.append(total)
        self.rng.shuffle(shape)
        return tuple(shape)

    def float_type(self):
        return self.rng.choice(self.floats)

    def lies(self):
        return self.rng.choices(("dense", "transposed", "strided"), (8, 1, 1))[0]

    def axes(self, rank):
        axis = self.rng.randrange(rank)
        if rank > 2 and self.rng.random() < 0.3:
            return tuple(sorted(self.rng.sample(range(rank), 2)))
        return axis

    def term(self, names, depth, cheap=False):
        """An expression over `names` of values near one, so that half types neither overflow nor cancel."""
        pick = self.rng.choice
        if depth == 0:
            return pick(names)
        one = self.term(names, depth - 1, cheap)
        other = self.term(names, self.rng.randrange(depth), cheap)
        arithmetic = [
            f"({one} + {other})", f"({one} * 0.5 - {other})", f"({one} * {other})", f"maximum({one}, {other})",
            f"where({one} > {other}, {one}, {other} * 0.25)", f"absolute({one} - 0.5)", f"({one} * 0.25 + 1)",
            f"minimum({one}, 1.5)", f"({one} / 3)", f"square({one} * 0.5)",
        ]
        dear = [f"exp({one} * 0.1)", f"tanh({one})", f"sqrt(absolute({one}))", f"log1p(absolute({one}))", f"sin({one})"]
        return pick(arithmetic if cheap else arithmetic + dear)

    def inputs(self, count, shape, dtype, lies=None, kind="normal", bound=100):
        lies = lies or self.lies()
        return {name: Array(shape, dtype, kind, bound, lies) for name in "xyz"[:count]}

    # Families.

    def chain(self):
        count, shape, dtype = self.rng.randint(1, 3), self.shape(self.rng.randint(1, 3)), self.float_type()
        arrays = self.inputs(count, shape, dtype)
        return Case(f"chain {dtype}", self.term(list(arrays), self.rng.randint(2, 4)), arrays)

    def cheap(self):
        count, shape, dtype = self.rng.randint(1, 3), self.shape(self.rng.randint(1, 2)), self.float_type()
        arrays = self.inputs(count, shape, dtype)
        return Case(f"cheap {dtype}", self.term(list(arrays), self.rng.randint(1, 3), cheap=True), arrays)

    def integers(self):
        dtype = self.rng.choice(INTEGERS)
        arrays = self.inputs(2, self.shape(self.rng.randint(1, 2)), dtype, kind="small")
        by = self.rng.choice((2, 3, 7, 10, 64, 100))
        text = self.rng.choice((
            f"x // {by}", f"x % {by}", f"(x * 3 + y) % {by}", "absolute(x - y)", "maximum(x, y) * 2", "x & y",
            f"where(x > {by}, x, y)", "(x ^ y) + x", "x * y", "x == y", f"(x < {by}) & (y > 2)", "x >> 2",
        ))
        return Case(f"integers {dtype}", text, arrays, "equal")

    def broadcast(self):
        rows, columns = self.shape(2)
        dtype = self.float_type()
        arrays = {"x": Array((rows, columns), dtype), "y": Array((columns,), dtype), "z": Array((rows, 1), dtype)}
        text = self.rng.choice(("x + y", "x * z", "x * y + z", "(x - z) * y", "y * z", "where(x > z, x, y)",
                                "exp((x - z) * 0.1) * y"))
        used = {name: array for name, array in arrays.items() if name in text.replace("exp", "")}
        return Case(f"broadcast {dtype}", text, used)

    def reduce(self):
        rank, dtype = self.rng.randint(1, 4), self.float_type()
        arrays = self.inputs(self.rng.randint(1, 2), self.shape(rank), dtype, "dense")
        inner = self.rng.choice(("x", self.term(list(arrays), 1)))
        axis = self.rng.choice((None, self.axes(rank)))
        call = self.rng.choice(("{}.sum(axis={})", "mean({}, axis={})", "amax({}, axis={})", "amin({}, axis={})"))
        return Case(f"reduce {dtype}", call.format(inner, axis), self.used(arrays, inner))

    def columns(self):
        dtype = self.float_type()
        arrays = {"x": Array(self.shape(2), dtype)}
        return Case(f"columns {dtype}", self.rng.choice((
            "x.sum(axis=0)", "amax(x, axis=0)", "argmax(x, axis=0)", "mean(x, axis=0)", "std(x, axis=0)",
            "(x * x).sum(axis=0)")), arrays)

    def short_rows(self):
        dtype, row = self.float_type(), self.rng.choice((2, 3, 4, 5, 8, 16, 31, 64, 100, 128, 200, 256))
        rows = max(1, self.total() // row)
        arrays = {"x": Array((rows, row), dtype), "y": Array((rows, 1), dtype)}
        text = self.rng.choice((
            "x.sum(axis=1)", "amax(x, axis=1)", "argmax(x, axis=1)", "mean(x * x, axis=1)", "x * y", "std(x, axis=1)",
            "softmax(x, axis=1)", "x / x.sum(axis=1, keepdims=True)"))
        return Case(f"short rows {dtype}", text, self.used(arrays, text))

    def moments(self):
        rank, dtype = self.rng.randint(1, 3), self.float_type()
        arrays = {"x": Array(self.shape(rank), dtype)}
        axis = self.rng.choice((None, self.rng.randrange(rank)))
        return Case(f"moments {dtype}", self.rng.choice((f"std(x, axis={axis})", f"var(x, axis={axis})")), arrays)

    def row_program(self):
        rank, dtype = self.rng.randint(2, 3), self.float_type()
        arrays = {"x": Array(self.shape(rank), dtype)}
        axis = self.rng.choice((rank - 1, rank - 1, 0))
        keep = f"axis={axis}, keepdims=True"
        text = self.rng.choice((
            f"softmax(x, axis={axis})", f"log_softmax(x, axis={axis})",
            f"(x - mean(x, {keep})) / sqrt(var(x, {keep}) + 1e-5)", f"x / sqrt(mean(x * x, {keep}) + 1e-5)",
            f"exp(x - amax(x, {keep}))", f"(x - amin(x, {keep})) / (amax(x, {keep}) - amin(x, {keep}) + 1)"))
        return Case(f"row program {dtype}", text, arrays)

    def several(self):
        dtype = self.float_type()
        arrays = {"x": Array(self.shape(self.rng.randint(1, 2)), dtype)}
        text = self.rng.choice(("(x - amin(x)) / (amax(x) - amin(x))", "(x - mean(x)) / std(x)", "x / sqrt((x * x).sum())"))
        return Case(f"several {dtype}", text, arrays)

    def copies(self):
        rank, dtype = self.rng.randint(1, 4), self.rng.choice(self.floats + INTEGERS)
        arrays = {"x": Array(self.shape(rank), dtype, "small")}
        every = ", ".join(self.rng.choice((":", "::2", "::-1", "1:", "::3")) for _ in range(rank))
        text = self.rng.choice((f"copied(x[{every}])", "copied(transposed(x))", "flip(x, axis=0)",
                                f"flip(x, axis={rank - 1})", f"roll(x, 3, axis={rank - 1})", "repeat(x, 2, axis=0)"))
        return Case(f"copies {dtype}", text, arrays, "equal")

    def joins(self):
        rank, dtype = self.rng.randint(1, 3), self.rng.choice(self.floats + INTEGERS)
        arrays = self.inputs(2, self.shape(rank, self.most // 2), dtype, "dense", "small")
        axis = self.rng.randrange(rank)
        text = self.rng.choice((f"concatenate([x, y], axis={axis})", f"stack([x, y], axis={axis})", "stack([x, y], axis=-1)"))
        return Case(f"joins {dtype}", text, arrays, "equal")

    def gathers(self):
        rows, columns = self.shape(2)
        dtype = self.rng.choice(self.floats + INTEGERS)
        arrays = {"x": Array((rows, columns), dtype, "small")}
        kind = self.rng.randrange(3)
        if kind == 0:
            arrays["i"] = Array((rows,), "int64", "small", rows)
            return Case(f"gathers {dtype}", "x[i]", arrays, "equal")
        if kind == 1:
            arrays["i"] = Array((columns,), "int64", "small", columns)
            return Case(f"gathers {dtype}", "x[:, i]", arrays, "equal")
        arrays["i"] = Array((rows, 1), "int64", "small", columns)
        return Case(f"gathers {dtype}", "take_along_axis(x, i, 1)", arrays, "equal")

    def masks(self):
        dtype = self.float_type()
        arrays = {"x": Array(self.shape(self.rng.randint(1, 2)), dtype)}
        text = self.rng.choice(("x[x > 0.5]", "x[x > 2.5]", "where(x > 0, x, 0)", "(x > 0.5).sum()", "nonzero_of(x > 1)",
                                "clip(x, -1, 1)"))
        return Case(f"masks {dtype}", text, arrays)

    def scans(self):
        rank, dtype = self.rng.randint(1, 2), self.rng.choice(("float32", "float64", "int32", "int64"))
        kind = "small" if dtype.startswith("int") else "normal"
        return Case(f"scans {dtype}", f"cumsum(x, axis={self.rng.randrange(rank)})", {"x": Array(self.shape(rank), dtype, kind, 10)})

    def counts(self):
        bins, size = self.rng.choice((10, 256, 1000, 65536)), (self.total(),)
        if self.rng.random() < 0.5:
            return Case("counts", f"bincount(x, minlength={bins})", {"x": Array(size, "int64", "small", bins)}, "equal")
        return Case("counts", f"histogram(x, bins={self.rng.choice((10, 64, 100))})", {"x": Array(size, "float32")}, "near")

    def orders(self):
        rank, dtype = self.rng.randint(1, 2), self.rng.choice(("float32", "float64", "int32", "int64", "float16"))
        shape = self.shape(rank, self.most // 4)
        array = Array(shape, dtype, "normal" if dtype.startswith("float") else "small", 1 << 14)
        if rank == 1 and self.rng.random() < 0.3:
            return Case(f"orders {dtype}", "searchsorted(y, x)", {"x": array, "y": Array((4096,), dtype, "sorted")}, "equal")
        if rank == 1 and self.rng.random() < 0.3:
            return Case(f"orders {dtype}", "unique_of(x)", {"x": array}, "equal")
        return Case(f"orders {dtype}", f"sort(x, axis={rank - 1})", {"x": array}, "equal")

    def products(self):
        dtype = self.rng.choice(("float32", "float32", "float64"))
        if self.rng.random() < 0.3:
            return self.matrix_by_vector(dtype)
        n, k, m = (self.rng.choice((1, 17, 64, 200, 512, 1000)) for _ in range(3))
        return Case(f"products {dtype}", "matmul(x, y)", {"x": Array((n, k), dtype), "y": Array((k, m), dtype)})

    def matrix_by_vector(self, dtype):
        rows, columns = self.shape(2)
        if self.rng.random() < 0.5:
            return Case(f"products {dtype}", "matmul(x, y)", {"x": Array((rows, columns), dtype), "y": Array((columns,), dtype)})
        return Case(f"products {dtype}", "dot(x, y)", {"x": Array((rows * columns,), dtype), "y": Array((rows * columns,), dtype)})

    def small_products(self):
        dtype, n = self.rng.choice(("float32", "float64")), self.rng.choice((2, 3, 4, 8, 16, 32, 64))
        batch = max(1, self.total() // (n * n))
        return Case(f"batched {dtype}", "matmul(x, y)", {"x": Array((batch, n, n), dtype), "y": Array((batch, n, n), dtype)})

    def hidden_products(self):
        n, k, m = (self.rng.choice((16, 50, 128, 256)) for _ in range(3))
        dtype = self.rng.choice(("float32", "float64"))
        if self.rng.random() < 0.5:
            return Case(f"hidden {dtype}", "square(x[:, None, :] - y[None, :, :]).sum(axis=-1)",
                        {"x": Array((n, k), dtype), "y": Array((m, k), dtype)})
        return Case(f"hidden {dtype}", "(x[:, :, None] * y[None, :, :]).sum(axis=1)",
                    {"x": Array((n, k), dtype), "y": Array((k, m), dtype)})

    def stencil(self):
        rows, columns = (max(3, side) for side in self.shape(2))
        dtype = self.float_type()
        return Case(f"stencil {dtype}", "x[1:-1, 1:-1] * 4 - x[:-2, 1:-1] - x[2:, 1:-1] - x[1:-1, :-2] - x[1:-1, 2:]",
                    {"x": Array((rows, columns), dtype)})

    def small(self):
        dtype, size = self.float_type(), self.rng.choice((1000, 10_000, 30_000, 100_000))
        arrays = self.inputs(2, (size,), dtype, "dense")
        text = self.rng.choice(("x + y", "x.sum(axis=0)", "exp(x * 0.1) * y", "where(x > y, x, y)", "amax(x, axis=0)"))
        return Case(f"small {dtype}", text, self.used(arrays, text))

    @staticmethod
    def used(arrays, text):
        words = text.replace("(", " ").replace(")", " ").replace(".", " ").replace(",", " ").split()
        return {name: array for name, array in arrays.items() if name in words}
