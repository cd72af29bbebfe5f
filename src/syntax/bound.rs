//! Which names a text binds in front of a place, read from its tokens alone: a block that is being
//! typed is no program yet, and nothing of it has run.

use std::collections::{HashMap, HashSet};

use crate::diag::SourceId;

use super::lexer::{Lexed, lex_text};
use super::name::normalized;
use super::token::{Keyword, Op, Token, TokenKind};

/// What bound a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Binding {
    Variable,
    Parameter,
    Function,
    Class,
}

/// A name that can be read at a place, and what bound it last.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoundName {
    pub name: String,
    pub binding: Binding,
}

/// The names that the text in front of byte `at` binds, as far as they are seen there: parameters and
/// locals of a function in its block only.
pub fn bound_names(text: &str, at: usize) -> Vec<BoundName> {
    walked(text, at, |walk| walk.seen())
}

/// The names that the class around byte `at` binds in front of it: its methods, and what they share.
pub fn class_names(text: &str, at: usize) -> Vec<String> {
    walked(text, at, |walk| {
        let class = walk.blocks.iter().rfind(|block| block.kind == Kind::Class);
        class.map(|class| class.names.keys().cloned().collect()).unwrap_or_default()
    })
}

fn walked<T>(text: &str, at: usize, answer: impl FnOnce(&Walk<'_>) -> T) -> T {
    // A word at the place says how deep its line is.
    let probe = text[..at].to_owned() + "_";
    let lexed = lex_text(&probe, 0, SourceId::default());
    let mut walk = Walk::new(&lexed);
    let end = lexed.tokens.iter().position(|token| token.end as usize > at);
    for index in 0..end.unwrap_or(lexed.tokens.len()) {
        walk.step(index);
    }
    answer(&walk)
}

/// The attributes that a text speaks of behind `owner.`, in front of byte `at`.
pub fn attributes_seen(text: &str, owner: &str, at: usize) -> Vec<String> {
    let lexed = lex_text(&text[..at], 0, SourceId::default());
    let is = |token: &Token, kind| token.kind == kind;
    let names = lexed.tokens.windows(3).enumerate().filter_map(|(index, three)| {
        let [first, dot, name] = three else { return None };
        let begins = index == 0 || !is(&lexed.tokens[index - 1], TokenKind::Op(Op::Dot));
        let fits = is(first, TokenKind::Name)
            && &text[first.range()] == owner
            && is(dot, TokenKind::Op(Op::Dot))
            && is(name, TokenKind::Name);
        (begins && fits).then(|| normalized(&text[name.range()]))
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    names.dedup();
    names
}

/// Which of the tokens are parameters, where they are named and where they are read.
pub fn parameters(lexed: &Lexed<'_>) -> HashSet<usize> {
    let mut walk = Walk::new(lexed);
    let mut found = HashSet::new();
    for (index, token) in lexed.tokens.iter().enumerate() {
        walk.step(index);
        let is_plain = token.kind == TokenKind::Name && !walk.follows(index, Op::Dot);
        if is_plain && walk.is_parameter(&lexed.text[token.range()]) {
            found.insert(index);
        }
    }
    found
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The text itself, and the blocks that make no scope of their own.
    Plain,
    Function,
    Class,
}

/// A block, and the names that belong to its scope.
struct Block {
    kind: Kind,
    names: HashMap<String, Binding>,
}

impl Block {
    fn new(kind: Kind) -> Block {
        Block { kind, names: HashMap::new() }
    }
}

/// What the tokens so far are inside of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum List {
    /// `def f(…)`: parameters at this depth of brackets.
    Parameters(usize),
    /// `lambda …:`
    Lambda(usize),
    /// `for … in`
    Targets(usize),
    /// `import …`, `global …`
    Names,
}

struct Walk<'a> {
    lexed: &'a Lexed<'a>,
    blocks: Vec<Block>,
    /// The block that the next indent opens.
    opened: Option<Block>,
    lists: Vec<List>,
    /// How many brackets are open.
    depth: usize,
    /// The first token of the statement.
    start: usize,
}

impl<'a> Walk<'a> {
    fn new(lexed: &'a Lexed<'a>) -> Walk<'a> {
        let blocks = vec![Block::new(Kind::Plain)];
        Walk { lexed, blocks, opened: None, lists: Vec::new(), depth: 0, start: 0 }
    }

    fn kind(&self, index: usize) -> Option<TokenKind> {
        self.lexed.tokens.get(index).map(|token| token.kind)
    }

    /// Whether this operator stands in front of a token.
    fn follows(&self, index: usize, op: Op) -> bool {
        index > 0 && self.kind(index - 1) == Some(TokenKind::Op(op))
    }

    fn bind(&mut self, index: usize, binding: Binding) {
        let name = normalized(&self.lexed.text[self.lexed.tokens[index].range()]);
        let scope = match &mut self.opened {
            Some(opened) if binding == Binding::Parameter => opened,
            _ => {
                let inner = self.blocks.iter().rposition(|block| block.kind != Kind::Plain);
                &mut self.blocks[inner.unwrap_or(0)]
            }
        };
        scope.names.insert(name, binding);
    }

    fn step(&mut self, index: usize) {
        use Keyword as K;
        use TokenKind as T;
        match self.lexed.tokens[index].kind {
            T::Newline => {
                self.lists.clear();
                self.start = index + 1;
                // A body on the line of its head has ended with it.
                if self.kind(index + 1) != Some(T::Indent) {
                    self.opened = None;
                }
            }
            T::Indent => {
                let plain = Block::new(Kind::Plain);
                self.blocks.push(self.opened.take().unwrap_or(plain));
                self.start = index + 1;
            }
            T::Dedent => {
                if self.blocks.len() > 1 {
                    self.blocks.pop();
                }
                self.start = index + 1;
            }
            T::Op(Op::LParen | Op::LBracket | Op::LBrace) => self.depth += 1,
            T::Op(Op::RParen | Op::RBracket | Op::RBrace) => {
                self.depth = self.depth.saturating_sub(1);
                let depth = self.depth;
                self.lists.retain(|list| match list {
                    List::Parameters(at) | List::Lambda(at) | List::Targets(at) => *at <= depth,
                    List::Names => true,
                });
            }
            T::Op(Op::Semicolon) => self.start = index + 1,
            T::Op(Op::Colon) => {
                if self.lists.last() == Some(&List::Lambda(self.depth)) {
                    self.lists.pop();
                } else if self.depth == 0 && index == self.start + 1 {
                    // `x: int`
                    self.bind_targets(index);
                } else if self.depth == 0 {
                    self.start = index + 1;
                }
            }
            T::Op(Op::Equal) if self.depth == 0 => {
                self.bind_targets(index);
                // The targets of a chain are looked at once.
                self.start = index + 1;
            }
            T::Op(Op::ColonEqual) if index > 0 && self.kind(index - 1) == Some(T::Name) => {
                self.bind(index - 1, Binding::Variable);
            }
            T::Keyword(K::Lambda) => self.lists.push(List::Lambda(self.depth)),
            T::Keyword(K::For) => self.lists.push(List::Targets(self.depth)),
            T::Keyword(K::In) if self.lists.last() == Some(&List::Targets(self.depth)) => {
                self.lists.pop();
            }
            T::Keyword(K::Import | K::Global | K::Nonlocal) => self.lists.push(List::Names),
            T::Name => self.name(index),
            _ => {}
        }
    }

    fn name(&mut self, index: usize) {
        use Keyword as K;
        use TokenKind as T;
        let before = index.checked_sub(1).and_then(|before| self.kind(before));
        match (before, self.lists.last()) {
            (Some(T::Keyword(K::Def)), _) => {
                self.bind(index, Binding::Function);
                self.opened = Some(Block::new(Kind::Function));
                self.lists.push(List::Parameters(self.depth + 1));
            }
            (Some(T::Keyword(K::Class)), _) => {
                self.bind(index, Binding::Class);
                self.opened = Some(Block::new(Kind::Class));
            }
            (Some(T::Keyword(K::As)), _) => self.bind(index, Binding::Variable),
            (Some(T::Op(Op::Dot)), _) => {}
            (Some(T::Op(before)), Some(List::Parameters(depth))) if *depth == self.depth => {
                if matches!(before, Op::LParen | Op::Comma | Op::Star | Op::DoubleStar) {
                    self.bind(index, Binding::Parameter);
                }
            }
            (Some(before), Some(List::Lambda(depth))) if *depth == self.depth => {
                let begins = matches!(
                    before,
                    T::Keyword(K::Lambda) | T::Op(Op::Comma | Op::Star | Op::DoubleStar)
                );
                if begins {
                    self.bind(index, Binding::Variable);
                }
            }
            (_, Some(List::Targets(_))) => self.bind(index, Binding::Variable),
            (_, Some(List::Names)) if self.kind(index + 1) != Some(T::Keyword(K::As)) => {
                self.bind(index, Binding::Variable);
            }
            _ => {}
        }
    }

    /// The names in front of an `=`, or of the colon of an annotation.
    fn bind_targets(&mut self, end: usize) {
        let mut inside = 0;
        for index in self.start..end {
            // What stands in a subscript or a call is read.
            match self.kind(index) {
                Some(TokenKind::Op(Op::LBracket | Op::LParen))
                    if inside > 0 || self.ends_operand(index) =>
                {
                    inside += 1;
                }
                Some(TokenKind::Op(Op::RBracket | Op::RParen)) if inside > 0 => inside -= 1,
                _ => {}
            }
            if inside > 0 {
                continue;
            }
            // What follows is an annotation.
            if self.kind(index) == Some(TokenKind::Op(Op::Colon)) {
                break;
            }
            let next = self.kind(index + 1);
            let is_part = matches!(next, Some(TokenKind::Op(Op::Dot | Op::LParen | Op::LBracket)));
            let is_name = self.kind(index) == Some(TokenKind::Name);
            if is_name && !is_part && !self.follows(index, Op::Dot) {
                self.bind(index, Binding::Variable);
            }
        }
    }

    /// Whether an operand ends in front of a token.
    fn ends_operand(&self, index: usize) -> bool {
        let before = index.checked_sub(1).filter(|before| *before >= self.start);
        let kind = before.and_then(|before| self.kind(before));
        matches!(kind, Some(TokenKind::Name | TokenKind::Op(Op::RParen | Op::RBracket)))
    }

    /// The blocks whose names are seen here: a class's are not, in its functions.
    fn scopes(&self) -> impl Iterator<Item = &Block> {
        let inner = self.blocks.iter().rposition(|block| block.kind == Kind::Function).unwrap_or(0);
        let is_seen = move |at: usize, block: &Block| block.kind != Kind::Class || at > inner;
        let blocks = self.blocks.iter().enumerate();
        // What follows a head on its line is its body.
        let opened = self.opened.iter().filter(|_| self.lists.is_empty());
        blocks.filter(move |(at, block)| is_seen(*at, block)).map(|(_, block)| block).chain(opened)
    }

    fn seen(&self) -> Vec<BoundName> {
        let mut all: HashMap<&String, Binding> = HashMap::new();
        for block in self.scopes() {
            all.extend(block.names.iter().map(|(name, binding)| (name, *binding)));
        }
        let bound = |(name, binding): (&String, _)| BoundName { name: name.clone(), binding };
        let mut names: Vec<BoundName> = all.into_iter().map(bound).collect();
        names.sort();
        names
    }

    fn is_parameter(&self, name: &str) -> bool {
        let mut scopes = self.scopes().chain(&self.opened);
        scopes.any(|block| block.names.get(name) == Some(&Binding::Parameter))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> String {
        let at = text.find('|').unwrap();
        let names = bound_names(&text.replace('|', ""), at);
        names.iter().map(|bound| bound.name.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_a_block_binds() {
        for (text, expected) in [
            ("def f(a, b=1, *c, d: int = 2, **e):\n    |", "a b c d e f"),
            ("def f(a, b=g(x, y)):\n    t = a\n    u, (v, w) = t\n    |", "a b f t u v w"),
            ("def f(a):\n    b = a\n|", "f"),
            ("def f(a):\n    b = a\nx|", "f"),
            ("def f(a):\n    b = a\n    x|", "a b f"),
            ("for i, (j, k) in enumerate(z):\n    s = i\n    |", "i j k s"),
            ("for i in z:\n    s = i\n|", "i s"),
            ("with open(p) as file, g() as h:\n    |", "file h"),
            ("try:\n    pass\nexcept E as e:\n    |", "e"),
            ("import numpy as np, math\nfrom x import a as b, c\n|", "b c math np"),
            ("[p + q for p in r if |", "p"),
            ("f = lambda u, v=1: |", "f u v"),
            ("if (n := 3) > 2:\n    |", "n"),
            ("x.y = z[k] = w = 1\n|", "w"),
            ("x: int = 1; y = 2\n|", "x y"),
            ("def f(a): return |", "a f"),
            ("def f(a): return a\n|", "f"),
            ("class A:\n    n = 1\n    |", "A n"),
            ("class A:\n    n = 1\n    def f(self, x):\n        y = 1\n        |", "A self x y"),
            ("def f(a):\n    def g(b):\n        |", "a b f g"),
            ("def f(a):\n    def g(b):\n        pass\n    |", "a f g"),
            ("def f(a, |", "f"),
            ("if a == b: |", ""),
            ("x[1:2] = 3\n|", ""),
        ] {
            assert_eq!(names(text), expected, "{text:?}");
        }
    }

    #[test]
    fn attributes_that_a_text_speaks_of() {
        let text = "self.w = 1\nself.b.c = a.self.d\nother.e";
        assert_eq!(attributes_seen(text, "self", text.len()), ["b", "w"]);
        assert_eq!(attributes_seen(text, "other", text.len()), ["e"]);
    }

    #[test]
    fn names_of_the_class_around() {
        let text = "class A:\n    n = 1\n    def f(self):\n        w = 2\n        self.";
        let mut names = class_names(text, text.len());
        names.sort();
        assert_eq!(names, ["f", "n"]);
        assert!(class_names("def f(self):\n    self.", 18).is_empty());
    }

    #[test]
    fn parameters_are_found_where_they_are_read() {
        let text = "def f(x, y=z):\n    return x.y + y\nx";
        let lexed = lex_text(text, 0, SourceId::default());
        let mut found: Vec<usize> =
            parameters(&lexed).into_iter().map(|at| lexed.tokens[at].start as usize).collect();
        found.sort_unstable();
        assert_eq!(found, [6, 9, 26, 32]);
    }
}
