//! Files of PyTorch's: those that it wrote (`tests/torch/generate.py`), and ours.

use super::*;

fn rows() -> Vec<Value> {
    let lines = include_str!("../torch/files.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn what_pytorch_writes_is_read_and_read_again_from_what_we_write() {
    let mut desk = Desk::new();
    for row in rows() {
        fs::write(desk.at("t.pt"), bytes(&row["hex"])).unwrap();
        match row["truth"].as_str() {
            Some(truth) => {
                desk.run("x = torch.load('@t.pt')").unwrap();
                desk.prints(&format!("print({truth})"), "True");
                desk.run("torch.save(x, '@u.pt')\nx = torch.load('@u.pt')").unwrap();
                desk.prints(&format!("print({truth})"), "True");
                desk.run("load('@t.pt')").unwrap();
            }
            None => desk.fails("torch.load('@t.pt')", row["words"].as_str().unwrap()),
        }
    }
}

#[test]
fn a_state_is_a_checkpoint_that_shares_what_it_shared() {
    let mut desk = Desk::new();
    desk.run(
        "x = arange(12.0).reshape(3, 4)\ntorch.save({'w': x, 'row': x[1], 't': x.T}, '@s.pt')",
    )
    .unwrap();
    desk.run("ck = load('@s.pt')").unwrap();
    desk.prints(
        "print(type(ck).__name__, ck['t'].shape, ck['t'][1].tolist(), ck['t'][:, 2].tolist())",
        "Checkpoint (4, 3) [1.0, 5.0, 9.0] [8.0, 9.0, 10.0, 11.0]",
    );
    let table = desk.run("print(ck)").unwrap();
    assert!(table.contains("float32") && table.contains("total"), "{table}");
    for loaded in ["ck.load()", "torch.load('@s.pt')"] {
        desk.run(&format!("d = {loaded}\nd['w'][1, 2] = -1")).unwrap();
        desk.prints(
            "print(d['row'].tolist(), d['t'][2].tolist())",
            "[4.0, 5.0, -1.0, 7.0] [2.0, -1.0, 10.0]",
        );
    }
    // Views that are far apart do not bring along what lies between them.
    desk.run("z = zeros(100000)\ntorch.save([z[:2], z[-2:]], '@far.pt')").unwrap();
    assert!(fs::metadata(desk.at("far.pt")).unwrap().len() < 5000);
    desk.run("torch.save(ck, '@again.pt')").unwrap();
    desk.prints("print(torch.load('@again.pt')['row'].tolist())", "[4.0, 5.0, 6.0, 7.0]");
    desk.prints("save('@v.pt', arange(3))\nprint(load('@v.pt'), torch.load('@v.pt', map_location='cpu').device)", "[0 1 2] cpu");
    fs::write(desk.at("m.bin.index.json"), r#"{"weight_map": {"row": "s.pt"}}"#).unwrap();
    desk.prints("print(list(load('@m.bin.index.json')))", "['row']");
}

#[test]
fn what_is_not_saved_leaves_the_old_file() {
    let mut desk = Desk::new();
    desk.run("torch.save([1], '@a.pt')\nclass C: pass").unwrap();
    for value in ["C()", "[C]", "{'x': print}", "slice(1)"] {
        desk.fails(&format!("torch.save({value}, '@a.pt')"), "is not saved");
    }
    desk.run("x = []\nfor i in range(100000): x = [x]").unwrap();
    desk.fails("torch.save(x, '@a.pt')", "RecursionError");
    desk.prints("print(torch.load('@a.pt'))", "[1]");
    assert_eq!(desk.names(), ["a.pt"]);
    desk.run("t = ([],)\nt[0].append(t)\ntorch.save(t, '@r.pt')\nu = torch.load('@r.pt')").unwrap();
    desk.prints("print(u[0][0] is u)", "True");
}
