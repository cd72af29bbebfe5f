//! Statistics of checkpoints and differences between them. The numbers are NumPy's (float64).

use super::*;
use genesis_repl::report::Report;

#[test]
fn statistics_are_folded_and_leave_out_what_is_no_number() {
    let mut desk = Desk::new();
    desk.run("a = arange(6, dtype='float32').reshape(2, 3)").unwrap();
    desk.run("save('@m.safetensors', {'l.0.w': a, 'l.1.w': a + 10, 'n': array([nan, inf, -inf, 0.0, 2.0]), 'e': zeros((0, 2))})").unwrap();
    desk.run("s = stats(load('@m.safetensors'))\nr = {row['name']: row for row in s.rows}")
        .unwrap();
    desk.prints(
        "w = r['l.{0..1}.w']\nprint(w['count'], w['elements'], w['mean'], abs(w['std'] - 5.283622494715786) < 1e-14, w['min'], w['max'], w['zeros'])",
        "2 12 7.5 True 0.0 15.0 1",
    );
    desk.prints(
        "n = r['n']\nprint(n['nan'], n['inf'], n['mean'], n['std'], n['min'], n['max'], n['zeros'], r['e']['mean'])",
        "1 2 1.0 1.0 0.0 2.0 1 None",
    );
    let table = desk.run("print(s)").unwrap();
    assert!(table.starts_with("name") && table.contains("l.{0..1}.w"), "{table}");
    desk.prints(
        "print(len(stats(load('@m.safetensors')['l.*'])), stats('@m.safetensors')[0]['dtype'])",
        "1 float32",
    );
}

#[test]
fn names_that_are_not_there() {
    let mut desk = Desk::new();
    desk.run("save('@m.safetensors', {'l.0.w': ones(2), 'l.0.b': ones(2), 'Norm': ones(2)})")
        .unwrap();
    desk.run("ck = load('@m.safetensors')").unwrap();
    desk.fails("ck['l.0']", "`ck[\"l.0.*\"]` is 2 that begin so");
    desk.fails("ck['norm']", "no tensor is called 'norm': there are Norm");
    desk.fails("ck['other']", "the names are ");
    desk.fails("ck[0]", "tensors of a checkpoint have names, found int");
}

#[test]
fn the_library_takes_what_stays_in_a_file() {
    let mut desk = Desk::new();
    desk.run("save('@m.safetensors', {'a': arange(4.0), 'b': ones(4)})").unwrap();
    desk.run("ck = load('@m.safetensors')\na, b = ck['a'], ck['b']").unwrap();
    desk.prints("print(np.concatenate([a, b]).shape, np.stack(ck.values()).shape)", "(8,) (2, 4)");
    desk.prints("print(np.allclose(a, a), np.maximum(a, 2), np.dot(a, b), np.where([True, False, True, False], a, b))",
        "True [2. 2. 2. 3.] 6.0 [0. 1. 2. 1.]");
    desk.prints("print(np.array([a, b]).sum(), torch.cat([a, b]).sum() if False else np.hstack((a, b)).sum())", "10.0 10.0");
    desk.run("class Grid:\n    def __array__(self, dtype=None, copy=None):\n        return arange(3)\nclass Bare:\n    pass").unwrap();
    desk.prints("print(np.concatenate([Grid(), [7]]), np.add(Grid(), 1))", "[0 1 2 7] [1 2 3]");
    desk.fails("np.concatenate([Bare()])", "expected numbers, found Bare");
    desk.fails("len(Grid())", "has no len()");
    for command in [":heat", ":hist", ":plot"] {
        desk.run(&format!(
            "{command} {}",
            if command == ":heat" { "np.array(a).reshape(2, 2)" } else { "a" }
        ))
        .unwrap();
    }
}

#[test]
fn numbers_in_names_are_folded_to_runs() {
    let mut desk = Desk::new();
    desk.run("save('@m.safetensors', {f'l.{n}.w': ones(2) for n in [0, 1, 2, 4, 7, 8]})").unwrap();
    desk.prints("print([row['name'] for row in stats('@m.safetensors')])", "['l.{0..2,4,7..8}.w']");
    desk.run("save('@n.safetensors', {f'l.{2 * n}.w': ones(2) for n in range(9)})").unwrap();
    desk.prints("print([row['name'] for row in stats('@n.safetensors')])", "['l.{0,2,4,6,…}.w']");
}

#[test]
fn large_tensors_are_read_in_pieces() {
    let mut desk = Desk::new();
    desk.run("x = (arange(9000000) % 7).astype('int8')").unwrap();
    desk.run("save('@l.safetensors', {'wide': x.reshape(1, -1)})\nr = stats('@l.safetensors')[0]")
        .unwrap();
    desk.prints(
        "print(r['elements'], r['zeros'], r['max'], round(r['mean'] * 9000000))",
        "9000000 1285715 6.0 26999995",
    );
}

#[test]
fn differences_are_sorted_by_what_changed_most() {
    let mut desk = Desk::new();
    desk.run("rng = np.random.default_rng(3)\nw = rng.normal(size=(20, 30))\nu = np.matmul(rng.normal(size=(20, 2)), rng.normal(size=(2, 30)))").unwrap();
    desk.run("a = {'l.0.w': w, 'l.1.w': w, 'gone': ones(2), 'same': ones(3), 'shape': ones(3), 'kind': ones(2), 'z': zeros(2), 'n': array([nan, 1])}").unwrap();
    desk.run("b = {'l.0.w': w, 'l.1.w': w + u, 'new': ones(2), 'same': ones(3), 'shape': ones(4), 'kind': ones(2, dtype='float64') * 1.5, 'z': ones(2), 'n': array([nan, 1])}").unwrap();
    desk.run("save('@a.safetensors', a)\nsave('@b.safetensors', b)\nd = diff(load('@a.safetensors'), load('@b.safetensors'))").unwrap();
    desk.run("r = {row['name']: row for row in d.rows}").unwrap();
    desk.prints(
        "print([row['name'] for row in d.rows][3:], sorted([row['name'] for row in d.rows][:3]))",
        "['z', 'l.{0..1}.w', 'kind', 'same', 'n'] ['gone', 'new', 'shape']",
    );
    desk.prints("print(r['gone']['what'], '|', r['new']['what'], '|', r['shape']['what'], '|', r['kind']['what'], '|', r['same']['what'], '|', r['n']['what'])",
        "only in a | only in b | shape (3,) became (4,) | float32 became float64 | same | same");
    desk.run("p = np.stack([w, w]).ravel().astype('float64')\nq = np.stack([w, w + u]).ravel().astype('float64')\nl = r['l.{0..1}.w']")
        .unwrap();
    desk.prints("print(abs(l['nmse'] - ((q - p) ** 2).sum() / (p ** 2).sum()) < 1e-12, abs(l['cosine'] - np.dot(p, q) / (np.linalg.norm(p) * np.linalg.norm(q))) < 1e-12, l['max'] == abs(q - p).max())", "True True True");
    desk.prints(
        "print(r['kind']['nmse'], r['z']['nmse'], r['z']['max'], r['same']['nmse'])",
        "0.25 None 1.0 0.0",
    );
    desk.prints("print([row['rank'] for row in compare(a, b, rank=True) if 'rank' in row])", "[2]");
    desk.prints("print(diff([1, 4, 9]), diff(array([1, 4, 9]), 2))", "[3 5] [2]");
    desk.fails("diff('@none.safetensors', '@a.safetensors')", "No such file");
}

#[test]
fn layers_that_have_changed_are_a_heat_map() {
    let mut desk = Desk::new();
    let part =
        |name: &str| format!("{{f'm.layers.{{i}}.{name}.weight': ones(2, 2) for i in range(3)}}");
    desk.run(&format!("a = {} | {} | {{'norm.weight': ones(2)}}", part("q"), part("e.0"))).unwrap();
    desk.run("a['m.layers.1.bias'] = zeros(2)\nb = {name: x.copy() for name, x in a.items()}")
        .unwrap();
    desk.run("b['m.layers.1.q.weight'] += 1\nb['m.layers.2.e.0.weight'] += 0.1\nb['m.layers.1.bias'] += 1").unwrap();
    desk.run("d = diff(a, b)\nparts, layers, values = d._grid()").unwrap();
    desk.prints(
        "print(parts, [number for name, number in layers])",
        "['q', 'e.*', 'bias'] [0, 1, 2]",
    );
    // What has not changed is one below the smallest change, what was zero beyond any.
    let rows = "[[-2.0, 0.0, -2.0], [-2.0, -2.0, -1.0], [nan, inf, nan]]";
    desk.prints("print([[round(one, 6) for one in row] for row in values])", rows);
    let mut shows = |code: &str| {
        let mut outcome = desk.session.run(code, &mut Printed::default());
        desk.session.show(&mut outcome).unwrap()
    };
    let Report::Stack(reports) = shows("d") else { panic!("rows and a figure") };
    assert!(matches!(&reports[..], [Report::Text(_), Report::Figure(_)]), "{reports:?}");
    // Nothing has changed, or there are no layers.
    assert!(matches!(shows("diff(a, a)"), Report::Text(_)));
    assert!(matches!(shows("diff({'w': ones(2)}, {'w': zeros(2)})"), Report::Text(_)));
    desk.fails("diff(a, a).heatmap()", "no layers that have changed");
}
