# What a program says of its work.
import logging
import io
out = io.StringIO()
logging.basicConfig(level=logging.INFO, stream=out, format="%(levelname)-8s [%(name)s] %(message)s")
log = logging.getLogger("a.b")
log.debug("no"); log.info("x = %d, %s", 3, "t"); logging.warning("root %s", [1]); log.error("100%")
logging.getLogger("a").setLevel(logging.ERROR)
log.info("hidden"); log.error("seen")
try:
    1 / 0
except ZeroDivisionError:
    log.exception("failed %s", "here")
lines = out.getvalue().splitlines()
print("\n".join(lines[:5])); print(lines[5]); print(lines[-1])
print(log, logging.getLogger("a") is log.parent, logging.getLogger(), logging.getLogger("a.c").parent, log.getEffectiveLevel(), log.isEnabledFor(30))
h = logging.StreamHandler(out); print(h.level, type(h).__name__)
f = logging.Formatter("{levelname}|{message}", style="{"); print(f.format(logging.makeLogRecord({"msg": "hi %s", "args": ("you",), "levelname": "INFO"})))
print(logging.Formatter("$levelname-$message", style="$").format(logging.makeLogRecord({"msg": "m", "levelname": "X"})))
print(logging.getLevelName(20), logging.getLevelName("INFO"), logging.getLevelName(15))
for bad in ("x", 1.5):
    try: log.setLevel(bad)
    except Exception as e: print(type(e).__name__, e)
log.addFilter(lambda r: "skip" not in r.getMessage())
log.setLevel("DEBUG"); log.debug("skip me"); log.debug("kept %(a)s", {"a": 1})
print(out.getvalue().splitlines()[-1])
lg = logging.getLogger("own"); lg.propagate = False; b = io.StringIO(); h = logging.StreamHandler(b); h.setFormatter(logging.Formatter("%(asctime)s %(message)s", datefmt="%Y")); lg.addHandler(h); lg.warning("w"); print(len(b.getvalue()), lg.hasHandlers(), lg.handlers == [h])
ad = logging.LoggerAdapter(lg, {"u": 1}); h.setFormatter(logging.Formatter("%(u)s %(message)s")); ad.info("no"); ad.warning("yes %d", 5); print(b.getvalue().splitlines()[-1])
logging.disable(logging.CRITICAL); log.critical("x"); logging.disable(logging.NOTSET); print(out.getvalue().count("x\n"))
try: lg.warning("a", extra={"msg": 1})
except KeyError as e: print(e)
print(logging.Filter("a").filter(logging.makeLogRecord({"name": "a.b"})), logging.Filter("a").filter(logging.makeLogRecord({"name": "ab"})))
logging.basicConfig(force=True, stream=out, format="F %(message)s"); logging.error("z"); print(out.getvalue().splitlines()[-1])
log.log(25, "custom"); print(out.getvalue().splitlines()[-1])
logging.addLevelName(25, "NOTE"); print(logging.getLevelName(25))
