//! Memory snapshots made by hand, in the form of `torch.cuda.memory._dump_snapshot`.

use genesis_repl::io::pickle::Writer;

/// What a snapshot is made of.
#[derive(Clone)]
pub enum Part {
    Int(i64),
    Text(String),
    List(Vec<Part>),
    Dict(Vec<(&'static str, Part)>),
    /// Of two numbers.
    Pair(i64, i64),
}

use Part::{Dict, Int, List, Pair};

pub fn text(text: &str) -> Part {
    Part::Text(text.to_owned())
}

/// It as a pickle.
pub fn pickle(part: &Part) -> Vec<u8> {
    let mut writer = Writer::new();
    write(&mut writer, part);
    writer.finish()
}

fn write(writer: &mut Writer, part: &Part) {
    match part {
        Int(value) => writer.int(*value),
        Part::Text(text) => writer.text(text),
        Pair(one, other) => {
            writer.int(*one);
            writer.int(*other);
            writer.out.push(0x86);
        }
        List(items) => {
            writer.out.extend(b"](");
            items.iter().for_each(|item| write(writer, item));
            writer.out.push(b'e');
        }
        Dict(entries) => {
            writer.out.extend(b"}(");
            for (key, value) in entries {
                writer.text(key);
                write(writer, value);
            }
            writer.out.push(b'u');
        }
    }
}

/// The frames of a line of `/home/a/train.py`, between those of PyTorch and of the interpreter.
pub fn frames(line: i64) -> Part {
    let frame = |file: &str, line: i64, name: &str| {
        Dict(vec![("filename", text(file)), ("line", Int(line)), ("name", text(name))])
    };
    List(vec![
        frame("??", 0, "c10::cuda::CUDACachingAllocator::allocate"),
        frame("/opt/lib/python3.11/site-packages/torch/nn/modules/linear.py", 125, "forward"),
        frame("/home/a/train.py", line, "step"),
        frame("/home/a/main.py", 1, "<module>"),
        frame("ceval.c", 0, "_PyEval_EvalFrame"),
    ])
}

pub fn event(action: &str, address: i64, bytes: i64, line: i64) -> Part {
    let place = if action == "oom" { "device_free" } else { "addr" };
    Dict(vec![
        ("action", text(action)),
        (place, Int(address)),
        ("size", Int(bytes)),
        ("stream", Int(0)),
        ("time_us", Int(1_700_000_000_000_000 + line)),
        ("compile_context", text("N/A")),
        ("user_metadata", text("")),
        ("pool_id", Pair(0, 0)),
        ("frames", frames(line)),
    ])
}

/// A block of a segment by bytes, whether it is held, and the line that asked.
pub fn segment(device: i64, address: i64, blocks: &[(i64, bool, i64)]) -> Part {
    let mut next = address;
    let block = |(bytes, is_held, line): &(i64, bool, i64)| {
        next += bytes;
        let state = if *is_held { "active_allocated" } else { "inactive" };
        let held = if *is_held { frames(*line) } else { List(Vec::new()) };
        Dict(vec![
            ("address", Int(next - bytes)),
            ("size", Int(*bytes)),
            ("requested_size", Int(if *is_held { *bytes } else { 0 })),
            ("state", text(state)),
            ("frames", held),
        ])
    };
    let listed = List(blocks.iter().map(block).collect());
    Dict(vec![
        ("device", Int(device)),
        ("address", Int(address)),
        ("total_size", Int(blocks.iter().map(|block| block.0).sum())),
        ("stream", Int(0)),
        ("segment_type", text("large")),
        ("segment_pool_id", Pair(0, 0)),
        ("frames", List(Vec::new())),
        ("blocks", listed),
    ])
}

pub fn snapshot(segments: Vec<Part>, traces: Vec<Vec<Part>>, settings: &str) -> Vec<u8> {
    let settings = Dict(vec![("PYTORCH_CUDA_ALLOC_CONF", text(settings))]);
    pickle(&Dict(vec![
        ("segments", List(segments)),
        ("device_traces", List(traces.into_iter().map(List).collect())),
        ("allocator_settings", settings),
    ]))
}
