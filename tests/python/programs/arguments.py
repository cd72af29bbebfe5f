# Options and arguments, read and explained.
import os
os.environ["COLUMNS"] = "80"
from argparse import *
from argparse import BooleanOptionalAction, SUPPRESS, REMAINDER
import io, contextlib
def t(parser, *lines):
    for line in lines:
        out, err = io.StringIO(), io.StringIO()
        try:
            with contextlib.redirect_stdout(out):
                parser.exit = lambda status=0, message=None: (_ for _ in ()).throw(SystemExit(f"{status} {message}"))
                parser.print_usage = lambda file=None: None
                print(line, "->", parser.parse_args(line.split()))
        except SystemExit as e: print(line, "EXIT", e)
        except Exception as e: print(line, type(e).__name__, e)
        print(out.getvalue(), end="")
A = ArgumentParser
p = A(prog="train", description="Trains a model on data that is long enough to be wrapped around the end of the line.", epilog="The end.")
p.add_argument("data", help="where the data is")
p.add_argument("extra", nargs="*", help="more of it", default=["x"])
p.add_argument("--lr", type=float, default=1e-3, help="learning rate (default: %(default)s)")
p.add_argument("-n", "--epochs", type=int, default=10, metavar="N")
p.add_argument("--device", choices=["cpu", "cuda"], default="cpu", help="which device")
p.add_argument("-v", "--verbose", action="count", default=0)
p.add_argument("--quiet", action="store_true", help="say nothing at all, which is a good thing for long runs on machines that nobody looks at anyway")
p.add_argument("--no-cache", dest="cache", action="store_false")
p.add_argument("--size", type=int, nargs=2, default=(1, 2))
p.add_argument("--tags", nargs="+")
p.add_argument("--opt", nargs="?", const="c", default="d")
p.add_argument("--add", action="append", type=int)
p.add_argument("--version", action="version", version="%(prog)s 1.0")
print(p.format_help()); print(p.format_usage())
t(p, "d", "d --lr 0.1", "d --lr=0.2 -n 5", "d -n5 -vvv", "d -vvn 3", "--quiet d e f", "d --no-cache --size 3 4", "d --tags a b c", "--tags a b -- d", "d --opt", "d --opt z", "d --add 1 --add 2", "", "d --lr x", "d --device tpu", "d --unknown", "d --epo 3", "d --size 1", "d -n", "--version", "d --quiet=3", "d -x", "-h", "d --ver", "d --lr -1", "d --lr -1e-3", "d e --quiet f", "-- -d", "d --tags", "d -n=4", "d --add", "--lr 1")
p = A(prog="m"); p.add_argument("a", type=int); p.add_argument("b", nargs="?", default="q"); p.add_argument("-f", "--flag", action=BooleanOptionalAction, default=True, help="a flag"); p.add_argument("-k", action="store_const", const=42); p.add_argument("--l", action="append_const", dest="ll", const=1); p.add_argument("--m", action="append_const", dest="ll", const=2); p.add_argument("--e", action="extend", nargs="+")
print(p.format_help()); t(p, "1", "1 2", "1 --no-flag -k", "x", "1 --l --m --l", "1 --e a b --e c", "-5", "1 2 3", "")
p = A(prog="g", formatter_class=ArgumentDefaultsHelpFormatter); g = p.add_mutually_exclusive_group(); g.add_argument("--a", action="store_true", help="first"); g.add_argument("--b", type=int, default=5, help="second"); h = p.add_argument_group("more", "about it"); h.add_argument("--c", required=True, help="third"); print(p.format_help()); t(p, "--c 1", "--a --b 3 --c 1", "--a", "--b 2 --c x")
p = A(prog="r"); g = p.add_mutually_exclusive_group(required=True); g.add_argument("-x", action="store_true"); g.add_argument("-y"); print(p.format_usage()); t(p, "", "-x", "-y 1", "-x -y 1")
p = A(prog="cmd"); p.add_argument("--top", action="store_true"); s = p.add_subparsers(dest="command", help="what to do"); a = s.add_parser("run", help="runs", aliases=["r"]); a.add_argument("file"); a.add_argument("-o"); b = s.add_parser("stop"); b.set_defaults(fn="stopping"); print(p.format_help()); print(a.format_help()); t(p, "run f -o 3", "--top stop", "", "r x", "bad", "stop extra")
p = A(prog="z", usage="%(prog)s [options]", add_help=False, argument_default=SUPPRESS); p.add_argument("--foo"); p.add_argument("bar", nargs="?"); print(p.format_help()); t(p, "", "--foo 1", "x")
p = A(prog="q"); p.add_argument("cmd"); p.add_argument("rest", nargs=REMAINDER); t(p, "a -b c --d", "a")
p = A(prog="q"); p.add_argument("x", nargs="+", type=int); p.add_argument("y"); t(p, "1 2 3", "1", "1 2 y --", "1 b c")
p = A(prog="q", formatter_class=RawDescriptionHelpFormatter, description="a\n  b\nc"); p.add_argument("--very-long-option-name-that-goes-on", help="h", metavar="VALUE"); p.add_argument("--s", help=SUPPRESS); p.set_defaults(k=3); print(p.format_help()); t(p, "")
print(p.parse_known_args(["--zzz", "1", "--s", "2"]))
print(Namespace(a=1, b="x"), Namespace(a=1) == Namespace(a=1), "a" in Namespace(a=1), vars(Namespace(a=1)))
for bad in (lambda: A().add_argument("--a", "b"), lambda: A().add_argument("-a", action="zzz"), lambda: A().add_argument("a", required=True), lambda: A().add_argument("--a", type=5)):
    try: bad()
    except Exception as e: print(type(e).__name__, e)
p = A(prog="q"); p.add_argument("-a"); 
try: p.add_argument("-a")
except ArgumentError as e: print(e)
p = A(prog="prog", exit_on_error=False); p.add_argument("--n", type=int)
try: p.parse_args(["--n", "x"])
except ArgumentError as e: print("caught", e)

# A name that comes out of a mapping and again.
given = {"a": 1}


def taken(**named):
    return named


for call in [lambda: taken(**given, a=2), lambda: taken(a=2, **given), lambda: taken(**given, **given), lambda: taken(**given, b=2)]:
    try:
        print(call())
    except TypeError as e:
        print("TypeError", str(e).replace("__main__.", ""))
