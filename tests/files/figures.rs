//! Figures: axes beside matplotlib's (`tests/figures/generate.py`), files, and what goes wrong.

use super::*;

fn rows(kind: &str) -> Vec<Value> {
    let lines = include_str!("../figures/views.jsonl").lines();
    let rows = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.filter(|row| row["kind"] == kind).collect()
}

fn desk() -> Desk {
    let mut desk = Desk::new();
    desk.run("import matplotlib.pyplot as plt").unwrap();
    desk
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[test]
fn axes_end_and_have_numbers_where_matplotlibs_do() {
    let mut desk = desk();
    let mut differing = Vec::new();
    for row in rows("view") {
        let code = row["code"].as_str().unwrap();
        let told = "print([[float(v) for v in part] for part in (plt.xlim(), plt.ylim(), plt.xticks(), plt.yticks())])";
        let found = desk.run(&format!("plt.close('all')\nnan = float('nan')\n{code}\n{told}"));
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                differing.push(format!("{code}: {error}"));
                continue;
            }
        };
        let found: Vec<Vec<f64>> = serde_json::from_str(&found).unwrap();
        let lengths = [("xlim", 0), ("ylim", 1), ("xlim", 0), ("ylim", 1)];
        for (at, name) in ["xlim", "ylim", "xticks", "yticks"].into_iter().enumerate() {
            let (wanted, ends) = (numbers(&row[name]), numbers(&row[lengths[at].0]));
            let is_log = ends[0] > 0.0 && ends[1] / ends[0] > 1e3;
            let near = |(a, b): (&f64, &f64)| match is_log {
                true => (a / b - 1.0).abs() < 1e-9,
                false => (a - b).abs() <= (ends[1] - ends[0]).abs() * 1e-7,
            };
            let found = &found[at];
            if found.len() != wanted.len() || !found.iter().zip(&wanted).all(near) {
                differing.push(format!("{code}: {name} {found:?}, not {wanted:?}"));
            }
        }
    }
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing.join("\n"));
}

#[test]
fn formats_mean_what_they_mean_to_matplotlib() {
    let mut desk = desk();
    for row in rows("format") {
        let fmt = row["fmt"].as_str().unwrap();
        let line = format!("plt.plot([1, 2], '{fmt}')[0]");
        if row["error"] == true {
            desk.fails(&line, "is not a valid");
            continue;
        }
        let text = |name: &str| row[name].as_str().map_or("None".to_string(), str::to_string);
        let told = format!(
            "line = {line}\nprint(line._rest[3] if line._rest[2] else None, line._rest[4], list(line._color))"
        );
        let found = desk.run(&told).unwrap();
        let start = format!("{} {} ", text("style"), text("sign"));
        assert!(found.starts_with(&start), "{fmt}: {found}, not {start}");
        if !row["color"].is_null() {
            let color: Vec<f64> = serde_json::from_str(&found[start.len()..]).unwrap();
            assert_eq!(color, numbers(&row["color"]), "{fmt}");
        }
    }
}

#[test]
fn colours_are_matplotlibs() {
    let mut desk = desk();
    for row in rows("color") {
        let name = row["name"].as_str().unwrap();
        let told = format!("print(list(plt.plot([1], color='{name}')[0]._color))");
        let found: Vec<f64> = serde_json::from_str(&desk.run(&told).unwrap()).unwrap();
        assert_eq!(found, numbers(&row["color"]), "{name}");
    }
    for row in rows("map") {
        let name = row["name"].as_str().unwrap();
        let wanted = row["colors"].as_array().unwrap();
        desk.run(&format!(
            "plt.imsave('@map.png', arange(0, 21, dtype=float64).reshape(1, 21), cmap='{name}')"
        ))
        .unwrap();
        let found = desk.run("print(load('@map.png')[0, :, :3].tolist())").unwrap();
        let found: Vec<Vec<f64>> = serde_json::from_str(&found).unwrap();
        for (found, wanted) in found.iter().zip(wanted) {
            // Ramps are mixed of some of matplotlib's 256 colours.
            let far = found.iter().zip(numbers(wanted)).map(|(a, b)| (a - b).abs());
            assert!(far.fold(0.0, f64::max) <= 12.0, "{name}: {found:?}, not {wanted}");
        }
    }
}

#[test]
fn figures_are_written_as_svg_and_png() {
    let mut desk = desk();
    desk.run(
        "x = linspace(0, 6, 100)\nplt.plot(x, sin(x), 'r--', label='a < b')\nplt.plot(x, cos(x))\n\
         plt.title('Waves')\nplt.xlabel('t')\nplt.ylabel('height')\nplt.legend()\nplt.grid()\n\
         plt.savefig('@f.svg')\nplt.savefig('@f.png')\nplt.savefig('@g.png', dpi=50)\nplt.savefig('@h')",
    )
    .unwrap();
    let svg = fs::read_to_string(desk.at("f.svg")).unwrap();
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>"), "{svg}");
    for part in
        [">Waves<", ">t<", ">height<", ">a &lt; b<", "stroke=\"#ff0000\"", "stroke-dasharray"]
    {
        assert!(svg.contains(part), "{part}: {svg}");
    }
    for (name, shape) in [("f", "480, 640"), ("g", "240, 320"), ("h", "480, 640")] {
        desk.prints(&format!("print(load('@{name}.png').shape)"), &format!("({shape}, 3)"));
    }
    // Red, blue and white are there, and little else.
    desk.prints(
        "p = load('@f.png').astype(int64)\nred = ((p[:, :, 0] > 240) & (p[:, :, 1] < 40)).sum()\n\
         white = (p.min(axis=2) == 255).mean()\nprint(bool(red > 150), bool(0.85 < white), bool(white < 0.99))",
        "True True True",
    );
    desk.fails("plt.savefig('@f.pdf')", "supported formats: png, svg");
    desk.fails("plt.savefig('@missing/f.png')", "FileNotFoundError");
}

#[test]
fn a_box_lies_where_its_numbers_say() {
    let mut desk = desk();
    // The axes fill the sheet but for margins; a box over half of them covers half.
    desk.run("plt.bar([0.5], [1.0], width=1.0, color='r')\nplt.xlim(0, 2)\nplt.ylim(0, 2)\nplt.savefig('@b.png')")
        .unwrap();
    desk.prints(
        "p = load('@b.png').astype(int64)\nred = (p[:, :, 0] > 250) & (p[:, :, 1] < 5)\nr, c = where(red)\n\
         ink = where((p.max(axis=2) < 60))\n\
         high, wide = r.max() - r.min() + 1, c.max() - c.min() + 1\n\
         print(bool(abs(high - 220) < 12), bool(abs(wide - 295) < 12), int(red.sum()) == int(high * wide))",
        "True True True",
    );
}

#[test]
fn terminals_show_characters() {
    let mut desk = desk();
    let shown = desk
        .run("plt.plot([0.0, 1.0, 2.0], label='up')\nplt.legend()\nplt.title('T')\nplt.show()")
        .unwrap();
    for part in ["T", "━━ up", "└", "0.0", "2.0", "⣀"] {
        assert!(shown.contains(part), "{part}:\n{shown}");
    }
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    let shown = desk.run("plt.bar(['a', 'b'], [1.0, 2.0])\nplt.show()").unwrap();
    assert!(shown.contains('█') && shown.contains('b'), "{shown}");
    let shown = desk
        .run("plt.imshow(arange(12).reshape(3, 4))\nplt.colorbar(label='k')\nplt.show()")
        .unwrap();
    assert!(shown.contains("▓") && shown.contains('k'), "{shown}");
    let shown = desk.run("plt.title('名前')\nplt.text(0.5, 0.5, 'here')\nplt.show()").unwrap();
    assert!(shown.contains("名前") && shown.contains("here") && shown.contains("1.0 ┤"), "{shown}");
    desk.prints("plt.show()", "");
}

#[test]
fn large_and_odd_numbers_are_drawn() {
    let mut desk = desk();
    let shown =
        desk.run("x = ones(300000)\nx[5] = nan\nx[6] = inf\nplt.plot(x)\nplt.show()").unwrap();
    assert!(shown.contains("not drawn: 1 nan, 1 inf"), "{shown}");
    let shown = desk.run("plt.scatter(randn(60000), randn(60000), s=1)\nplt.show()").unwrap();
    assert!(shown.contains('⣿'), "{shown}");
    desk.run("plt.imshow(zeros((1500, 700)))\nplt.savefig('@i.png')").unwrap();
    desk.run("plt.close('all')").unwrap();
    for data in [
        "[]",
        "[nan]",
        "[inf, -inf]",
        "[1e308, -1e308]",
        "[5e-324]",
        "[nan, 1.0]",
        "zeros(0)",
        "[True, False]",
        "array([2, 3], dtype=uint64)",
        "[1e300, 2e300]",
        "zeros((0, 3))",
    ] {
        for call in [
            "plt.plot({})",
            "plt.scatter({0}, {0})",
            "plt.hist({})",
            "plt.semilogy({})",
            "plt.loglog({})",
            "plt.bar(arange(len({0})), {0})",
            "plt.stem({})",
            "plt.step(arange(len({0})), {0})",
        ] {
            let call = call.replace("{0}", data).replace("{}", data);
            let program =
                format!("{call}\nplt.savefig('@o.png')\nplt.savefig('@o.svg')\nplt.show()");
            if let Err(error) = desk.run(&program) {
                assert!(!error.contains("internal"), "{program}: {error}");
            }
            desk.run("plt.close('all')").unwrap();
        }
    }
}

#[test]
fn what_is_not_there_is_an_error_that_names_it() {
    let mut desk = desk();
    for (code, words) in [
        ("plt.plot([1], foo=3)", "unexpected keyword argument 'foo'"),
        ("plt.scatter([1], [1], foo=3)", "unexpected keyword argument 'foo'"),
        ("plt.bar([1], [1], hatch='/')", "unexpected keyword argument 'hatch'"),
        ("plt.title('a', foo=1)", "unexpected keyword argument 'foo'"),
        ("plt.legend(foo=1)", "unexpected keyword argument 'foo'"),
        ("plt.plot([1], c='r', color='b')", "'color' twice"),
        ("plt.plot([1, 2], [1])", "x and y must have same first dimension"),
        ("plt.plot([1], color='nope')", "'nope' is not a valid value for color"),
        ("plt.plot([1], marker='q')", "Unrecognized marker style 'q'"),
        ("plt.plot([1j])", "complex"),
        ("plt.xscale('logit')", "supported values are 'linear', 'log'"),
        ("plt.imshow(eye(3), cmap='zz')", "viridis"),
        ("plt.imshow([1, 2])", "Invalid shape"),
        ("plt.subplot(2, 2, 9)", "1 <= num <= 4"),
        ("plt.savefig(5)", "expected a path"),
        ("plt.figure(figsize=(100, 100))\nplt.savefig('@f.png')", "too large"),
        ("plt.colorbar()", "No mappable was found"),
        ("plt.contour(eye(3))", "contour"),
    ] {
        desk.fails(&format!("plt.close('all')\n{code}"), words);
    }
}

#[test]
fn what_has_no_effect_is_told() {
    let mut desk = desk();
    let code = "import warnings\nwith warnings.catch_warnings(record=True) as told:\n    \
        warnings.simplefilter('always')\n    plt.plot([1, 2], lw=3, label='a')\n    \
        plt.legend(loc='best', ncol=2)\n    plt.bar([1], [2], lw=1)\n    plt.title('t', fontsize=9)\n    \
        plt.errorbar([1], [2], [0.5], capsize=3)\n    plt.grid(alpha=0.3)\n\
        print([str(w.message).replace(' has no effect here', '') for w in told])";
    let expected = [
        "\"Legend.set(): 'loc'\"",
        "\"Legend.set(): 'ncol'\"",
        "\"Rectangle.set(): 'linewidth'\"",
        "\"Text.set(): 'fontsize'\"",
        "\"errorbar(): 'capsize'\"",
        "\"Line2D.set(): 'alpha'\"",
    ];
    assert_eq!(desk.run(code).unwrap().trim(), format!("[{}]", expected.join(", ")));
}

#[test]
fn subplots_and_states() {
    let mut desk = desk();
    desk.prints(
        "fig, axs = plt.subplots(2, 2, sharex=True, figsize=(8, 6))\nprint(fig, axs.shape, len(axs), len(list(axs.flat)))",
        "<Figure size 800x600 with 4 Axes> (2, 2) 2 4",
    );
    desk.run("axs[0, 1].plot([1, 2, 3])\naxs[1][0].hist([1.0, 2.0])\nfig.suptitle('all')\nplt.tight_layout()").unwrap();
    let shown = desk.run("plt.show()").unwrap();
    assert!(shown.contains("all") && shown.matches('└').count() == 4, "{shown}");
    desk.prints(
        "print(plt.get_fignums())\nplt.figure(7)\nplt.plot([1])\nprint(plt.get_fignums())",
        "[]\n[7]",
    );
    // A statement that fails leaves no mark.
    desk.run("plt.close('all')\nplt.plot([1, 2])").unwrap();
    desk.fails("plt.plot([1, 2], [3, 4], 'r', [1], [2, 3])", "same first dimension");
    desk.prints("print(len(plt.gca()._marks))", "1");
}
