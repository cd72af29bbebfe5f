//! Pictures, beside those that Pillow made and read (`tests/pictures/generate.py`).

use super::*;

fn rows() -> Vec<Value> {
    let lines = include_str!("../pictures/pictures.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn pixels_are_those_that_pillow_reads() {
    let mut desk = Desk::new();
    for row in rows() {
        let name = row["name"].as_str().unwrap();
        fs::write(desk.at(name), bytes(&row["hex"])).unwrap();
        desk.run(&format!("x = load('@{name}')\ny = array({}, dtype=x.dtype)", row["pixels"]))
            .unwrap();
        let dtype = row["dtype"].as_str().unwrap();
        // Two decoders of JPEG round differently.
        let most = row["most"].as_u64().unwrap();
        let truth = format!(
            "print(x.dtype, x.shape == y.shape, int(abs(x.astype(int) - y.astype(int)).max()) <= {most})"
        );
        desk.prints(&truth, &format!("{dtype} True True"));
        desk.run("save('@again.png', x)").unwrap();
        desk.prints("print((imread('@again.png') == x).all())", "True");
    }
}

#[test]
fn cut_and_changed_pictures_are_errors_or_pictures() {
    let mut desk = Desk::new();
    let mut state = 9u32;
    for row in rows() {
        let (name, whole) = (row["name"].as_str().unwrap(), bytes(&row["hex"]));
        let step = match name {
            "rgb.png" => 1,
            "rgb.jpg" => 11,
            _ => 1 + whole.len() / 6,
        };
        for end in (0..whole.len()).step_by(step) {
            fs::write(desk.at(name), &whole[..end]).unwrap();
            desk.fails(&format!("load('@{name}')"), "ValueError");
        }
        for at in (0..whole.len()).step_by(step) {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let mut changed = whole.clone();
            changed[at] = (state >> 24) as u8;
            fs::write(desk.at(name), &changed).unwrap();
            let _ = desk.run(&format!("load('@{name}')"));
        }
    }
    desk.prints("print(1 + 1)", "2");
}

#[test]
fn sizes_are_held_against_the_file() {
    let mut desk = Desk::new();
    desk.run("save('@a.png', zeros((3, 3), dtype=uint8))").unwrap();
    let mut whole = fs::read(desk.at("a.png")).unwrap();
    whole[16..24].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff]);
    let mut sum = crc32fast::Hasher::new();
    sum.update(&whole[12..29]);
    whole[29..33].copy_from_slice(&sum.finalize().to_be_bytes());
    fs::write(desk.at("a.png"), &whole).unwrap();
    desk.fails("load('@a.png')", "more than");
    let jpeg = rows().into_iter().find(|row| row["name"] == "rgb.jpg").unwrap();
    let mut whole = bytes(&jpeg["hex"]);
    let at = whole.windows(2).position(|two| two == [0xff, 0xc0]).unwrap();
    whole[at + 5..at + 9].copy_from_slice(&[0xff; 4]);
    fs::write(desk.at("a.jpg"), &whole).unwrap();
    desk.fails("load('@a.jpg')", "more than");
    fs::write(desk.at("a.jpg"), "text").unwrap();
    desk.fails("load('@a.jpg')", "neither a PNG nor a JPEG");
}

#[test]
fn what_is_no_picture_is_not_written() {
    let mut desk = Desk::new();
    desk.run("imsave('@a.png', array([[True, False]]))").unwrap();
    desk.prints("print(imread('@a.png'))", "[[255   0]]");
    desk.fails("imsave('@a.png', ones((2, 2)))", "not of float32");
    desk.fails("imsave('@a.png', ones((2, 2, 5), dtype=uint8))", "channels");
    desk.fails("imsave('@a.png', ones((2, 0), dtype=uint8))", "0 pixels");
    desk.fails("imsave('@a.gif', ones((2, 2), dtype=uint8))", "written as PNG");
    desk.prints("print(imread('@a.png'))", "[[255   0]]");
    assert_eq!(desk.names(), ["a.png"]);
}
