//! Checkpoints of llama.cpp, beside the package `gguf` (`tests/gguf/generate.py`).

use super::*;

fn rows() -> Vec<Value> {
    let lines = include_str!("../gguf/blocks.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_file_is_a_checkpoint_whose_blocks_are_widened_as_they_are_read() {
    let mut desk = Desk::new();
    let rows = rows();
    let file = rows.last().unwrap();
    fs::write(desk.at("x.gguf"), bytes(&file["hex"])).unwrap();
    desk.run("ck = load('@x.gguf')").unwrap();
    for (name, shape) in file["tensors"].as_object().unwrap() {
        desk.prints(
            &format!("print(list(ck['{name}'].shape))"),
            &shape.to_string().replace(',', ", "),
        );
    }
    let table = desk.run("print(ck)").unwrap();
    assert!(table.contains("Q4_0 as float32") && table.contains("IQ4_NL"), "{table}");
    desk.prints("print(ck.metadata['x.half'], ck.metadata['tokenizer.ggml.tokens'], ck.metadata['x.counts'])", "0.5 ['a', 'é', ''] [1, 2, 3]");
    desk.prints("print(ck['plain'][1].tolist(), ck['whole'][...].tolist(), ck['half'][-1], ck['wide'].dtype)", "[3.0, 4.0, 5.0] [[1, -2]] 3.0 float64");
    for (name, row) in [("blk.0.q", "Q4_0"), ("blk.1.q", "Q6_K")] {
        let row = rows.iter().find(|found| found["name"] == row).unwrap();
        fs::write(desk.at("bits.bin"), bytes(&row["bits"])).unwrap();
        desk.run(&format!(
            "x = ck['{name}']\nb = np.fromfile('@bits.bin', dtype='f4').reshape(x.shape)"
        ))
        .unwrap();
        for index in [
            "...",
            "1",
            "-1, 3",
            "0, ::5",
            "1:",
            "::2, 7",
            "::-1",
            "None, 1, :3",
            "[1, 0], 2",
            "0:0",
            "b > 0",
        ] {
            desk.prints(&format!("print(x[{index}].shape == b[{index}].shape, bool((x[{index}] == b[{index}]).all()))"), "True True");
        }
        desk.prints("print(x.dtype, len(x), (x + 1).shape == b.shape)", "float32 2 True");
        desk.fails("x[2]", "out of bounds");
    }
    desk.fails("ck['odd'][0]", "IQ4_NL");
    desk.run("import safetensors.torch\nd = ck['blk.*'].load()\nsave('@w.safetensors', d)")
        .unwrap();
    desk.prints("print(load('@w.safetensors')['blk.1.q'].dtype)", "float32");
    fs::OpenOptions::new().write(true).open(desk.at("x.gguf")).unwrap().set_len(600).unwrap();
    desk.fails("ck['blk.1.q'][...]", "the file ends");
}
