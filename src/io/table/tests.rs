//! What lines become, and the same of numbers as Rust's own reading.

use super::*;

fn form(delimiter: Option<u8>) -> Form {
    let kind = Number::Float;
    Form { delimiter, comments: vec![b'#'], columns: None, kind, filling: None, is_loose: false }
}

fn floats(piece: &Piece) -> Vec<f64> {
    piece.numbers.iter().map(|bits| f64::from_bits(*bits)).collect()
}

#[test]
fn lines_are_rows() {
    let piece = form(None).read(b"# head\n1 2.5\r\n\n  -3\tinf # said\n", usize::MAX);
    assert_eq!(floats(&piece), [1.0, 2.5, -3.0, f64::INFINITY]);
    assert_eq!((piece.rows, piece.width, piece.lines, piece.fault), (2, 2, 4, None));
    let piece = form(Some(b',')).read(b"1, 2\n3,4", 1);
    assert_eq!(floats(&piece), [1.0, 2.0]);
    let piece = form(Some(b',')).read(b"1,2\n\n\r\n#x\n3,4", usize::MAX);
    assert_eq!((piece.rows, piece.fault), (2, None));
    assert_eq!(
        form(Some(b',')).read(b"1,2\n  \n3,4", usize::MAX).fault,
        Some(Fault::Fields { found: 1, row: 1 })
    );
    let filled = Form { filling: Some(0), ..form(Some(b',')) };
    assert_eq!(filled.read(b"1,2\n  \n3,4", usize::MAX).rows, 2);
}

#[test]
fn what_is_wrong_has_its_place() {
    let fault = |form: Form, text: &str| form.read(text.as_bytes(), usize::MAX).fault.unwrap();
    let found = fault(form(None), "1 2\n3 x");
    assert_eq!(found, Fault::Number { text: "x".to_owned(), row: 1, column: 1 });
    assert_eq!(fault(form(None), "1 2\n3"), Fault::Fields { found: 1, row: 1 });
    let columns = Form { columns: Some(vec![-3]), ..form(None) };
    assert_eq!(fault(columns, "1 2"), Fault::Column { wanted: -3, fields: 2, row: 0 });
    assert_eq!(fault(form(None), "é"), Fault::Beyond);
    assert_eq!(fault(form(None), "1_0"), Fault::Beyond);
    let small = Form { kind: Number::Integer { low: 0, high: 255 }, ..form(None) };
    assert!(matches!(fault(small, "256"), Fault::Number { .. }));
}

#[test]
fn pieces_are_whole_lines_and_all_of_the_text() {
    let text: String = (0..200).map(|n| format!("{n}{}\n", "x".repeat(n % 17))).collect();
    for size in [1, 7, 64, 10_000] {
        let pieces = cuts(text.as_bytes(), size);
        assert_eq!(pieces.concat(), text.as_bytes());
        assert!(pieces.iter().all(|piece| piece.ends_with(b"\n")));
    }
    assert!(cuts(b"", 5).is_empty());
    assert_eq!(cuts(b"no end of it", 2).len(), 1);
}

/// What one field becomes: bits, or none.
fn one(form: &Form, field: &str) -> Option<u64> {
    let piece = form.read(field.as_bytes(), usize::MAX);
    if piece.fault.is_some() {
        return None;
    }
    assert_eq!((piece.rows, piece.fields, piece.lines), (1, 1, 1), "{field}");
    Some(piece.numbers[0])
}

const ODD: [&str; 52] = [
    "0",
    "-0",
    "+0",
    "00",
    "0.",
    ".0",
    ".",
    "-.",
    "+",
    "-",
    "1.",
    ".5",
    "-.5",
    "+.5e1",
    "1e",
    "1e+",
    "1e5",
    "1E5",
    "1e+05",
    "1e-05",
    "1e400",
    "-1e400",
    "1e-400",
    "5e-324",
    "2e-324",
    "3e-324",
    "4.9406564584124654e-324",
    "2.2250738585072011e-308",
    "2.2250738585072014e-308",
    "1.7976931348623157e308",
    "1.7976931348623159e308",
    "9007199254740993",
    "9007199254740992.5",
    "9007199254740993.0000000000000000000001",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999",
    "inf",
    "-inf",
    "+inf",
    "INF",
    "Infinity",
    "infinit",
    "nan",
    "-nan",
    "NaN",
    "nan(1)",
    "0x10",
    "1_0",
    "1 _0",
    "--1",
    "1f",
];

#[test]
fn fields_are_what_rust_reads() {
    for delimiter in [None, Some(b','), Some(b';')] {
        for field in ODD.iter().filter(|field| !field.contains(' ')) {
            let expected = field.parse::<f64>().ok().map(f64::to_bits);
            assert_eq!(one(&form(delimiter), field), expected, "{field}");
            assert_eq!(one(&form(delimiter), &format!(" {field}\t")), expected, "{field}");
        }
    }
}

/// Numbers without order.
fn draw(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn mantissas_of_all_lengths_and_all_exponents() {
    let mut state = 0x9e37_79b9_7f4a_7c15;
    for digits in 1..=25 {
        for round in 0..2000 {
            let mut field: String =
                (0..digits).map(|_| char::from(b'0' + (draw(&mut state) % 10) as u8)).collect();
            if round % 3 > 0 {
                field.insert(draw(&mut state) as usize % (digits + 1), '.');
            }
            if round % 5 > 1 {
                field += &format!("e{}", draw(&mut state) as i64 % 345);
            }
            if round % 7 == 0 {
                field.insert(0, '-');
            }
            let expected = field.parse::<f64>().ok().map(f64::to_bits);
            assert_eq!(one(&form(Some(b',')), &field), expected, "{field}");
        }
    }
    for _ in 0..50_000 {
        let number = f64::from_bits(draw(&mut state));
        if number.is_nan() {
            continue;
        }
        for field in [format!("{number:?}"), format!("{number:.18e}"), format!("{number:.16e}")] {
            assert_eq!(one(&form(None), &field), Some(number.to_bits()), "{field}");
        }
    }
}

#[test]
fn whole_numbers_of_all_lengths() {
    let kind = Number::Integer { low: i128::from(i64::MIN), high: i128::from(u64::MAX) };
    let mut state = 1;
    let mut fields: Vec<String> = Vec::new();
    for digits in 1..=22 {
        for sign in ["", "-", "+"] {
            let digits = (0..digits).map(|_| char::from(b'0' + (draw(&mut state) % 10) as u8));
            fields.push(sign.chars().chain(digits).collect());
        }
    }
    let ends = ["9223372036854775808", "-9223372036854775809", "18446744073709551615"];
    fields.extend(["18446744073709551616", "-", "1.0", "1e3", "1_0", "٣"].map(str::to_owned));
    fields.extend(ends.map(str::to_owned));
    for field in fields {
        let number = field.parse::<i128>().ok();
        let inside = |number: &i128| (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(number);
        let expected = number.filter(inside).map(|number| number as u64);
        assert_eq!(one(&Form { kind, ..form(None) }, &field), expected, "{field}");
    }
}

#[test]
fn what_ends_a_line_or_stands_beside_a_number() {
    let read = |form: &Form, text: &str| {
        let piece = form.read(text.as_bytes(), usize::MAX);
        (floats(&piece), piece.rows, piece.lines, piece.fault)
    };
    let commas = form(Some(b','));
    for text in ["1,2\r\n3,4", "1,2\n3,4\r\n", "1 ,\t2\n 3,4 ", "1,2#x\n3,4#", "1,2\n3,4\r"] {
        assert_eq!(read(&commas, text), (vec![1.0, 2.0, 3.0, 4.0], 2, 2, None), "{text:?}");
    }
    assert_eq!(read(&commas, "\n\r\n1,2\n\n"), (vec![1.0, 2.0], 1, 4, None));
    assert_eq!(read(&commas, ""), (vec![], 0, 0, None));
    let empty = |column| Some(Fault::Number { text: String::new(), row: 0, column });
    assert_eq!(read(&commas, "1,2,\n").3, empty(2));
    assert_eq!(read(&commas, "1,,2\n").3, empty(1));
    assert_eq!(read(&commas, ",1\n").3, empty(0));
    assert_eq!(read(&commas, "1,2\n3\n").3, Some(Fault::Fields { found: 1, row: 1 }));
    assert_eq!(read(&commas, "1\r2\n").3, Some(Fault::Beyond));
    // A tab between numbers is an empty field where each tab separates, and nothing where white space does.
    assert_eq!(read(&form(Some(b'\t')), "1\t\t2\n").3, empty(1));
    assert_eq!(read(&form(None), "1\t \t2\n"), (vec![1.0, 2.0], 1, 1, None));
    assert_eq!(read(&form(Some(b' ')), "1 \t2\n"), (vec![1.0, 2.0], 1, 1, None));
    // Marks that numbers are made of mean what they meant before.
    let odd = Form { comments: vec![b'5'], ..form(None) };
    assert_eq!(read(&odd, "1 2 5 6\n"), (vec![1.0, 2.0], 1, 1, None));
    assert_eq!(read(&form(Some(b'e')), "1e2\n"), (vec![1.0, 2.0], 1, 1, None));
    assert_eq!(read(&form(Some(b'-')), "1-2\n"), (vec![1.0, 2.0], 1, 1, None));
    let both = Form { comments: vec![b','], ..form(Some(b',')) };
    assert_eq!(read(&both, "1,2\n"), (vec![1.0], 1, 1, None));
    let filled = Form { filling: Some(7f64.to_bits()), ..form(Some(b',')) };
    assert_eq!(read(&filled, "1,,2\n"), (vec![1.0, 7.0, 2.0], 1, 1, None));
}

#[test]
fn pieces_of_any_size_are_the_whole() {
    let mut state = 5;
    let mut text = String::new();
    for row in 0..400 {
        let ending = ["\n", "\r\n", " \n", "# said\n"][row % 4];
        let (a, b) = (f64::from_bits(draw(&mut state)), draw(&mut state) as i64);
        text +=
            &format!("{}{:e},{b}{ending}", " ".repeat(row % 3), if a.is_nan() { 0.5 } else { a });
    }
    text.pop();
    let form = form(Some(b','));
    let whole = form.read(text.as_bytes(), usize::MAX);
    assert_eq!((whole.rows, whole.width, &whole.fault), (400, 2, &None));
    for size in (1..60).chain([100, 1000, 4096, text.len() - 1, text.len(), text.len() + 1]) {
        let pieces = cuts(text.as_bytes(), size);
        let read = pieces.iter().map(|piece| form.read(piece, usize::MAX));
        let joined: Vec<u64> = read.flat_map(|piece| piece.numbers).collect();
        assert_eq!(joined, whole.numbers, "{size}");
    }
    for most in [0, 1, 7, 399, 400, 401] {
        let piece = form.read(text.as_bytes(), most);
        assert_eq!(piece.numbers, whole.numbers[..2 * most.min(400)]);
    }
}
