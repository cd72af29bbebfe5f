//! What people bring from IPython and Python.

use expect_test::expect;

use genesis_repl::diag::Diagnostic;
use genesis_repl::session::Nobody;

use super::driver::{Driver, check};

#[test]
fn magics_that_are_commands_here() {
    let mut driver = Driver::cpu();
    driver.ok("x = arange(4.)");
    assert!(driver.ok("%time y = x + 1").starts_with("wall "));
    assert!(driver.ok("%timeit -n 2 -r 2 x + 1").contains("the best of 2 series of 2"));
    let timed = driver.ok("%%timeit -n 3 -r 2 z = ones(2)\nz + 1\nz * 2");
    assert!(timed.contains("the best of 2 series of 3"), "{timed}");
    assert!(driver.ok("%%time\nw = x * 2\nw = w + 1").starts_with("wall "));
    assert!(driver.ok("print(w[3].item())").starts_with("7.0"));
    // What `%%timeit` bound is forgotten again.
    check(
        "pass",
        "z",
        expect![[r#"
        NameError: name 'z' is not defined
          1 | z
            | ^
    "#]],
    );
    assert_eq!(driver.ok("%whos"), driver.ok(":who"));
    assert_eq!(driver.ok("%time?"), driver.ok(":help :time"));
    assert_eq!(driver.ok(":mem?"), driver.ok(":help :mem"));
    assert!(driver.ok("%reset -f").contains("forgotten"));
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "q = 5\nprint(q)\n").unwrap();
    assert_eq!(driver.ok(&format!("%run {}", file.path().display())), "5\n");
}

#[test]
fn magics_that_need_nothing_or_something_else() {
    let mut driver = Driver::cpu();
    let shown = driver.ok("%matplotlib inline\nprint(1)");
    assert_eq!(
        shown,
        "%matplotlib has nothing to do here: `:plot`, `:hist` and `:heat` draw in place\n1\n"
    );
    check(
        "pass",
        "!ls -l",
        expect![[r#"
        NameError: `!` is IPython's
          1 | !ls -l
            | ^
          hint: no other programs are started from here; Tab completes files in `:load ` and in strings
    "#]],
    );
    check(
        "pass",
        "  %load  file.py",
        expect![[r#"
        NameError: `%load` is IPython's
          1 |   %load  file.py
            |   ^^^^^
          hint: `:load FILE` runs a program in this session
    "#]],
    );
    check(
        "pass",
        "%tiemit x",
        expect![[r#"
        NameError: nothing is called `%tiemit`
          1 | %tiemit x
            | ^^^^^^^
          hint: did you mean `:timeit`?
    "#]],
    );
    check(
        "pass",
        "%mem",
        expect![[r#"
        NameError: nothing is called `%mem`
          1 | %mem
            | ^^^^
          hint: did you mean `:mem`?
    "#]],
    );
    check(
        "pass",
        "%%who\nx",
        expect![[r#"
        NameError: `%%who` takes a line, and no lines below it
          1 | %%who
            | ^^^^^
          hint: write `%who`, or `:who`
    "#]],
    );
}

#[test]
fn names_by_a_pattern() {
    let mut driver = Driver::cpu();
    let shown = driver.ok("np.*cumsu*?");
    assert!(shown.contains("np.cumsum") && shown.contains("nancumsum"), "{shown}");
    assert!(!shown.contains("np.sum"), "{shown}");
    driver.ok("my_number = 'three'");
    assert!(driver.ok("?my_*").contains("my_number"));
    assert!(driver.ok("my_number.is*?").contains("isalpha"));
    check(
        "pass",
        "np.*qqq*?",
        expect![[r#"
        NameError: no name matches `np.*qqq*`
          1 | np.*qqq*?
            | ^^^^^^^^
          hint: a star stands for any letters, as in `np.*sum*?`
    "#]],
    );
}

#[test]
fn what_was_typed_has_names() {
    let mut driver = Driver::cpu();
    driver.ok("x = 1");
    driver.ok("y = x + 1;");
    assert_eq!(
        driver.ok("print(_i, _ii, _i1, In[2], sep='|')"),
        "y = x + 1;|x = 1|x = 1|y = x + 1;\n"
    );
    assert_eq!(
        driver.ok("print(len(In), repr(In[0]), In[-1])"),
        "5 '' print(len(In), repr(In[0]), In[-1])\n"
    );
    // They are no variables of the user's.
    assert!(!driver.ok(":who").contains("_i"));
    driver.ok("In = 3");
    assert_eq!(driver.ok("print(In)"), "3\n");
}

#[test]
fn a_saved_program_has_the_inputs_that_it_speaks_of() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("saved.py");
    let mut driver = Driver::cpu();
    driver.ok("x = 'it\\'s'");
    driver.ok("n = len(In[1]) + len(_i)");
    driver.ok("k = len(In)");
    driver.ok(&format!(":save {}", path.display()));
    let mut other = Driver::cpu();
    other.ok("1");
    other.ok(&format!(":load {}", path.display()));
    let said = driver.ok("print(n, k)");
    assert_eq!(other.ok("print(n, k)"), said);
    assert_eq!(said, "22 4\n");
}

#[test]
fn settings_of_printing_go_back_with_the_statement() {
    let mut driver = Driver::cpu();
    driver.fails("a = (np.set_printoptions(precision=2), [][0])");
    assert_eq!(driver.ok("print(array([1 / 3]))"), "[0.33333334]\n");
    driver.ok("np.set_printoptions(precision=2)");
    assert_eq!(driver.ok("print(array([1 / 3]))"), "[0.33]\n");
}

#[test]
fn all_functions_on_a_page() {
    let shown = Driver::cpu().ok(":help functions");
    for name in [
        "making tensors",
        "zeros",
        "cuda.memory_stats",
        "linalg.",
        "str.join",
        "x.view",
        "enumerate",
    ] {
        assert!(shown.contains(name), "{name}: {shown}");
    }
}

#[test]
fn exit_is_a_name_like_any_other_once_it_is_bound() {
    let mut driver = Driver::cpu();
    driver.ok("exit = 3");
    assert_eq!(driver.ok("print(exit)\nexit\nprint(1)"), "3\n1\n");
}

fn wrong(line: &str) -> Diagnostic {
    let outcome = Driver::cpu().session.run(line, &mut Nobody);
    outcome.error.unwrap_or_else(|| panic!("{line} runs"))
}

/// What is meant for a shell leads to what there is here, however the parser stumbles over it.
#[test]
fn what_is_typed_for_a_shell_is_told_so() {
    for line in [
        "pip install numpy",
        "conda install x",
        "cd ..",
        "python script.py",
        "python3 -m venv x",
        "git commit -m 'x'",
        "cat file.txt",
        "ls *.npy",
        "apt-get install x",
        "find . -name x",
        "export X=1",
        "./run.sh --fast",
        "x = 1\nmake all",
    ] {
        let error = wrong(line);
        assert_eq!(error.kind.name(), "SyntaxError", "{line}");
        assert!(
            error.message.ends_with("is for a shell, which this is not"),
            "{line}: {}",
            error.message
        );
        assert!(!error.hints.is_empty(), "{line}");
    }
    for line in ["git", "python", "nvidia-smi", "ls -la", "make", "echo"] {
        let error = wrong(line);
        assert!(error.kind.name() == "NameError" && !error.hints.is_empty(), "{line}: {error:?}");
    }
    // Names that programs use, too.
    for (line, message) in [
        ("top = 5; top - 1 +", "expected an expression, found the end of the text"),
        ("find = [1]; find[0] x", "expected the end of the statement, found `x`"),
        ("head = tail = 2; head * tail *", "expected an expression, found the end of the text"),
    ] {
        assert_eq!(wrong(line).message, message, "{line}");
    }
}
