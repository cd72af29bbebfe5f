//! Values that hold themselves, through every kind of value that can: `gc.collect()` lets go of them.

use genesis_repl::session::{Config, Session};

use super::Printed;

/// Programs after which nobody holds the tensor that they made.
const CYCLES: &[&str] = &[
    "class A: pass\nA.me = A()\nA.t = ones(1000)\ndel A",
    "class A:\n    t = ones(1000)\n    def __init__(self): super().__init__()\na = A()\ndel A, a",
    "class A:\n    t = ones(1000)\n    def f(self): return self.g()\n    def g(self): return __class__\na = A()\na.f()\ndel A, a",
    "class A: t = ones(1000)\nclass B(A): pass\nA.derived = [B]\ndel A, B",
    "class A:\n    derived = []\n    def __init_subclass__(cls):\n        A.derived.append(cls)\nclass B(A):\n    t = ones(1000)\ndel A, B",
    "class A:\n    @property\n    def p(self): return __class__\n    t = ones(1000)\na = A()\na.p\ndel A, a",
    "class A:\n    def f(self): pass\na = A()\na.t = ones(1000)\nA.p = property(a.f)\nA.q = a\ndel a, A",
    "class A: pass\ndef f(x: A): pass\nA.f = f\nA.t = ones(1000)\ndel f, A",
    "class A:\n    def f(self): pass\na = A()\na.t = ones(1000)\na.back = a.f\ndel a, A",
    "from enum import Enum\nclass C(Enum):\n    A = 1\nC.A.t = ones(1000)\ndel C",
    "def f():\n    t = ones(1000)\n    def g(): return g, t\n    return g\ng = f()\ndel g",
    "def f():\n    t = ones(1000)\n    x = yield 1\n    yield 2\ng = f()\nnext(g)\nx = g.send(g)\ndel g",
    "def f(l):\n    t = ones(1000)\n    yield 1\nl = []\ng = f(l)\nnext(g)\nl.append(g)\ndel g, l",
    "l = [ones(1000)]\nl.append(x for x in l)\ndel l",
    "l = [ones(1000)]\nl.append(map(str, l))\ndel l",
    "l = [ones(1000)]\nl.append(l.append)\ndel l",
    "import itertools\nl = [ones(1000)]\na, b = itertools.tee(l)\nl.append(a)\ndel l, a, b",
    "from functools import partial\nl = [ones(1000)]\nl.append(partial(len, l))\ndel l",
    "from functools import lru_cache\n@lru_cache\ndef f(x): return ones(1000)\nx = f(f)\ndel f, x",
    "from collections import deque\nd = deque()\nd.append(ones(1000))\nd.append(d)\ndel d",
    "from collections import defaultdict\nd = defaultdict(list, t=ones(1000))\nd['d'] = d\ndel d",
    "d = {'t': ones(1000)}\nd['v'] = d.values()\ndel d",
    "a, b = ValueError(), KeyError()\na.t = ones(1000)\na.__cause__, b.__cause__ = b, a\ndel a, b",
    "l = []\ne = ValueError(l)\ne.t = ones(1000)\nl.append(e)\ndel e, l",
    "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: object = None\np = P()\np.x = p\np.t = ones(1000)\ndel p, P",
    "class L(list): pass\nl = L()\nl.append(ones(1000))\nl.append(l)\ndel l, L",
];

#[test]
fn what_only_holds_itself_goes() {
    for program in CYCLES {
        let config = Config::default().with_device("cpu").expect("a device");
        let mut session = Session::new(config).expect("a session");
        for input in [":set undo_memory 0", program, "import gc\nn = gc.collect()", "0"] {
            let outcome = session.run(input, &mut Printed::default());
            assert!(outcome.error.is_none(), "{input}: {:?}", outcome.error);
        }
        assert_eq!(session.run("0", &mut Printed::default()).memory.live, 0, "{program}");
    }
}

#[test]
fn what_somebody_holds_stays() {
    for (program, use_of_it) in [
        ("class A: pass\nA.me = a = A()\na.t = ones(1000)\ndel A", "type(a).me is a, a.t.sum()"),
        (
            "class A:\n    def f(self): return __class__\nf = A().f\nA.t = ones(1000)\ndel A",
            "f().t.sum()",
        ),
        (
            "from collections import deque\nd = deque([ones(1000)])\nd.append(d)\nl = [d]\ndel d",
            "l[0][0].sum()",
        ),
        (
            "def f():\n    t = ones(1000)\n    x = yield 1\n    yield t\ng = f()\nnext(g)\ng.send(g) is g",
            "g.gi_frame if False else 1",
        ),
        (
            "class A:\n    def f(self): return self.g()\n    def g(self): return __class__\na = A()\na.f()",
            "a.f() is A",
        ),
    ] {
        let config = Config::default().with_device("cpu").expect("a device");
        let mut session = Session::new(config).expect("a session");
        for input in [program, "import gc\nn = gc.collect()", use_of_it] {
            let outcome = session.run(input, &mut Printed::default());
            assert!(outcome.error.is_none(), "{input}: {:?}", outcome.error);
        }
    }
}
