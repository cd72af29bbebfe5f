# Arrays out of bytes, and bytes out of arrays.
B = bytes(range(16))


def look(f):
    try:
        r = f()
    except Exception as error:
        print(type(error).__name__, error)
        return
    print(repr(r) if isinstance(r, (bytes, bool, int)) else shown(r))


for f in [
    lambda: np.frombuffer(B, np.uint8), lambda: np.frombuffer(B, dtype="i2", count=3), lambda: np.frombuffer(B, np.int32, offset=4), lambda: np.frombuffer(B, np.int32, 2, 1),
    lambda: np.frombuffer(B, np.int32, offset=1), lambda: np.frombuffer(b"abc", np.int16), lambda: np.frombuffer(b"", np.float64), lambda: np.frombuffer(B, np.uint8, count=0),
    lambda: np.frombuffer(B, np.uint8, count=17), lambda: np.frombuffer(B, np.uint8, offset=17), lambda: np.frombuffer(B, np.uint8, offset=-1), lambda: np.frombuffer(B, np.uint8, offset=16),
    lambda: np.frombuffer(B, np.uint8, count=-2), lambda: np.frombuffer("abc", np.uint8), lambda: np.frombuffer([1, 2], np.uint8), lambda: np.frombuffer(3, np.uint8),
    lambda: np.frombuffer(B, np.uint8, count=1.0), lambda: np.frombuffer(b"\x00\x02\x01", bool), lambda: np.frombuffer(buffer=B[:8], dtype="c8"), lambda: np.frombuffer(B, "f2", -1, 12),
    lambda: np.frombuffer(B, ">i4").astype("i4"), lambda: np.frombuffer(B[:4], ">u2").astype("u2"), lambda: np.frombuffer(b"\x3f\x80\x00\x00", ">f4").astype("f4"), lambda: np.frombuffer(b"ab", ">i1"),
    lambda: np.frombuffer(B, "<i8"), lambda: np.frombuffer(np.arange(3), np.uint8)[:9], lambda: np.frombuffer(np.arange(6).reshape(2, 3), np.int64),
    lambda: np.frombuffer(np.arange(6).reshape(2, 3).T, np.int64), lambda: np.frombuffer(np.arange(4, dtype="u1"), "u2", 1, 2),
    lambda: np.arange(3, dtype="i2").tobytes(), lambda: np.arange(6, dtype="i1").reshape(2, 3).tobytes(), lambda: np.arange(6, dtype="i1").reshape(2, 3).tobytes("F"),
    lambda: np.arange(6, dtype="i1").reshape(2, 3).T.tobytes("A"), lambda: np.arange(6, dtype="i1").reshape(2, 3).T.tobytes(order="K"), lambda: np.arange(6, dtype="i1").reshape(2, 3).T.tobytes(None),
    lambda: np.arange(6, dtype="i1")[::2].tobytes(), lambda: np.arange(4, dtype="i1").tobytes("X"), lambda: np.float32(1).tobytes(), lambda: np.array(3, "u1").tobytes(),
    lambda: np.zeros((0, 3)).tobytes(), lambda: np.array([True, False]).tobytes(), lambda: np.array([1 - 2j], "c8").tobytes(), lambda: np.array([1.5], "f2").tobytes(),
    lambda: np.array([18446744073709551615], "u8").tobytes(), lambda: bytes(np.array([1, 2], "u1")), lambda: bytes(np.array([[1, 2], [3, 4]], "u1").T), lambda: bytes(np.array(3)),
    lambda: bytes(np.int64(2)), lambda: bytes(np.array([3], "i2")), lambda: bytes(np.float32(1)), lambda: b"ab" * np.int64(2), lambda: np.int64(2) * b"ab",
    lambda: b"abc"[np.int64(1)], lambda: b"abc"[np.int64(0):np.int64(2)], lambda: np.array(list(b"abc"), dtype="u1"), lambda: np.uint8(97) in b"abc",
    lambda: int.from_bytes(np.array([1, 2], "u1"), "big"), lambda: b",".join([np.array([1], "u1"), b"x"]), lambda: np.fromstring("1 2"), lambda: np.fromstring(b"1,2", sep=","),
]:
    look(f)
x = np.frombuffer(B, np.uint8)
print(x.flags.writeable, x.dtype, x.shape)
try:
    x[0] = 1
except ValueError as error:
    print(error)
y = np.arange(3)
z = np.frombuffer(y, np.int64)
z[1] = 9
print(y, z.flags.writeable)
for dtype in ["?", "i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8", "c16"]:
    x = (np.arange(12) % 2 if dtype == "?" else np.arange(12)).astype(dtype).reshape(3, 4)
    back = np.frombuffer(x.tobytes(), dtype).reshape(3, 4)
    print(dtype, (back == x).all(), back.dtype == x.dtype, np.frombuffer(x[:, ::-1].tobytes(), x.dtype)[:2])
