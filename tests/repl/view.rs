//! `:view` on the terminal's second screen, and what ends it.

use rexpect::process::{Signal, WaitStatus};
use rexpect::session::PtySession;
use tempfile::TempDir;

use super::{run, terminal};

const ENTER: &str = "\u{1b}[?1049h";
const LEAVE: &str = "\u{1b}[?25h\u{1b}[?1049l";

fn viewing(home: &TempDir, expression: &str) -> PtySession {
    let mut repl = terminal(home.path(), &[], &[("NO_COLOR", "1")]);
    repl.send_line(&format!(":view {expression}")).unwrap();
    repl.exp_string(ENTER).unwrap();
    repl
}

fn press(repl: &mut PtySession, keys: &str) {
    repl.send(keys).unwrap();
    repl.flush().unwrap();
}

#[test]
fn keys_move_and_the_prompt_comes_back() {
    let home = TempDir::new().unwrap();
    let mut repl = viewing(&home, "arange(24.).reshape(2, 3, 4)");
    repl.exp_string("[0, 0, 0] = 0.0").unwrap();
    press(&mut repl, "\u{1b}[B\u{1b}[C]");
    repl.exp_string("[1, 1, 1] = 17.0").unwrap();
    press(&mut repl, "/22\r");
    repl.exp_string("[1, 2, 2] = 22.0").unwrap();
    press(&mut repl, "q");
    repl.exp_string(LEAVE).unwrap();
    repl.exp_string("In [2]: ").unwrap();
    repl.send_line("1 + 1").unwrap();
    repl.exp_string("Out[2]: 2").unwrap();
    // Once more, and out of it as programs are left that do not listen.
    repl.send_line(":view ones(3)").unwrap();
    repl.exp_string(ENTER).unwrap();
    repl.exp_string("[0] = 1.0").unwrap();
    repl.send_control('c').unwrap();
    repl.exp_string(LEAVE).unwrap();
    repl.exp_string("In [4]: ").unwrap();
}

#[test]
fn the_first_screen_comes_back_where_the_program_is_ended() {
    let home = TempDir::new().unwrap();
    let mut repl = viewing(&home, "ones(3)");
    repl.exp_string("[0] = 1.0").unwrap();
    repl.process_mut().signal(Signal::SIGTERM).unwrap();
    repl.exp_string(LEAVE).unwrap();
    let status = repl.process().wait().unwrap();
    assert!(matches!(status, WaitStatus::Signaled(_, Signal::SIGTERM, _)), "{status:?}");
}

#[test]
fn statistics_are_stopped() {
    let home = TempDir::new().unwrap();
    let mut repl = viewing(&home, "np.broadcast_to(ones(1000), (2_000_000, 1000))");
    repl.exp_string("[0, 0] = 1.0").unwrap();
    // Two billion elements, which take no memory and a while.
    press(&mut repl, "S");
    repl.exp_string("working").unwrap();
    repl.send_control('c').unwrap();
    repl.exp_string("stopped").unwrap();
    press(&mut repl, "q");
    repl.exp_string("In [2]: ").unwrap();
}

#[test]
fn without_a_terminal_the_first_slice_is_shown() {
    let (out, _, status) = run(&["-e", ":view ones(2, 2)"], b"");
    assert_eq!(status, 0);
    assert_eq!(
        out,
        "ones(2, 2)  float32 (2, 2)  cpu  16 B\n1 |         █| 1  mean 1  sd 0\n   0   1\n0 1.  1.\n1 1.  1.\n"
    );
    let (out, _, _) = run(&["--json"], b"{\"code\": \":view ones(2)\"}\n");
    assert!(out.contains("ones(2)  float32 (2,)  cpu  8 B"), "{out}");
}
