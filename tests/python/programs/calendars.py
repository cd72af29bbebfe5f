"""Small modules: what the language is, and months."""
import builtins, keyword, timeit, platform, calendar, sys
print(builtins.len([1]), builtins.int('3'), builtins.ValueError is ValueError, hasattr(builtins,'sum'), builtins.print.__name__, keyword.iskeyword('if'), len(keyword.kwlist))
print(timeit.timeit('x+1','x=1',number=3)>0, timeit.timeit(lambda: 1, number=2)>0, timeit.repeat('y*2', number=2, repeat=2, globals={'y':3})!=[])
t=timeit.default_timer(); print(type(t).__name__)
print(sys.version_info[:2], sys.version_info >= (3,8), sys.version_info.major, platform.python_version()[:4])
print(calendar.isleap(2024), calendar.monthrange(2024,2), calendar.month_name[3], calendar.monthcalendar(2024,2), calendar.weekday(2024,1,1), calendar.leapdays(2000,2030), calendar.timegm((2024,1,1,0,0,0)))
print(calendar.month(2024,2)); print(calendar.TextCalendar(6).formatmonth(2023,12)); 
print(list(calendar.Calendar(6).itermonthdays2(2024,6))[:8], [str(x) for x in calendar.Calendar().itermonthdates(2024,2)][:4])
try: calendar.monthrange(2024,13)
except calendar.IllegalMonthError as e: print(e)
