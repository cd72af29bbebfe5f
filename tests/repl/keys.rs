//! Keys at the prompt: blocks, pasted texts, the arrows, completion.

use rexpect::session::PtySession;
use tempfile::TempDir;

use super::{run, terminal};

struct Repl {
    session: PtySession,
    /// Lives as long as the program.
    _home: TempDir,
}

impl Repl {
    fn new() -> Repl {
        let home = TempDir::new().unwrap();
        Repl { session: terminal(home.path(), &[], &[("NO_COLOR", "1")]), _home: home }
    }

    fn press(&mut self, keys: &str) {
        self.session.send(keys).unwrap();
        self.session.flush().unwrap();
    }

    #[track_caller]
    fn sees(&mut self, text: &str) {
        if let Err(error) = self.session.exp_string(text) {
            panic!("{text}: {error}");
        }
    }

    /// Types keys that make an input, and looks at how it was taken.
    #[track_caller]
    fn takes(&mut self, keys: &str, number: usize, text: &str) {
        self.press(keys);
        self.sees(&format!("In [{}]: ", number + 1));
        self.press(&format!("In[{number}]\r"));
        self.sees(&format!("Out[{}]: {text}", number + 1));
        self.sees(&format!("In [{}]: ", number + 2));
    }
}

const UP: &str = "\u{1b}[A";
const DOWN: &str = "\u{1b}[B";
const SHIFT_TAB: &str = "\u{1b}[Z";

fn paste(text: &str) -> String {
    format!("\u{1b}[200~{text}\u{1b}[201~")
}

#[test]
fn blocks_are_indented_while_they_are_typed() {
    let mut repl = Repl::new();
    let keys = "def f(a):\rfor i in a:\rb = i\rbreak\rreturn b\r\r";
    let text = "'def f(a):\\n    for i in a:\\n        b = i\\n        break\\n    return b'";
    repl.takes(keys, 1, text);
    // Tab and Shift-Tab, and Backspace, move a line.
    repl.takes("if 1:\r\tx = 1\r\r", 3, "'if 1:\\n        x = 1'");
    let keys = format!("if 1:\rif 2:\r{SHIFT_TAB}x = 1\r\r");
    repl.takes(&keys, 5, "'if 1:\\n    if 2:\\n    x = 1'");
    repl.takes("if 1:\rx = 1\r\u{7f}y = 2\r", 7, "'if 1:\\n    x = 1\\ny = 2'");
    // Empty lines belong to a text in three quotes.
    repl.takes("s = '''a\r\rb'''\r", 9, "\"s = '''a\\n\\nb'''\"");
}

#[test]
fn a_block_comes_back_as_one_text_to_edit() {
    let mut repl = Repl::new();
    let text = "'if 1:\\n    x = 1\\n    y = 2'";
    repl.takes("if 1:\rx = 1\ry = 2\r\r", 1, text);
    // Past `In[1]`, then into the block; Enter inside of it makes a line.
    let keys = format!("{UP}{UP}{UP}\u{5}\rz = 3{DOWN}\u{5}\r\r");
    repl.takes(&keys, 3, "'if 1:\\n    x = 1\\n    z = 3\\n    y = 2'");
}

#[test]
fn pasted_texts_lose_prompts_and_indentation() {
    let mut repl = Repl::new();
    let text = ">>> x = [1,\n...      2]\n>>> x\n[1, 2]\n>>> len(x)\n";
    repl.press(&(paste(text) + "\r"));
    repl.sees("Out[1]: 2");
    repl.sees("In [2]: ");
    repl.press(&(paste("    y = 20\n    y + 1") + "\r"));
    repl.sees("Out[2]: 21");
    repl.sees("In [3]: ");
    repl.press(&(paste("In [3]: z = (1 +\n   ...:      2)\n\nIn [4]: z\nOut[4]: 3\n") + "\r"));
    repl.sees("Out[3]: 3");
    repl.sees("In [4]: ");
    let block = ">>> if 1:\n...     x = 1\n...\n...     y = 2\n... ";
    repl.takes(&(paste(block) + "\r"), 4, "'if 1:\\n    x = 1\\n\\n    y = 2'");
}

#[test]
fn up_completes_what_was_typed() {
    let mut repl = Repl::new();
    repl.press("alpha = 1\rbeta = 2\r");
    repl.sees("In [3]: ");
    repl.takes(&format!("al{UP}\r"), 3, "'alpha = 1'");
    // The cursor is at the end, and the next arrow looks for what was typed.
    repl.press(&format!("be{UP} + 40\r"));
    repl.sees("In [6]: ");
    repl.takes(&format!("be{UP}{UP}\r"), 6, "'beta = 2'");
    repl.takes(&format!("be{UP}{UP}{DOWN}\r"), 8, "'beta = 2'");
    // An empty line goes through all of them.
    repl.takes(&format!("{UP}{UP}\r"), 10, "'beta = 2'");
    // Down leads back to what was typed, which goes on from there.
    repl.takes(&format!("gam{UP}{DOWN}ma = 5\r"), 12, "'gamma = 5'");
    repl.takes(&format!("al{UP}{UP}{DOWN}{DOWN}{DOWN}so = 6\r"), 14, "'also = 6'");
    repl.takes(&format!("be{UP}{UP}{UP}{DOWN}{DOWN}{DOWN}\u{7f}{UP}\r"), 16, "'beta = 2'");
    // What Ctrl-R finds has neighbours.
    repl.takes(&format!("\u{12}gamma\u{1b}[C{UP}{UP}\r"), 18, "'beta = 2'");
}

#[test]
fn tab_knows_types_devices_and_keys() {
    let mut repl = Repl::new();
    repl.press("d = {'key one': 41}\r");
    repl.sees("In [2]: ");
    repl.press("d['ke\t'] + 1\r");
    repl.sees("Out[2]: 42");
    repl.sees("In [3]: ");
    repl.press("zeros(1, dtype=bf\t).dtype\r");
    repl.sees("Out[3]: dtype('bfloat16')");
    repl.sees("In [4]: ");
    repl.press("zeros(1, device='c\t').device\r");
    repl.sees("Out[4]: device('cpu')");
}

#[test]
fn vi_edits_where_it_is_set() {
    let mut repl = Repl::new();
    repl.press(":set editing_mode vi\r");
    repl.sees("In [2]: ");
    repl.press("12345\u{1b}");
    // The editor waits a moment for what an escape may begin.
    std::thread::sleep(std::time::Duration::from_millis(700));
    repl.press("x\r");
    repl.sees("Out[2]: 1234");
}

#[test]
fn leaving() {
    for (keys, status) in [("exit\r", 0), ("quit()\r", 0), ("exit(3)\r", 3), ("\u{4}", 0)] {
        let mut repl = Repl::new();
        repl.press(keys);
        repl.session.exp_eof().unwrap();
        let ended = repl.session.process_mut().wait().unwrap();
        assert!(format!("{ended:?}").contains(&format!(", {status})")), "{keys:?}: {ended:?}");
    }
    assert_eq!(
        run(&["-e", "print(1)\nexit(2 + 1)\nprint(2)", "-e", "3"], b""),
        ("1\n".into(), "".into(), 3)
    );
    assert_eq!(run(&["-e", "quit('no more')"], b"").2, 1);
}

#[test]
fn help_has_the_keys_for_people_alone() {
    let mut repl = Repl::new();
    repl.press(":help\r");
    repl.sees("Ctrl-R");
    assert!(!run(&["-e", ":help"], b"").0.contains("Ctrl-R"));
}

#[test]
fn a_semicolon_silences() {
    let mut repl = Repl::new();
    repl.press("6 * 7;\r");
    let before = repl.session.exp_string("In [2]: ").unwrap();
    assert!(!before.contains("42"), "{before}");
    repl.press("_ + 1\r");
    repl.sees("Out[2]: 43");
    assert_eq!(run(&["-e", "1 + 1;  # quiet"], b"").0, "");
}
