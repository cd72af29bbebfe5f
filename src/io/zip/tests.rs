use super::*;
use crate::io::Draft;
use std::fs;
use std::path::Path;

fn archive(folder: &Path, members: &[(&str, &[u8], bool)]) -> Vec<u8> {
    let path = folder.join("a.zip");
    let mut writer = Writer::new(Draft::new(&path).unwrap());
    for (name, bytes, is_deflated) in members {
        writer.begin(name, *is_deflated).unwrap();
        bytes.chunks(1000).for_each(|piece| writer.write(piece).unwrap());
        writer.end().unwrap();
    }
    writer.finish().unwrap().commit().unwrap();
    fs::read(path).unwrap()
}

/// Everything in an archive, as far as it can be read.
fn read(folder: &Path, bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let path = folder.join("b.zip");
    fs::write(&path, bytes).unwrap();
    let source = Source::open(&path).unwrap();
    let mut found = Vec::new();
    for member in members(&source)? {
        let mut inside = Vec::new();
        member.open(&source)?.read_to_end(&mut inside)?;
        found.push((member.name, inside));
    }
    Ok(found)
}

#[test]
fn members_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let long: Vec<u8> = (0..300_000u32).map(|n| (n % 251 * (n / 7000)) as u8).collect();
    let members: [(&str, &[u8], bool); 5] = [
        ("a", b"", true),
        ("b", b"", false),
        ("c", &long, true),
        ("d", &long, false),
        ("é", b"x", true),
    ];
    let found = read(folder.path(), &archive(folder.path(), &members)).unwrap();
    for ((name, bytes, _), found) in members.iter().zip(found) {
        assert!((name.to_string(), bytes.to_vec()) == found, "{name}");
    }
}

#[test]
fn no_byte_makes_it_panic_and_a_cut_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let text = b"all work and no play".repeat(3);
    let whole = archive(folder.path(), &[("a", &text, true), ("b", &text, false)]);
    let right = read(folder.path(), &whole).unwrap();
    for end in 0..whole.len() {
        assert!(read(folder.path(), &whole[..end]).is_err(), "{end}");
    }
    let mut state = 1u32;
    for at in 0..whole.len() {
        for _ in 0..3 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let mut changed = whole.clone();
            changed[at] = (state >> 24) as u8;
            // What it still gives of the members is what was in them: the checksums see to that.
            if let Ok(found) = read(folder.path(), &changed) {
                assert!(found.iter().all(|(_, bytes)| *bytes == text || bytes.is_empty()), "{at}");
                assert!(found.len() <= right.len());
            }
        }
    }
}

#[test]
fn what_claims_more_than_it_can_be_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let zeros = vec![0; 100_000];
    let whole = archive(folder.path(), &[("bomb", &zeros, true)]);
    let row = whole.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    let mut bomb = whole.clone();
    bomb[row + 24..row + 28].copy_from_slice(&0xf000_0000u32.to_le_bytes());
    let error = read(folder.path(), &bomb).unwrap_err();
    assert!(matches!(error, Error::Format(words) if words.contains("can't be")));
    // Two rows for one member.
    let mut twice = whole[..row].to_vec();
    let end = whole.len() - END;
    twice.extend(&whole[row..end]);
    twice.extend(&whole[row..end]);
    let name = twice.len() - 4;
    twice[name..name + 4].copy_from_slice(b"copy");
    let mut tail = whole[end..].to_vec();
    tail[8..12].copy_from_slice(&[2, 0, 2, 0]);
    tail[12..16].copy_from_slice(&(2 * (end - row) as u32).to_le_bytes());
    twice.extend(&tail);
    let error = read(folder.path(), &twice).unwrap_err();
    assert!(matches!(error, Error::Format(words) if words.contains("reaches into")));
}
