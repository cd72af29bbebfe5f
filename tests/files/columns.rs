//! Tables in Parquet, Arrow and Feather as programs read them: files that pyarrow wrote (`tests/columns/generate.py`).

use super::Desk;
use serde_json::Value;

/// A desk with a file of the goldens in its folder.
fn desk(golden: &str, file: &str) -> Desk {
    let desk = Desk::new();
    put(&desk, golden, file);
    desk
}

fn put(desk: &Desk, golden: &str, file: &str) {
    let lines = include_str!("../columns/files.jsonl").lines();
    let rows = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let row = rows.into_iter().find(|row| row["name"] == golden).unwrap();
    let hex = row["hex"].as_str().unwrap();
    let bytes =
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap());
    std::fs::write(desk.at(file), bytes.collect::<Vec<u8>>()).unwrap();
}

#[test]
fn columns_are_read_by_their_names() {
    let mut desk = desk("others", "t.parquet");
    desk.run("t = load('@t.parquet')").unwrap();
    let names = "['after', 'struct.x', 'date', 'time', 'stamp', 'old', 'money', 'wide', 'last']";
    desk.prints("print(list(t))", names);
    desk.prints("print(t.shape, len(t), 'text' in t, 'other' in t)", "(3, 14) 9 True False");
    desk.prints("print(t['after'], t['after'].dtype)", "[1 2 3] int64");
    desk.prints("print(t['last'], t['money'])", "[0.5 1.5 nan] [ 100.   nan -250.]");
    // Integers with nulls are floats, as in pandas.
    desk.prints("print(t['struct.x'], t.isnull('struct.x'))", "[ 1. nan nan] [False  True  True]");
    desk.prints(
        "print(t.column('date', fill=-1), t.column('date', fill=-1).dtype)",
        "[ 1  2 -1] int32",
    );
    desk.prints("print(t[1:]['after'], t[-1:].shape, t[9:]['last'])", "[2 3] (1, 14) []");
    desk.prints("print(t[['last', 'after']].keys())", "['last', 'after']");
    desk.prints(
        "print(np.asarray(load('@t.parquet', columns=['after', 'last'])))",
        "[[1.  0.5]\n [2.  1.5]\n [3.  nan]]",
    );
    desk.prints("print(t.get('none', 3), list(t.load()) == t.keys())", "3 True");
    for (name, words) in
        [("text", "text"), ("list", "nested"), ("huge", "decimal of more than 38 digits")]
    {
        desk.fails(
            &format!("t['{name}']"),
            &format!("column '{name}' is {words}, which no tensor holds"),
        );
    }
    desk.fails("t['nope']", "no column 'nope'");
    desk.fails("t[['nope']]", "no column 'nope'");
    desk.fails("t[::2]", "without a step");
}

#[test]
fn a_pretended_gpu_reads_them_too() {
    let mut desk = desk("others", "t.parquet");
    desk.run(":device simulate 1GiB").unwrap();
    desk.prints("t = load('@t.parquet')\nprint(t['after'], t['after'].device)", "[1 2 3] cuda:0");
    desk.prints(
        "print(t['last'], t[1:]['last'], t.isnull('last'))",
        "[0.5 1.5 nan] [1.5 nan] [False False  True]",
    );
}

#[test]
fn truth_with_nulls_wants_something_in_their_place() {
    let mut desk = desk("nothing but nulls", "t.parquet");
    desk.run("t = load('@t.parquet')").unwrap();
    desk.prints("print(t['int32'], t['double'])", "[nan nan nan nan nan] [nan nan nan nan nan]");
    desk.fails("t['bool']", "no bool stands for one");
    desk.prints("print(t.column('bool', fill=True))", "[ True  True  True  True  True]");
    desk.prints("print(t.isnull('bool').sum())", "5");
}

#[test]
fn the_same_of_all_three_formats() {
    let mut desk = desk("parquet zstd", "a.parquet");
    put(&desk, "arrow nulls", "b.arrow");
    put(&desk, "feather nulls", "c.feather");
    // What a file is says its beginning, whatever its name.
    put(&desk, "groups", "d.data");
    desk.run(
        "files = [load('@' + name) for name in ['a.parquet', 'b.arrow', 'c.feather', 'd.data']]",
    )
    .unwrap();
    for name in ["int8", "uint64", "float", "double"] {
        let same = format!(
            "a = files[0].column('{name}', fill=0)\nprint(a.shape, [bool((a == t.column('{name}', fill=0)).all()) for t in files])"
        );
        desk.prints(&same, "(30,) [True, True, True, True]");
    }
    desk.prints("print({int(t.isnull('int16').sum()) for t in files} != {0})", "True");
    desk.prints("print(len({int(t.isnull('int16').sum()) for t in files}))", "1");
    let rows =
        "print((files[3][5:19].column('int64', 0) == files[0].column('int64', 0)[5:19]).all())";
    desk.prints(rows, "True");
}

#[test]
fn what_is_no_such_file_says_so() {
    let mut desk = desk("plain", "t.parquet");
    let whole = std::fs::read(desk.at("t.parquet")).unwrap();
    std::fs::write(desk.at("cut.parquet"), &whole[..whole.len() / 2]).unwrap();
    std::fs::write(desk.at("other.parquet"), b"hello, world").unwrap();
    desk.fails("load('@cut.parquet')", "it is cut off");
    desk.fails("load('@other.parquet')", "like no file of Parquet, Arrow or Feather");
    desk.fails("load('@none.parquet')", "No such file");
}

#[test]
fn statistics_of_columns_count_nulls_apart() {
    let mut desk = desk("parquet zstd", "t.parquet");
    desk.prints(
        "s = stats(load('@t.parquet'))\nprint([row['name'] for row in s] == load('@t.parquet').keys())",
        "True",
    );
    let check = "t = load('@t.parquet')\nfor row in stats('@t.parquet'):\n    name = row['name']\n    \
                 there = t.column(name, fill=False if name == 'bool' else 0)[~t.isnull(name)].astype(float64)\n    \
                 assert row['nulls'] == t.isnull(name).sum() and row['elements'] == t.shape[0], row\n    \
                 assert row['zeros'] == (there == 0).sum() and abs(row['mean'] - there.mean()) <= 1e-9 * abs(there).max(), row\n    \
                 assert row['max'] == there.max() and row['min'] == there.min(), row\nprint('good')";
    desk.prints(check, "good");
    desk.prints(
        "d = diff('@t.parquet', '@t.parquet')\nprint({row['what'] for row in d})",
        "{'same'}",
    );
    desk.prints("print(stats(load('@t.parquet')[:0])[0]['mean'])", "None");
}

#[test]
fn dictionaries_of_numbers_are_read() {
    let mut desk = desk("arrow dictionary with nulls", "d.arrow");
    desk.prints("t = load('@d.arrow')\nprint(t['n'])", "[ 7. nan nan  9.  7.]");
    desk.prints("print(t.isnull('n'), t[3:]['n'])", "[False  True  True False False] [9. 7.]");
    desk.prints("print(stats(t)[0]['nulls'], stats(t)[0]['mean'] * 3)", "2 23.0");
    put(&desk, "arrow others", "o.arrow");
    desk.fails(
        "load('@o.arrow')['kind']",
        "column 'kind' is dictionary of text, which no tensor holds",
    );
}

#[test]
fn tables_are_looked_at_as_people_do() {
    let mut desk = desk("others", "t.parquet");
    desk.run("t = load('@t.parquet')").unwrap();
    desk.prints("print(t.after, t.dtypes['last'])", "[1 2 3] float64");
    desk.prints("print(t['a*'].columns, t['*e'].columns[:2])", "['after'] ['date', 'time']");
    desk.fails("t['z*']", "no column of");
    desk.fails("t[0]", "a table's columns have names, found int");
    desk.fails("t.nope", "'Table' object has no attribute 'nope'");
    let head = desk.run("print(t[['text', 'after', 'last', 'date']].head(2))").unwrap();
    let lines: Vec<&str> = head.lines().map(str::trim_end).collect();
    assert_eq!(
        lines,
        ["text  after  last  date", "0  (text)      1   0.5     1", "1  (text)      2   1.5     2"]
    );
    assert!(desk.run("print(t.tail(1))").unwrap().lines().last().unwrap().starts_with('2'));
    assert!(desk.run("print(t.describe())").unwrap().contains("nulls"));
}
