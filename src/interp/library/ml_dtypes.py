"""Types of elements that NumPy has not."""

import numpy

bfloat16 = numpy.bfloat16
float8_e4m3fn = numpy.float8_e4m3fn
float8_e5m2 = numpy.float8_e5m2
finfo = numpy.finfo
iinfo = numpy.iinfo
