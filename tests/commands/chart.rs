//! `:plot`, `:hist` and `:heat`, drawn with characters.

use expect_test::{Expect, expect};

use super::driver::{self, Driver};

#[track_caller]
fn check(cell: &str, expected: Expect) {
    let setup = "x = linspace(0, 1, 50); m = arange(12.0).reshape(3, 4)";
    driver::check(setup, cell, expected);
}

#[test]
fn a_line() {
    check(
        ":plot x ** 2",
        expect![[r#"
            x ** 2
            1.00 ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⡠⠔⠊
                 │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⡠⠒⠉⠀⠀⠀
            0.75 ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⡠⠒⠊⠁⠀⠀⠀⠀⠀⠀
                 │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⡠⠔⠊⠁⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
                 │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀⠤⠔⠊⠁⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
            0.50 ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⣀⠤⠔⠊⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
                 │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⣀⠤⠒⠊⠁⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
            0.25 ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀⡠⠤⠤⠒⠉⠁⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
                 │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀⣀⡠⠤⠤⠒⠒⠊⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
            0.00 ┤⣀⣀⣀⣀⣀⣀⣀⡠⠤⠤⠤⠤⠔⠒⠒⠒⠊⠉⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
                 └┬────────────┬────────────┬────────────┬────────────┬───────────
                  0           10           20           30           40
        "#]],
    );
}

#[test]
fn lines_over_x() {
    check(
        ":plot x, 1 - x, x ** 2",
        expect![[r#"
            x, 1 - x, x ** 2
            ━━ 1 - x  ━━ x ** 2
            1.00 ┤⠉⠒⠤⠤⢄⣀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⡠⠔⠊
                 │⠀⠀⠀⠀⠀⠀⠉⠑⠢⠤⠤⣀⡀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⡠⠒⠉⠀⠀⠀
            0.75 ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠈⠉⠒⠤⠤⢄⣀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⡠⠒⠊⠁⠀⠀⠀⠀⠀⠀
                 │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠉⠒⠢⠤⠤⣀⡀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⡠⠔⠊⠁⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
                 │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠈⠑⠒⠤⠤⢄⣀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀⠤⠔⠊⠁⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
            0.50 ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠉⠒⠒⠒⠤⣀⡀⢀⣀⠤⠔⠊⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
                 │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⣀⠤⠒⠊⠑⠒⠒⠢⢄⣀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
            0.25 ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀⡠⠤⠤⠒⠉⠁⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠉⠒⠒⠢⠤⣀⡀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
                 │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀⣀⡠⠤⠤⠒⠒⠊⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠈⠑⠒⠒⠤⢄⣀⠀⠀⠀⠀⠀⠀
            0.00 ┤⣀⣀⣀⣀⣀⣀⣀⡠⠤⠤⠤⠤⠔⠒⠒⠒⠊⠉⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠉⠒⠒⠢⠤⣀
                 └┬───────────┬────────────┬────────────┬────────────┬───────────┬
                 0.0         0.2          0.4          0.6          0.8        1.0
        "#]],
    );
}

#[test]
fn columns_are_lines() {
    check(
        ":plot m[:, :2]",
        expect![[r#"
            m[:, :2]
            ━━ m[:, :2][:, 0]  ━━ m[:, :2][:, 1]
                │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⣀⠤⠤⠒⠒⠉
            7.5 ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀⡠⠤⠔⠒⠊⠉⢁⣀⡠⠤⠒⠒⠉
                │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⣀⡠⠤⠒⠒⠉⠉⢀⣀⡠⠤⠒⠒⠉⠁⠀⠀⠀⠀⠀⠀
                │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀⣀⠤⠔⠒⠊⠉⠁⢀⣀⡠⠤⠒⠒⠉⠁⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
            5.0 ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀⡠⠤⠔⠒⠉⠉⠀⢀⣀⡠⠤⠒⠒⠉⠁⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
                │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⣀⡠⠤⠒⠒⠉⠉⠀⢀⣀⡠⠤⠒⠒⠉⠁⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
                │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⣀⡠⠤⠒⠒⠉⠁⠀⣀⣀⠤⠔⠒⠊⠉⠁⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
            2.5 ┤⠀⠀⠀⠀⠀⠀⢀⣀⠤⠤⠒⠒⠉⠁⢀⣀⠤⠤⠒⠒⠉⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
                │⣀⠤⠤⠒⠊⠉⠁⣀⡠⠤⠔⠒⠊⠉⠁⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
            0.0 ┤⣀⠤⠤⠒⠒⠉⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
                └┬───────────────────────────────┬──────────────────────────────┬
                 0                               1                              2
        "#]],
    );
}

#[test]
fn a_histogram() {
    check(
        ":hist -n 4 [1, 2, 2, 3, 9, nan]",
        expect![[r#"
            [1, 2, 2, 3, 9, nan]  without 1 nan
            1 ┤████████████████████████████████████████████████ 3
            3 ┤████████████████                                 1
            5 ┤                                                 0
            7 ┤████████████████                                 1
            9 ┘
        "#]],
    );
    check(
        ":hist [nan, inf]",
        expect![[r#"
            no finite number to count: 1 nan and 1 inf
        "#]],
    );
}

#[test]
fn a_heat_map() {
    check(
        ":heat m - 4",
        expect![[r#"
            m - 4
            ░░░░░░▒▒
            ▒▒▒▒▓▓▓▓
            ▓▓██████
            -7.0   ░░▒▒▓▓██ 7.0
        "#]],
    );
    check(
        ":imshow x",
        expect![[r#"
            x
                      ░░░░░░░░░░▒▒▒▒▒▒▒▒▒▒▓▓▓▓▓▓▓▓▓▓██████████
            0.010   ░░▒▒▓▓██ 0.990
        "#]],
    );
}

#[test]
fn what_cannot_be_drawn() {
    check(
        ":plot m, m",
        expect![[r#"
        ValueError: expected a vector, found 2 axes
          1 | :plot m, m
            |       ^
          hint: `x.ravel()` makes a vector; `:heat` draws a matrix
    "#]],
    );
    check(
        ":plot x, x[1:]",
        expect![[r#"
        ValueError: `x[1:]` has 49 numbers, and x has 50
          1 | :plot x, x[1:]
            |          ^^^^^
          hint: each y needs as many numbers as x
    "#]],
    );
    check(
        ":plot zeros(5, 20)",
        expect![[r#"
        ValueError: expected no more than 8 lines, which can be told apart
          1 | :plot zeros(5, 20)
            |       ^^^^^^^^^^^^
          hint: `:heat` draws a matrix whole
    "#]],
    );
    check(
        ":plot 'a'",
        expect![[r#"
        TypeError: expected numbers to draw, found str
          1 | :plot 'a'
            |       ^^^
    "#]],
    );
    check(
        ":plot zeros(0)",
        expect![[r#"
        ValueError: expected numbers to draw, found a tensor without elements
          1 | :plot zeros(0)
            |       ^^^^^^^^
    "#]],
    );
    check(
        ":plot y = x",
        expect![[r#"
        ValueError: expected an expression, found a statement
          1 | :plot y = x
            |       ^^^^^
          hint: usage: `:plot [X,] Y[, Y…]`
    "#]],
    );
    check(
        ":plot",
        expect![[r#"
        ValueError: expected a statement after `:plot`
          1 | :plot
            | ^^^^^
          hint: usage: `:plot [X,] Y[, Y…]`
    "#]],
    );
    check(
        ":hist",
        expect![[r#"
        ValueError: expected an expression to draw
          1 | :hist
            | ^^^^^
          hint: usage: `:hist [-n BINS] EXPRESSION`
          hint: `:history` lists the statements so far
    "#]],
    );
    check(
        ":hist 5",
        expect![[r#"
        ValueError: expected several numbers to draw, found one
          1 | :hist 5
            |       ^
          hint: usage: `:hist [-n BINS] EXPRESSION`
          hint: `:history 5` lists the last 5 statements
    "#]],
    );
    check(
        ":hist -n 0 x",
        expect![[r#"
        ValueError: expected a whole number from 1 on, found `0`
          1 | :hist -n 0 x
            |          ^
    "#]],
    );
    check(
        ":heat 3 +",
        expect![[r#"
        SyntaxError: expected an expression, found the end of the text
          1 | :heat 3 +
            |          ^
    "#]],
    );
}

#[test]
fn what_is_drawn_counts_as_run() {
    let mut driver = Driver::cpu();
    driver.ok(":plot randn(20)");
    let after = driver.show("randn(2)");
    let mut other = Driver::cpu();
    other.ok("randn(20)");
    assert_eq!(after, other.show("randn(2)"));
    assert!(driver.ok(":history").contains("randn(20)"));
    let found = driver.session.complete(":hist lins", 10);
    assert_eq!(found.items[0].0, "linspace");
}
