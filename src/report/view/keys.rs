//! What the keys of a view do: one table, which its help shows.

use std::collections::BTreeMap;

use crate::report::Markup;

use super::panels::{Panel, Side};
use super::{Prompt, Test, View, place};

/// A key that was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    Char(char),
    Control(char),
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Home,
    End,
    Enter,
    Tab,
    BackTab,
    Backspace,
    Escape,
}

/// Work that a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    Nothing,
    Leave,
    /// The screen is drawn anew, whatever is on it.
    Redraw,
    /// The view is refreshed, which may take long.
    Refresh,
    Find {
        is_forward: bool,
    },
    /// Of the slice, or of the whole tensor.
    Statistics {
        is_whole: bool,
    },
}

/// A row of the table.
struct Binding {
    keys: &'static [Key],
    /// How help calls the keys; empty where the row before does.
    name: &'static str,
    text: &'static str,
    run: fn(&mut View) -> Wish,
}

const BINDINGS: &[Binding] = &[
    does(&[Key::Up], "arrows", "move the cursor, or what is longer than the screen", |view| {
        view.go(-1, 0)
    }),
    does(&[Key::Down], "", "", |view| view.go(1, 0)),
    does(&[Key::Left], "", "", |view| view.go(0, -1)),
    does(&[Key::Right], "", "", |view| view.go(0, 1)),
    does(&[Key::PageUp], "PgUp PgDn", "a screen of rows up, down", |view| view.go_page(-1, 0)),
    does(&[Key::PageDown, Key::Char(' ')], "", "", |view| view.go_page(1, 0)),
    does(&[Key::Char('<')], "< >", "a screen of columns to the left, to the right", |view| {
        view.go_page(0, -1)
    }),
    does(&[Key::Char('>')], "", "", |view| view.go_page(0, 1)),
    does(&[Key::Home], "Home End", "the first and the last column", |view| view.go(0, isize::MIN)),
    does(&[Key::End], "", "", |view| view.go(0, isize::MAX)),
    does(&[Key::Char('{')], "{ }", "the first and the last row", |view| view.go(isize::MIN, 0)),
    does(&[Key::Char('}')], "", "", |view| view.go(isize::MAX, 0)),
    does(&[Key::Char('[')], "[ ]", "the slice before, the next one", |view| view.step(-1)),
    does(&[Key::Char(']')], "", "", |view| view.step(1)),
    does(&[Key::Tab], "Tab", "which axis the slices follow one another along", |view| {
        view.choose_step(true)
    }),
    does(&[Key::BackTab], "", "", |view| view.choose_step(false)),
    does(&[Key::Char('r')], "r c", "another axis as rows, as columns", |view| view.turn(true)),
    does(&[Key::Char('c')], "", "", |view| view.turn(false)),
    does(&[Key::Char('t')], "t", "rows and columns change places", View::swap),
    does(&[Key::Char('h')], "h", "values, or a heat map", |view| {
        view.is_heat = !view.is_heat;
        view.panel = Panel::Cells;
        Wish::Nothing
    }),
    does(&[Key::Char('o')], "o", "the whole slice as a heat map", |view| {
        view.turn_to(Panel::Overview(None));
        Wish::Refresh
    }),
    does(&[Key::Char('s')], "s S", "statistics of the slice, of the whole tensor", |view| {
        view.wish_statistics(false)
    }),
    does(&[Key::Char('S')], "", "", |view| view.wish_statistics(true)),
    does(&[Key::Char('a')], "a", "statistics of each row, then of each column", |view| {
        let next = match view.panel {
            Panel::Along(Side::Rows, _) => Panel::Along(Side::Cols, BTreeMap::new()),
            Panel::Along(Side::Cols, _) => Panel::Cells,
            _ => Panel::Along(Side::Rows, BTreeMap::new()),
        };
        view.panel = next;
        Wish::Refresh
    }),
    does(&[Key::Char('g')], "g", "go to an index: `3, :, 7`; what has a `:` is shown", |view| {
        view.ask(Prompt::Index)
    }),
    does(&[Key::Char('/')], "/", "search: `0.25`, `> 3`, `!= 0`, `nan`, `inf`", |view| {
        view.ask(Prompt::Value)
    }),
    does(
        &[Key::Char('n')],
        "n N",
        "the next and the last element found: NaN and inf, unless something is searched for",
        |_| Wish::Find { is_forward: true },
    ),
    does(&[Key::Char('N')], "", "", |_| Wish::Find { is_forward: false }),
    does(&[Key::Char('?')], "?", "this help", |view| view.turn_to(Panel::Help)),
    does(&[Key::Control('l')], "Ctrl-L", "draws the screen anew", |_| Wish::Redraw),
    does(&[Key::Char('q'), Key::Control('c'), Key::Control('d')], "q Ctrl-C", "leaves", |_| {
        Wish::Leave
    }),
    does(&[Key::Escape], "Esc", "back to the cells, then leaves", |view| match view.panel {
        Panel::Cells => Wish::Leave,
        _ => view.turn_to(Panel::Cells),
    }),
];

const fn does(
    keys: &'static [Key],
    name: &'static str,
    text: &'static str,
    run: fn(&mut View) -> Wish,
) -> Binding {
    Binding { keys, name, text, run }
}

/// What the keys do, a line each.
pub(super) fn help() -> impl Iterator<Item = Markup> {
    let named = BINDINGS.iter().filter(|binding| !binding.name.is_empty());
    named.map(|row| Markup::new().number(format!("{:<10}", row.name)).plain(row.text))
}

impl View {
    /// What a key does. What it wishes for is still to be done.
    pub fn press(&mut self, key: Key) -> Wish {
        self.message = None;
        if self.prompt.is_some() {
            return self.type_key(key);
        }
        match BINDINGS.iter().find(|binding| binding.keys.contains(&key)) {
            Some(binding) => (binding.run)(self),
            None => Wish::Nothing,
        }
    }

    fn turn_to(&mut self, panel: Panel) -> Wish {
        self.scrolled = 0;
        let is_there = std::mem::discriminant(&panel) == std::mem::discriminant(&self.panel);
        self.panel = if is_there { Panel::Cells } else { panel };
        Wish::Nothing
    }

    fn wish_statistics(&mut self, is_whole: bool) -> Wish {
        match &self.panel {
            Panel::Statistics(shown) if shown.is_whole == is_whole => self.turn_to(Panel::Cells),
            _ => Wish::Statistics { is_whole },
        }
    }

    fn ask(&mut self, prompt: Prompt) -> Wish {
        self.prompt = Some((prompt, String::new()));
        Wish::Nothing
    }

    /// A key while the line at the bottom takes an answer down.
    fn type_key(&mut self, key: Key) -> Wish {
        let Some((prompt, mut text)) = self.prompt.take() else { return Wish::Nothing };
        match key {
            Key::Enter => return self.answer(prompt, &text),
            Key::Escape | Key::Control('c') => return Wish::Nothing,
            Key::Backspace if text.pop().is_none() => return Wish::Nothing,
            Key::Control('u') => text.clear(),
            Key::Char(c) => text.push(c),
            _ => {}
        }
        self.prompt = Some((prompt, text));
        Wish::Nothing
    }

    fn answer(&mut self, prompt: Prompt, text: &str) -> Wish {
        let result = match prompt {
            Prompt::Index if text.trim().is_empty() => Ok(Wish::Nothing),
            Prompt::Index => {
                place::parse(text, &self.subject.shape).map(|items| self.go_to(&items))
            }
            Prompt::Value => Test::parse(text, self.subject.dtype).map(|test| {
                let name = if test == Test::Odd { "nan or inf" } else { text.trim() };
                self.test = (test, name.to_string());
                Wish::Find { is_forward: true }
            }),
        };
        result.unwrap_or_else(|message| {
            self.message = Some(Markup::new().warn(message));
            Wish::Nothing
        })
    }
}
