//! The parser never panics; what it says points into the text, between characters; and its three
//! readings of a text (tree, cell, completeness) agree.
#![no_main]

use genesis_repl::diag::{Source, SourceId};
use genesis_repl::syntax::{self, CellItem, Completeness};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let source = Source::new(SourceId(0), "<fuzz>", text);
    match syntax::parse(&source) {
        Ok(module) => {
            for stmt in &module.body {
                assert!(text.get(stmt.span.range()).is_some_and(|text| !text.is_empty()));
            }
            assert_eq!(module.clone(), module);
            syntax::dump(&module);
        }
        Err(error) => {
            let places = error.labels.iter().map(|(span, _)| span).chain([&error.span]);
            for span in places {
                assert!(text.get(span.range()).is_some(), "{span:?}");
            }
            assert!(!error.message.is_empty());
        }
    }
    let cell = syntax::parse_cell(&source);
    match syntax::completeness(text) {
        Completeness::Complete => assert!(cell.is_ok()),
        Completeness::Invalid => assert!(cell.is_err()),
        // An empty line ends a block; what is open otherwise is an error as it stands.
        Completeness::Incomplete { .. } if cell.is_ok() => {
            let ended = format!("{text}\n");
            assert_eq!(syntax::completeness(&ended), Completeness::Complete);
        }
        Completeness::Incomplete { .. } => {}
    }
    for item in cell.iter().flat_map(|cell| &cell.items) {
        if let CellItem::Command { name, args } = item {
            assert_eq!(source.slice(name.span), &*name.node);
            assert_eq!(source.slice(args.span), &*args.node);
        }
    }
    syntax::as_typed(text);
});
