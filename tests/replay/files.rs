//! Snapshots of PyTorch's become traces, and what is said about them is true.

use genesis_repl::replay::{
    Advice, Comparison, Moment, Op, Origin, Question, Settings, Trace, compare, read, report,
};

use crate::pickles::{event, segment, snapshot};

const MIB: i64 = 1 << 20;

pub fn traces(bytes: &[u8]) -> Vec<Trace> {
    read(&mut &*bytes, bytes.len() as u64).unwrap_or_else(|error| panic!("{error:?}"))
}

pub fn compared(trace: &Trace, limit: Option<u64>) -> Comparison {
    compare(trace, &Question { limit, policies: Vec::new() }, &|| false).unwrap()
}

/// A run that ends in pieces: a block of 2 MiB lies in a segment of 60, and 59 more are asked for.
pub fn fragmented() -> Vec<u8> {
    let events = vec![
        event("segment_alloc", 0x1000_0000, 60 * MIB, 3),
        event("alloc", 0x1000_0000, 60 * MIB, 3),
        event("free_requested", 0x1000_0000, 60 * MIB, 3),
        event("free_completed", 0x1000_0000, 60 * MIB, 3),
        event("alloc", 0x1000_0000, 2 * MIB, 7),
        event("oom", 40 * MIB, 59 * MIB, 9),
    ];
    let left = segment(0, 0x1000_0000, &[(2 * MIB, true, 7), (58 * MIB, false, 0)]);
    snapshot(vec![left], vec![events], "")
}

#[test]
fn events_become_steps() {
    let events = vec![
        // Of a time before the recording: its address is above that of the other one.
        event("free_completed", 0x3000, 700, 1),
        event("alloc", 0x5000, 5000, 2),
        event("free_requested", 0x5000, 5000, 2),
        event("segment_alloc", 0x10_0000, 20 * MIB, 3),
        event("alloc", 0x10_0000, 3 * MIB, 3),
        event("free_completed", 0x5000, 5000, 2),
        event("snapshot", 0, 0, 4),
        // Is asked for again without an end in between, which a gap in the recording hides.
        event("alloc", 0x10_0000, 2 * MIB, 5),
    ];
    let segments = vec![
        segment(0, 0x1000, &[(512, true, 8), (1024, false, 0)]),
        segment(0, 0x10_0000, &[(2 * MIB, true, 5), (18 * MIB, false, 0)]),
    ];
    let found = traces(&snapshot(segments, vec![events], "max_split_size_mb:64"));
    let [trace] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((trace.origin, trace.device.as_str()), (Origin::PyTorch, "cuda:0"));
    assert_eq!(
        (trace.before, trace.blocks, trace.settings.as_str()),
        (2, 5, "max_split_size_mb:64")
    );
    let shown: Vec<String> = trace
        .ops
        .iter()
        .map(|op| match *op {
            Op::Allocate { id, bytes, site, .. } => {
                format!("a{id} {bytes} {}", trace.sites.name(site))
            }
            Op::Free { id } => format!("f{id}"),
            Op::Refused { bytes, .. } => format!("r{bytes}"),
        })
        .collect();
    let expected = [
        "a0 512 a/train.py:8 step",
        "a1 700 a/train.py:1 step",
        "f1",
        "a2 5000 a/train.py:2 step",
        "a3 3145728 a/train.py:3 step",
        "f2",
        "f3",
        "a4 2097152 a/train.py:5 step",
    ];
    assert_eq!(shown, expected);
    let recorded = trace.recorded.unwrap();
    assert_eq!((recorded.peak_reserved, recorded.calls), (20 * MIB as u64 + 1536, 1));
    assert_eq!((recorded.capacity, recorded.refused_at), (None, None));
}

#[test]
fn each_device_is_a_trace() {
    let of = |bytes| vec![event("alloc", 0x1000, bytes, 1)];
    let found = traces(&snapshot(Vec::new(), vec![of(1000), Vec::new(), of(2000)], ""));
    let names: Vec<&str> = found.iter().map(|trace| trace.device.as_str()).collect();
    assert_eq!(names, ["cuda:0", "cuda:2"]);
    assert_eq!([found[0].peaks().live, found[1].peaks().live], [1000, 2000]);
}

#[test]
fn pools_of_graphs_are_streams_of_their_own() {
    use crate::pickles::Part;
    let with = |pool: Part, address| match event("alloc", address, MIB, 1) {
        Part::Dict(entries) => Part::Dict(
            entries
                .into_iter()
                .map(|(k, v)| (k, if k == "pool_id" { pool.clone() } else { v }))
                .collect(),
        ),
        other => other,
    };
    let events =
        vec![with(Part::Pair(0, 0), 1), with(Part::Pair(0, 1), 2), with(Part::Pair(0, 1), 3)];
    let trace = &traces(&snapshot(Vec::new(), vec![events], ""))[0];
    let streams: Vec<u32> = trace
        .ops
        .iter()
        .filter_map(|op| if let Op::Allocate { stream, .. } = op { Some(*stream) } else { None })
        .collect();
    assert_eq!(streams, [0, 1, 1]);
}

#[test]
fn what_would_have_saved_the_run() {
    let trace = &traces(&fragmented())[0];
    let answer = compared(trace, None);
    assert_eq!((answer.limit, answer.is_recorded_limit), (Some(100 << 20), true));
    let ran_out = answer.runs[0].ran_out.as_ref().unwrap();
    assert_eq!((ran_out.bytes, ran_out.live, ran_out.reserved), (59 << 20, 2 << 20, 60 << 20));
    assert_eq!(trace.sites.name(ran_out.site), "a/train.py:9 step");
    let by = |name: &str| answer.runs.iter().find(|run| run.choice.label() == name).unwrap();
    for name in ["pytorch expandable_segments:True", "paged", "direct"] {
        assert!(by(name).ran_out.is_none(), "{name}");
    }
    let Advice::Saved(saved) = &answer.advice else { panic!("{:?}", answer.advice) };
    assert_eq!(
        saved[0].choice.settings,
        Settings { expandable_segments: true, ..Settings::default() }
    );
    let settings: Vec<String> = saved.iter().map(|run| run.choice.settings.to_string()).collect();
    assert!(!settings.iter().any(|setting| setting.starts_with("roundup")), "{settings:?}");
    // The recording ends there, so its own segments are looked at.
    assert_eq!(answer.moment, Moment::End);
    let pinned = &answer.pinned[0];
    assert_eq!((pinned.bytes, pinned.free, pinned.largest), (60 << 20, 58 << 20, 58 << 20));
    assert_eq!(trace.sites.name(pinned.by[0].0), "a/train.py:7 step");
    let shown = report(trace, &answer).to_plain();
    assert!(
        shown.contains("PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True would have saved the run"),
        "{shown}"
    );
    assert!(shown.contains("59.0 MiB asked for by a/train.py:9 step"), "{shown}");
}

#[test]
fn what_no_setting_could_have_saved() {
    let trace = &traces(&fragmented())[0];
    let answer = compared(trace, Some(50 << 20));
    // 60 MiB are live at the first request already.
    let Advice::TooMuch { short } = answer.advice else { panic!("{:?}", answer.advice) };
    assert_eq!(short, 11 << 20);
    assert!(answer.runs.iter().all(|run| run.ran_out.is_some()));
    let plenty = compared(trace, Some(1 << 30));
    assert!(plenty.runs.iter().all(|run| run.ran_out.is_none()));
    assert!(!matches!(plenty.advice, Advice::Saved(_) | Advice::TooMuch { .. }));
}

#[test]
fn without_a_history_there_are_the_segments() {
    let left = segment(0, 0x1000_0000, &[(2 * MIB, true, 7), (58 * MIB, false, 0)]);
    let trace = &traces(&snapshot(vec![left], vec![Vec::new()], ""))[0];
    assert_eq!((trace.before, trace.ops.len()), (1, 1));
    let shown = report(trace, &compared(trace, None)).to_plain();
    assert!(shown.contains("_record_memory_history"), "{shown}");
    assert!(shown.contains("a/train.py:7 step"), "{shown}");
}

#[test]
fn lines_of_text_are_a_trace() {
    let text = "# two\na 1 1000\n\na 2 2000 # the larger\nf 1\r\na 1 3000\n";
    let trace = &traces(text.as_bytes())[0];
    assert_eq!((trace.origin, trace.blocks, trace.peaks().live), (Origin::Text, 3, 5000));
    let cases = [
        ("a 1\n", "line 1: expected `a ID BYTES` or `f ID`, found `a 1`"),
        ("a 1 1\nf 2\n", "line 2: it frees what is not there"),
        ("a 1 1\na 1 1\n", "line 2: 1 is asked for, and it has not been freed"),
        ("a 1 -1\n", "line 1: expected `a ID BYTES`, both whole numbers"),
        ("a 1 18446744073709551615\n", "line 1: expected `a ID BYTES`, both whole numbers"),
        ("# nothing\n", "the trace has no steps"),
    ];
    for (text, expected) in cases {
        let error = read(&mut text.as_bytes(), text.len() as u64).unwrap_err();
        assert_eq!(std::io::Error::from(error).to_string(), expected);
    }
}
