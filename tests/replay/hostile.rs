//! Files that are no snapshots, are cut off, or want to do harm: an error in words, and little memory.

use genesis_repl::replay::{Question, compare, read};

use crate::files::{fragmented, traces};
use crate::pickles::{Part, pickle, text};

fn error(bytes: &[u8]) -> String {
    match read(&mut &*bytes, bytes.len() as u64) {
        Ok(_) => panic!("{:?} was read", String::from_utf8_lossy(&bytes[..bytes.len().min(60)])),
        Err(error) => std::io::Error::from(error).to_string(),
    }
}

#[test]
fn no_snapshots() {
    let cases: [(&[u8], &str); 12] = [
        (b"", "the file is empty"),
        (b"PK\x03\x04", "expected a pickle of `torch.cuda.memory._dump_snapshot`"),
        (b"\x80\x04N.", "it has no `segments`"),
        (b"\x80\x04}.", "it has no `segments`"),
        (b"{\"segments\": 3}", "it has no `segments`"),
        (b"{\"segments\": [], \"history\": []}", "nothing was allocated"),
        (b"{\"segments\": [3], \"history\": []}", "a segment is no dictionary"),
        (b"{\"segments\": [{}], \"history\": []}", "a segment has no list of blocks"),
        (b"{\"segments\": [], \"history\": [{}]}", "an event has no action"),
        (b"{\"segments\": [", "the JSON is broken at byte 14: it ends too early"),
        (b"{\"segments\": []} 3", "expected the end"),
        (b"\x80\x09.", "protocol 9 is newer than 5"),
    ];
    for (bytes, expected) in cases {
        let found = error(bytes);
        assert!(found.contains(expected), "{found}\n{expected}");
    }
}

#[test]
fn code_is_never_run() {
    let cases: [&[u8]; 5] = [
        b"\x80\x02cos\nsystem\nX\x02\x00\x00\x00id\x85R.",
        b"\x80\x04\x8c\x02os\x8c\x06system\x93.",
        b"(dS'a'\n(S'id'\nios\nsystem\ns.",
        b"\x80\x02Qid.",
        b"\x80\x02}\x82\x01.",
    ];
    for bytes in cases {
        let found = error(bytes);
        assert!(found.contains("no code is ever run") || found.contains("nothing is"), "{found}");
    }
    assert!(error(cases[0]).contains("`os.system`"));
}

#[test]
fn a_file_may_end_anywhere() {
    let whole = fragmented();
    for end in 0..whole.len() {
        let found = error(&whole[..end]);
        assert!(end < 2 || found.contains("ends too early"), "{end}: {found}");
    }
}

#[test]
fn any_byte_may_be_wrong() {
    let whole = fragmented();
    let mut seed = 1u64;
    let mut draw = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    let mut read_well = 0;
    for _ in 0..20_000 {
        let mut bytes = whole.clone();
        for _ in 0..=draw(3) {
            let at = draw(bytes.len());
            bytes[at] = draw(256) as u8;
        }
        if let Ok(traces) = read(&mut &*bytes, bytes.len() as u64) {
            read_well += 1;
            for trace in &traces {
                compare(trace, &Question::default(), &|| false);
            }
        }
    }
    assert!(read_well > 100, "{read_well}");
}

#[test]
fn claims_are_held_against_the_length() {
    let cases: [&[u8]; 5] = [
        b"\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\x7fx",
        b"\x80\x04X\xff\xff\xff\xffx",
        b"\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\xff.",
        b"\x80\x04\x8b\xff\xff\xff\x7f.",
        b"\x80\x04]j\xff\xff\xff\xff.",
    ];
    for bytes in cases {
        error(bytes);
    }
    // What is remembered under a far number is remembered; there is no table up to it.
    error(b"\x80\x04]r\xff\xff\xff\xff0j\xff\xff\xff\xff.");
}

#[test]
fn depth_costs_no_stack() {
    for bytes in [b"]".repeat(3 << 20), b"(".repeat(3 << 20), b"}".repeat(3 << 20)] {
        error(&[b"\x80\x04".as_slice(), &bytes, b"."].concat());
    }
    assert!(error(&[b"{\"a\":".as_slice(), &b"[".repeat(1 << 20)].concat()).contains("too deep"));
    // A list that holds itself, and a snapshot that is its own segments.
    error(b"\x80\x02]q\x00h\x00a.");
    error(b"\x80\x02}q\x00X\x08\x00\x00\x00segmentsh\x00s.");
}

/// A list doubled many times over by reference: numbers of parts grow, and memory does not.
#[test]
fn references_are_no_copies() {
    let mut bytes = b"\x80\x02]q\x00".to_vec();
    for at in 0..60u8 {
        bytes.extend([b']', b'q', at + 1, b'(', b'h', at, b'h', at, b'e']);
    }
    bytes.push(b'.');
    assert!(error(&bytes).contains("no memory snapshot"));
}

#[test]
fn odd_types_are_errors_or_nothing() {
    let odd = [
        ("segments", text("none")),
        ("segments", Part::Int(4)),
        ("device_traces", Part::Int(4)),
        ("device_traces", Part::List(vec![Part::Int(4)])),
        ("device_traces", Part::List(vec![Part::List(vec![text("alloc")])])),
    ];
    for (key, part) in odd {
        let mut entries =
            vec![("segments", Part::List(Vec::new())), ("device_traces", Part::List(Vec::new()))];
        entries.push((key, part));
        error(&pickle(&Part::Dict(entries)));
    }
    let far = Part::Dict(vec![("device", Part::Int(i64::MAX)), ("blocks", Part::List(Vec::new()))]);
    error(&pickle(&Part::Dict(vec![("segments", Part::List(vec![far]))])));
}

/// Numbers at the ends of their range go through every policy.
#[test]
fn sizes_beyond_all_memory() {
    use crate::pickles::{event, segment, snapshot};
    let events = vec![
        event("alloc", i64::MAX, i64::MAX, 1),
        event("alloc", -1, -1, 2),
        event("alloc", 16, 0, 3),
        event("segment_alloc", 16, i64::MAX, 3),
        event("segment_free", 32, i64::MAX, 3),
        event("oom", i64::MAX, i64::MAX, 4),
    ];
    let segments = vec![segment(0, i64::MAX - 1, &[(1, true, 1)]), segment(0, 64, &[(0, true, 2)])];
    for trace in traces(&snapshot(segments, vec![events], "max_split_size_mb:3")) {
        for limit in [None, Some(0), Some(1 << 62), Some(u64::MAX)] {
            let question = Question { limit, policies: Vec::new() };
            assert!(compare(&trace, &question, &|| false).is_some());
        }
    }
}
