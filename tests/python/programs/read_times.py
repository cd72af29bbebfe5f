# Times read from texts.
import time
def t(f):
    try: print(f())
    except BaseException as e: print(type(e).__name__, e)
for s, f in [("2024-02-03 04:05:06", "%Y-%m-%d %H:%M:%S"), ("Sat Feb  3 04:05:06 2024", "%a %b %d %H:%M:%S %Y"), ("3/2/24", "%d/%m/%y"), ("69", "%y"), ("68", "%y"), ("12 AM", "%I %p"), ("12 PM", "%I %p"), ("2024 10 1", "%Y %W %w"), ("2024 10 0", "%Y %U %w"), ("2024 W10 3", "%G W%V %u"), ("  5", " %d"), ("05", "%d "), ("Feb 29", "%b %d"), ("2024366", "%Y%j"), ("x%", "x%%"), ("10:20", "%R"), ("02/03/24", "%D"), ("UTC", "%Z"), ("123", "%d%H"), ("31 2024", "%d %Y"), ("0", "%m"), ("13", "%m"), ("24:00", "%H:%M"), ("sat", "%A"), ("2024-2-3", "%Y-%m-%d"), ("99", "%S"), ("61", "%S"), ("monday", "%A"), ("JAN 5 2020", "%b %d %Y"), ("", "%Y"), ("2024-02-03T04:05:06.123456Z", "%Y-%m-%dT%H:%M:%S.%fZ")]:
    t(lambda: time.strptime(s, f))
t(lambda: time.mktime(time.strptime("2024-02-03", "%Y-%m-%d")))
t(lambda: time.ctime(0))
t(lambda: time.localtime(1e9))
t(lambda: (time.timezone, time.altzone, time.daylight, time.tzname))
t(lambda: time.mktime((2024, 14, 35, 25, 61, 61, 0, 0, -1)))
t(lambda: [time.mktime(time.localtime(x)) == x for x in (0, 1e9, 1.7e9)])
t(lambda: time.mktime((1, 2)))
t(lambda: time.asctime(time.gmtime(86400*59)))
