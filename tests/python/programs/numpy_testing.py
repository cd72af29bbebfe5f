# What NumPy's assertions say.
t = np.testing


def e(f):
    try:
        f()
        print("ok")
    except AssertionError as x:
        print(repr(str(x)))
    except Exception as x:
        print(type(x), x)


e(lambda: t.assert_allclose([1, 2, 3.0], [1, 2.1, 4]))
e(lambda: t.assert_allclose([1, 2, 3.0], [1, 2.1, 4], rtol=1e-3, err_msg="hey"))
e(lambda: t.assert_allclose(1.0, 2.0))
e(lambda: t.assert_allclose([1, np.nan], [1, 2]))
e(lambda: t.assert_allclose([1, np.inf], [1, 2]))
e(lambda: t.assert_allclose([1, np.inf], [1, -np.inf]))
e(lambda: t.assert_allclose([1, 2], [1, 2, 3]))
e(lambda: t.assert_array_equal([1, 2], [1, 3]))
e(lambda: t.assert_array_equal([1, 2.5], [1, 3], verbose=False))
e(lambda: t.assert_array_equal(np.zeros((2, 2)), np.ones((2, 3))))
e(lambda: t.assert_array_equal([True, False], [True, True]))
e(lambda: t.assert_equal([1, 2, 3], [1, 2, 4]))
e(lambda: t.assert_equal({"a": 1}, {"a": 2}))
e(lambda: t.assert_equal(1, 2))
e(lambda: t.assert_equal("a", "b"))
e(lambda: t.assert_equal(np.nan, np.nan))
e(lambda: t.assert_equal([1, 2], [1, 2, 3]))
e(lambda: t.assert_equal(np.array([1, 2]), np.array([1, 3])))
e(lambda: t.assert_almost_equal(1.0, 1.1))
e(lambda: t.assert_almost_equal(1.0, 1.00000001))
e(lambda: t.assert_almost_equal([1.0, 2], [1.1, 2]))
e(lambda: t.assert_approx_equal(0.1234567, 0.1234568, significant=8))
e(lambda: t.assert_array_almost_equal([1, 2.333], [1, 2.334], decimal=5))
e(lambda: t.assert_array_less([1, 2], [1, 3]))
e(lambda: t.assert_array_less([1, 2], [2, 3]))
e(lambda: t.assert_array_less([1, 5, 6], [2, 3, 4]))
e(lambda: t.assert_raises(ValueError, int, "3"))
e(lambda: t.assert_raises(ValueError, int, "x"))
e(lambda: t.assert_array_max_ulp(np.float64(1), np.float64(1.1)))
e(lambda: t.assert_array_almost_equal_nulp(np.float64(1), np.float64(1.1)))
e(lambda: t.assert_array_equal([1, 2], 2))
e(lambda: t.assert_array_equal([2, 2], 2))
e(lambda: t.assert_allclose(np.arange(2000.0), np.arange(2000.0) + 1))
e(lambda: t.assert_allclose([0, 0], [0, 1]))
e(lambda: t.assert_allclose([1, 2, 3], [1, 2, 4]))
e(lambda: t.assert_allclose([[1.0, 2], [3, 4]], [[1, 2], [3, 5]]))
e(lambda: t.assert_equal([1, 2], (1, 2)))
e(lambda: t.assert_equal({"a": [1, 2]}, {"a": [1, 3]}))
e(lambda: t.assert_array_equal([1, 2], [1, 2.0], strict=True))
e(lambda: t.assert_allclose([1, 2], [0, 0]))
