# Groups of exceptions: what they hold, how they split, what they do not take.
group = ExceptionGroup("several", [ValueError(1), TypeError(2), ExceptionGroup("inner", [KeyError(3), ValueError(4)])])
print(repr(group), str(group), group.message, group.exceptions, group.args)
print(group.subgroup(ValueError), group.subgroup((TypeError, KeyError)), group.subgroup(OSError))
print(group.split(ValueError), group.split(lambda e: isinstance(e, KeyError)))
print(group.subgroup(ExceptionGroup) is group, group.derive([OSError("new")]))
print(type(BaseExceptionGroup("b", [ValueError()])), type(BaseExceptionGroup("b", [KeyboardInterrupt()])))
print(ExceptionGroup.__mro__, str(ExceptionGroup("one", (ValueError(),))))


class Mine(ExceptionGroup):
    def derive(self, excs):
        return Mine(self.message, excs)


mine = Mine("mine", [ValueError(1), TypeError(2)])
mine.add_note("a note")
print(repr(mine.subgroup(ValueError)), mine.subgroup(TypeError).__notes__, isinstance(mine, Exception))
try:
    raise mine
except ValueError:
    print("no")
except ExceptionGroup as e:
    print(type(e), e, e.exceptions)
for wrong in [lambda: ExceptionGroup("m", []), lambda: ExceptionGroup("m", 5), lambda: ExceptionGroup("m", [5]), lambda: ExceptionGroup(5, [ValueError()]), lambda: ExceptionGroup("m"), lambda: ExceptionGroup(),
              lambda: ExceptionGroup("m", [KeyboardInterrupt()]), lambda: Mine("m", [KeyboardInterrupt()]), lambda: group.subgroup(5), lambda: group.split(())]:
    try:
        print(wrong())
    except Exception as e:
        print(type(e).__name__, e)
