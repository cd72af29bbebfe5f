# Elements that a program's own functions write.
fl = lambda x: "<%.1f>" % x
A = np.array


def po(**options):
    def both(x):
        with np.printoptions(**options):
            return f"{x} {x!r}"
    return both


for f in [
    lambda: po(formatter={"float": fl})(A([1.0, 2.5])), lambda: po(formatter={"float": fl})(A([1, 2])), lambda: po(formatter={"all": fl})(A([1, 2])),
    lambda: po(formatter={"int": hex})(A([1, 20])), lambda: po(formatter={"int_kind": hex})(A([1, 20], dtype="u1")), lambda: po(formatter={"bool": lambda x: "T" if x else "F"})(A([True, False])),
    lambda: po(formatter={"complexfloat": lambda x: "%g:%g" % (x.real, x.imag)})(A([1j, 2])), lambda: po(formatter={"complex_kind": lambda x: "c"})(A([1j])), lambda: po(formatter={"float": fl})(A([1j])),
    lambda: po(formatter={"float_kind": fl, "float": lambda x: "f"})(A([1.0])), lambda: po(formatter={"all": lambda x: "a", "float": fl})(A([1.0])), lambda: po(formatter={"float": None, "all": fl})(A([1.0])),
    lambda: po(formatter={"float": fl})(A(2.5)), lambda: po(formatter={"float": fl})(np.zeros((0, 3))), lambda: po(formatter={"float": fl})(np.zeros((2, 2))),
    lambda: po(formatter={"int": hex})(np.arange(2000)), lambda: po(formatter={"int": hex}, threshold=5)(np.arange(20).reshape(10, 2)), lambda: po(formatter={"float": fl})(np.arange(30.0)),
    lambda: po(formatter=None)(np.arange(3.0)), lambda: po(formatter={})(np.arange(3.0)), lambda: po(formatter={"float": fl})(A([np.nan, np.inf])), lambda: po(formatter={"float": lambda x: 1 / 0})(np.zeros(2)),
    lambda: po(formatter={"float": lambda x: 3})(np.zeros(2)), lambda: po(formatter={"float": fl})(np.zeros(2, "f4")), lambda: po(formatter={"float": fl}, precision=3)(np.zeros(2, "f2")),
    lambda: po(formatter={"float": fl, "int": hex}, linewidth=20)(np.arange(12).reshape(2, 6)), lambda: po(formatter={"str": fl})(np.zeros(2)), lambda: po(formatter={"float": fl})([A([1.0]), 2.0]),
    lambda: po(formatter={"int": lambda x: f"{x:03d}"})(A([2**63 - 1, -1])), lambda: po(formatter={"int": lambda x: f"{int(x)}"})(A([18446744073709551615], dtype="u8")),
    lambda: np.array2string(A([1.5, 2]), formatter={"float": fl}), lambda: np.array2string(A([1 + 2j]), formatter={"complexfloat": lambda x: "c"}), lambda: np.array2string(A(1.5), formatter={"float": fl}),
    lambda: np.array2string(A([True]), formatter={"int": str}), lambda: np.array2string(A([True, True])), lambda: np.array2string(A([False, True])), lambda: np.array2string(A([True]), formatter={"bool": lambda x: "B"}),
    lambda: np.array2string(np.arange(3), formatter={"float_kind": lambda x: "x"}, separator=", "), lambda: np.array2string(np.arange(3), formatter={"int": lambda x: 3}),
]:
    show(f)
np.set_printoptions(formatter={"float": fl})
print(A([1.0, 2.0]), list(np.get_printoptions()["formatter"]), np.array2string(A([1.0])), np.array_str(A([1.0])), np.array_repr(A([1.0])), f"{A([1.0])}")
with np.printoptions(precision=3):
    print(A([1.0, 2.0]))
print(A([1.0, 2.0]))
np.set_printoptions(precision=8)
print(A([1.0, 2.0]), np.get_printoptions()["formatter"])
