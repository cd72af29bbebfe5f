//! What belongs into a shell and is typed here: other programs by their names, with words behind them.

use super::lexer::Lexed;
use crate::diag::{Diagnostic, ErrorKind, Span};

const INSTALL: &str = "nothing can be installed: NumPy's and PyTorch's functions are built in";
const LOAD: &str = "`:load FILE` runs a program in this session; `:quit` leads back to the shell";
const NO_PROCESSES: &str =
    "no other programs are started from here; Tab completes files in `:load ` and in strings";
const READ: &str =
    "`print(open(path).read())` shows a file; no other programs are started from here";
const GPU: &str = "`:device` shows the devices, `:mem` their memory";

/// What there is here instead of a program or a word of the shell.
pub fn shell_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "pip" | "pip3" | "pipx" | "conda" | "mamba" | "micromamba" | "uv" | "uvx" | "poetry"
        | "npm" | "npx" | "yarn" | "brew" | "apt" | "apt-get" | "yum" | "dnf" | "pacman"
        | "snap" | "easy_install" => INSTALL,
        "python" | "python2" | "python3" | "py" | "ipython" | "jupyter" | "bash" | "sh" | "zsh"
        | "cmd" | "powershell" | "node" | "julia" | "octave" | "matlab" => LOAD,
        "ls" | "ll" | "cd" | "pwd" | "mkdir" | "rmdir" | "rm" | "mv" | "cp" | "ln" | "touch"
        | "chmod" | "chown" | "sudo" | "git" | "gh" | "svn" | "make" | "cmake" | "cargo"
        | "rustc" | "gcc" | "go" | "docker" | "kubectl" | "ssh" | "scp" | "rsync" | "curl"
        | "wget" | "tar" | "zip" | "unzip" | "gzip" | "gunzip" | "grep" | "rg" | "sed" | "awk"
        | "find" | "which" | "whereis" | "whoami" | "ps" | "kill" | "killall" | "df" | "du"
        | "free" | "env" | "export" | "alias" | "unset" | "source" | "nohup" | "screen"
        | "tmux" | "ping" | "open" | "start" | "code" | "vi" | "vim" | "nvim" | "nano"
        | "emacs" | "tree" | "uname" | "hostname" | "xdg-open" => NO_PROCESSES,
        "cat" | "less" | "more" | "head" | "tail" | "bat" => READ,
        "echo" => "`print(…)` writes a text",
        "nvidia-smi" | "nvidia" | "nvtop" | "nvcc" => GPU,
        "htop" | "top" => "`:mem` shows the memory, `:time STATEMENT` what a statement takes",
        "history" => "`:history` lists what was typed",
        "set" => "`:set NAME VALUE` changes a setting; a value is assigned with `=`",
        "man" | "help" => "`:help` says where to begin, `name?` what a name does",
        "clear" | "cls" => "Ctrl-L clears the screen, `:reset` forgets the variables",
        _ => return None,
    })
}

/// The message for a line that fits a shell and nothing else; `wrong` is what the parser says of it.
#[cold]
pub fn instead(lexed: &Lexed<'_>, wrong: Box<Diagnostic>) -> Box<Diagnostic> {
    let at = (wrong.span.start as usize).min(lexed.text.len());
    let from = lexed.text[..at].rfind('\n').map_or(0, |before| before + 1);
    let line = lexed.text[from..].lines().next().unwrap_or_default();
    let indent = line.len() - line.trim_start().len();
    let line = line.trim();
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let word = line.split(|c| !is_part(c)).next().unwrap_or_default();
    let rest = &line[word.len()..];
    // `ls -la` and `cd ..`, and no `top - 1 +`.
    let begins = |text: &str| {
        let mut chars = text.chars();
        let (first, second) = (chars.next(), chars.next());
        first.is_some_and(|c| c.is_alphanumeric() || "_\"'$".contains(c))
            || first.is_some_and(|c| "-./~*".contains(c))
                && second.is_none_or(|c| !c.is_whitespace())
            || text.starts_with(". ")
    };
    let (what, hint) = match shell_word(word) {
        Some(hint) if rest.starts_with(' ') && begins(rest.trim_start()) => (word, hint),
        None if ["./", "~/", "../"].iter().any(|path| line.starts_with(path)) => {
            (line.split(' ').next().unwrap_or_default(), LOAD)
        }
        _ => return wrong,
    };
    let span = Span::new(lexed.source, from + indent, from + indent + what.len());
    let message = format!("`{what}` is for a shell, which this is not");
    Box::new(Diagnostic::new(ErrorKind::Syntax, span, message).with_hint(hint))
}
