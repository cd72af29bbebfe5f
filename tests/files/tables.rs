//! Tables of text: statistics of their columns, of which a part is in memory at a time, and what is wrong with lines.

use super::*;

#[test]
fn statistics_of_a_text_have_a_row_for_each_column() {
    let mut desk = Desk::new();
    fs::write(desk.at("t.csv"), "x, y\n1,2\n3,\n\n5,8 # said\n").unwrap();
    desk.prints(
        "for row in stats('@t.csv'):\n    print(row['name'], row['shape'], row['mean'], row['nan'])",
        "x (3,) 3.0 0\ny (3,) 5.0 1",
    );
    fs::write(desk.at("t.tsv"), "1\t2\n3\t4\n").unwrap();
    desk.prints("print([row['name'] for row in stats('@t.tsv')])", "['column 0', 'column 1']");
    fs::write(desk.at("e.csv"), "a,b\n").unwrap();
    desk.prints(
        "print([(row['name'], row['elements']) for row in stats('@e.csv')])",
        "[('a', 0), ('b', 0)]",
    );
    fs::write(desk.at("n.csv"), "").unwrap();
    desk.prints("print(stats('@n.csv'))", "nothing to count");
    // What only the language reads.
    fs::write(desk.at("u.csv"), "a,b\n1_0,2\n").unwrap();
    desk.prints("print([row['mean'] for row in stats('@u.csv')])", "[10.0, 2.0]");
}

#[test]
fn a_long_text_is_read_in_parts() {
    let mut desk = Desk::new();
    let mut text = String::from("n,half\n");
    let rows = 2_000_000;
    for row in 0..rows {
        text += &format!("{row},{}.5\n", row % 10);
    }
    assert!(text.len() > 20 << 20, "longer than what is in memory at once");
    fs::write(desk.at("l.csv"), &text).unwrap();
    desk.prints(
        "n, half = stats('@l.csv')\nprint(n['elements'], n['mean'], n['max'], half['mean'], half['min'])",
        "2000000 999999.5 1999999.0 5.0 0.5",
    );
    fs::write(desk.at("l.csv"), text.clone() + "1,2,3\n").unwrap();
    desk.fails("stats('@l.csv')", "the number of columns changed from 2 to 3 at row 2000001");
    desk.fails("load('@l.csv')", "it is line 2000002 of");
    fs::write(desk.at("l.csv"), text + "1,x\n").unwrap();
    for reader in ["stats", "load"] {
        desk.fails(
            &format!("{reader}('@l.csv')"),
            "at row 2000000, column 2.; it is line 2000002 of",
        );
    }
}

#[test]
fn what_is_in_memory_at_once_ends_anywhere() {
    let mut desk = Desk::new();
    // A mark of UTF-8 in front, lines that end in all ways, comments, a blank, and no end of the last line.
    let mut text = String::from("\u{feff}");
    let rows = 1_300_000;
    for row in 0..rows {
        let ending = ["\n", "\r\n", " # said\n", "\n\n"][row % 4];
        text += &format!("{row},{}.25{ending}", row % 1000);
    }
    assert!(text.len() > 17 << 20, "longer than what is in memory at once");
    let end = text.trim_end().len();
    fs::write(desk.at("l.csv"), &text[..end]).unwrap();
    desk.run("n = np.arange(1300000.0)\nwant = np.stack([n, n % 1000 + 0.25], axis=1)").unwrap();
    for (how, part) in [
        ("", "want"),
        ("skiprows=4, max_rows=1200000", "want[4:1200004]"),
        ("dtype='float32'", "want.astype('float32')"),
        ("usecols=1", "want[:, 1]"),
    ] {
        let asked = format!(
            "x = np.loadtxt('@l.csv', delimiter=',', {how})\nprint(x.shape == {part}.shape, (x == {part}).all())"
        );
        desk.prints(&asked, "True True");
    }
    fs::write(desk.at("i.txt"), "-7 8\n".repeat(3_600_000)).unwrap();
    desk.prints(
        "x = np.loadtxt('@i.txt', dtype='int8')\nprint(x.shape, x.dtype, (x == np.array([-7, 8], dtype='int8')).all())",
        "(3600000, 2) int8 True",
    );
    // A line that is longer than that.
    fs::write(desk.at("w.txt"), "0.5 ".repeat(4_400_000) + "\n").unwrap();
    desk.prints("x = np.loadtxt('@w.txt')\nprint(x.shape, (x == 0.5).all())", "(4400000,) True");
    fs::write(desk.at("none.txt"), "").unwrap();
    let path = desk.at("none.txt");
    let warned = "warning: UserWarning: loadtxt: input contained no data: ";
    desk.prints(
        "print(np.loadtxt('@none.txt').shape)",
        &format!("{warned}\"{}\"(0,)", path.display()),
    );
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let mut desk = Desk::new();
    for (text, words) in [
        ("a,b\n1,2\n\n3,x\n", "it is line 4 of"),
        ("1,2\n3,x\n", "`genfromtxt` reads what is no number as NaN"),
        ("a,b\n1,2\n3\n", "it is line 3 of"),
    ] {
        fs::write(desk.at("w.csv"), text).unwrap();
        desk.fails("load('@w.csv')", words);
        desk.fails("stats('@w.csv')", words);
    }
}

#[test]
fn other_files_say_what_to_do() {
    let mut desk = Desk::new();
    for (name, words) in [
        ("x.bin", "`np.fromfile(path, dtype)`"),
        ("x.h5", "HDF5 is not read; in Python `np.save("),
        ("x.pkl", "pickles are not read"),
        ("x.xlsx", "they save as .csv"),
        ("x.webp", "of pictures .png and .jpg are read"),
    ] {
        fs::write(desk.at(name), "what no reader knows").unwrap();
        desk.fails(&format!("load('@{name}')"), words);
    }
}

#[test]
fn another_delimiter() {
    let mut desk = Desk::new();
    fs::write(desk.at("s.csv"), "a;b\n1;2\n3;4\n").unwrap();
    desk.prints("print(load('@s.csv', delimiter=';'))", "[[1. 2.]\n [3. 4.]]");
    desk.prints("print(load('@s.csv', delimiter=';', columns='b'))", "[2. 4.]");
    // A column of text is no hindrance where it is not asked for.
    fs::write(desk.at("t.csv"), "name,x,y\nann,1,2\nbob,3,4\n").unwrap();
    desk.prints("print(load('@t.csv', columns=['y', 'x']))", "[[2. 1.]\n [4. 3.]]");
    desk.fails("load('@t.csv', columns='z')", "there are name, x, y");
    desk.fails("load('@t.csv')", "`usecols` chooses columns");
    desk.run("save('@x.npy', ones(2))").unwrap();
    desk.fails("load('@x.npy', delimiter=';')", "`delimiter` is for tables of text");
}

#[test]
fn what_has_no_statistics() {
    let mut desk = Desk::new();
    desk.fails("stats(5)", "expected a checkpoint, a table, a path or tensors, found int");
    desk.prints("print(stats([1, 2])[0]['mean'], stats({}))", "1.5 nothing to count");
    desk.fails("diff('@a.safetensors')", "`diff(a, b)` compares two of them");
    desk.fails("diff(ones(3), rank=True)", "`linalg.matrix_rank` is that of a matrix");
    desk.run(
        "save('@a.safetensors', {'w': zeros((3, 3))})\nsave('@b.safetensors', {'w': ones((3, 3))})",
    )
    .unwrap();
    desk.prints("print(diff('@a.safetensors', '@b.safetensors', rank=True)[0]['rank'])", "1");
}
