//! Text that grows line by line, indented by its braces.

use std::fmt::{Display, Write};

#[derive(Debug, Default, Clone)]
pub struct Code {
    text: String,
    depth: usize,
}

impl Code {
    pub fn new() -> Code {
        Code::default()
    }

    /// One line. An empty one separates.
    pub fn line(&mut self, line: impl Display) {
        let start = self.text.len();
        for _ in 0..self.depth {
            self.text.push_str("    ");
        }
        let indented = self.text.len();
        write!(self.text, "{line}").expect("a String takes everything");
        if self.text.len() == indented {
            self.text.truncate(start);
        }
        self.text.push('\n');
    }

    /// Lines that are finished already.
    pub fn lines(&mut self, lines: &str) {
        lines.lines().for_each(|line| self.line(line));
    }

    /// A line that ends in a brace; what follows stands inside.
    pub fn open(&mut self, head: impl Display) {
        self.line(format_args!("{head} {{"));
        self.depth += 1;
    }

    /// A brace alone: what follows has variables of its own.
    pub fn open_scope(&mut self) {
        self.line("{");
        self.depth += 1;
    }

    /// Ends what `open` began and begins its other branch.
    pub fn open_else(&mut self) {
        self.depth -= 1;
        self.line("} else {");
        self.depth += 1;
    }

    /// The same where the other branch has a condition of its own: `if (…)`.
    pub fn open_else_with(&mut self, head: impl Display) {
        self.depth -= 1;
        self.open(format_args!("}} else {head}"));
    }

    pub fn close(&mut self) {
        self.close_with("}");
    }

    /// Ends what `open` began, by another closing line: `};`.
    pub fn close_with(&mut self, end: &str) {
        self.depth -= 1;
        self.line(end);
    }

    pub fn finish(self) -> String {
        self.text
    }
}
