//! Pickles of every operation, and those that would run code.

use super::*;
use crate::io::Error;

fn of(bytes: &[u8]) -> Result<Pickle, String> {
    let found = read(bytes, &|name| matches!(name, "a.f" | "a.g"));
    found.map_err(|error| match error {
        Error::Format(words) => words,
        Error::System(error) => panic!("{error}"),
    })
}

#[track_caller]
fn refuses(bytes: &[u8], words: &str) {
    let error = of(bytes).unwrap_err();
    assert!(error.contains(words), "{error}");
}

#[test]
fn every_way_to_code_is_refused_by_its_name() {
    // REDUCE, BUILD, INST, OBJ, NEWOBJ, NEWOBJ_EX, and names from the stack.
    for pickle in [
        &b"cos\nsystem\n(S'true'\ntR."[..],
        b"\x80\x02cos\nsystem\n)\x81}b.",
        b"(S'true'\nios\nsystem\n.",
        b"(cos\nsystem\nS'true'\no.",
        b"\x80\x02cos\nsystem\n)\x81.",
        b"\x80\x04cos\nsystem\n)}\x92.",
        b"\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x04true\x85R.",
        b"\x80\x04\x95\x10\0\0\0\0\0\0\0\x8c\x02os\x94\x8c\x06system\x94\x93.",
    ] {
        refuses(pickle, "`os.system`");
    }
    refuses(b"c__builtin__\neval\n(S'1'\ntR.", "`__builtin__.eval`");
    refuses(b"\x80\x04\x8c\x08builtins\x8c\x04eval\x93.", "`builtins.eval`");
    for pickle in [&b"\x80\x02\x82\x01."[..], b"\x80\x02\x83\x01\x00.", b"\x80\x02\x84\x01\0\0\0."]
    {
        refuses(pickle, "extension codes");
    }
    refuses(b"S'a.f'\n)R.", "of a known function");
    refuses(b"ca\nf\n)R)b)R.", "of a known function");
    refuses(b"\x80\x04ca\nf\n)}I1\nI2\ns\x92.", "named arguments");
    refuses(b"\x80\x05\x97.", "buffers");
    refuses(b"\x80\x06N.", "newer");
}

#[test]
fn what_is_called_is_told_and_not_done() {
    let pickle = of(b"\x80\x02ca\nf\nq\x00K\x01K\x02\x86R}X\x01\0\0\0xNsbK\x03a.").unwrap();
    let Node::Call(call) = pickle.node(pickle.root) else { panic!("{pickle:?}") };
    assert_eq!(pickle.global(call.function), "a.f");
    assert_eq!(pickle.tuple(call.arguments).unwrap().len(), 2);
    assert!(call.state.is_some() && call.items.len() == 1);
}

#[test]
fn numbers_are_read_in_every_form() {
    let int = |bytes: &[u8]| {
        let pickle = of(bytes).unwrap();
        pickle.int(pickle.root)
    };
    assert_eq!(int(b"I-5\n."), Some(-5));
    assert_eq!(int(b"L12L\n."), Some(12));
    assert_eq!(int(b"J\xff\xff\xff\xff."), Some(-1));
    assert_eq!(int(b"\x8a\x00."), Some(0));
    assert_eq!(int(b"\x8a\x01\xff."), Some(-1));
    assert_eq!(int(b"\x8a\x09\xff\xff\xff\xff\xff\xff\xff\x7f\x00."), Some(i64::MAX));
    assert_eq!(int(b"\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\x00."), None);
    assert_eq!(int(b"\x8b\x02\0\0\0\x00\x01."), Some(256));
    let float = of(b"G\x3f\xf8\0\0\0\0\0\0.").unwrap();
    assert_eq!(*float.node(float.root), Node::Float(1.5));
    refuses(b"\x8b\xff\xff\xff\xff.", "too early");
    refuses(b"X\xff\xff\xff\x7fa.", "too early");
    refuses(b"\x8d\xff\xff\xff\xff\xff\xff\xff\xffa.", "too early");
    refuses(b"\x95\xff\xff\xff\xff\xff\xff\xff\xffN.", "beyond");
}

#[test]
fn the_stack_is_never_left() {
    for pickle in [
        &b"."[..],
        b"0.",
        b"1.",
        b"t.",
        b"(0.",
        b"(.",
        b"R.",
        b"(I1\nR.",
        b"a.",
        b"u.",
        b"(u.",
        b"h\x05.",
        b"2.",
        b"]",
        b"",
    ] {
        of(pickle).unwrap_err();
    }
    refuses(b"}(I1\nu.", "no value");
    refuses(b"]I1\nI2\ns.", "no dictionary");
    refuses(b"I1\nI2\na.", "no list");
}

#[test]
fn depth_and_rings_take_no_stack() {
    let mut deep = b"\x80\x02".to_vec();
    deep.extend(b"](".repeat(100_000));
    deep.extend(b"e".repeat(100_000));
    deep.push(b'.');
    assert!(of(&deep).is_ok());
    let mut nested = vec![b')'];
    nested.extend([0x85].repeat(500_000));
    nested.push(b'.');
    assert_eq!(of(&nested).unwrap().nodes.len(), 500_001);
    let ring = of(b"\x80\x02]q\x00h\x00a.").unwrap();
    assert_eq!(*ring.node(ring.root), Node::List(vec![ring.root]));
}

#[test]
fn no_byte_makes_it_panic() {
    let mut whole =
        b"\x80\x04\x95\x20\0\0\0\0\0\0\0}\x94(\x8c\x01a\x94]\x94(K\x01G\x3f\xf0\0\0\0\0\0\0e"
            .to_vec();
    whole.extend(b"X\x01\0\0\0bca\nf\n(I1\ntR}bK\x09\x8f(K\x01K\x02\x90u0(lp5\ng5\n.");
    assert!(of(&whole).is_ok());
    for end in 0..whole.len() {
        of(&whole[..end]).unwrap_err();
    }
    for at in 0..whole.len() {
        for byte in 0..=255 {
            let mut changed = whole.clone();
            changed[at] = byte;
            let _ = of(&changed);
        }
    }
}

#[test]
fn what_is_written_is_read() {
    let mut writer = Writer::new();
    writer.out.push(b'(');
    writer.int(-7);
    writer.int(1 << 40);
    writer.wide(u64::MAX);
    writer.float(0.5);
    writer.text("é");
    writer.flag(true);
    writer.none();
    writer.remember(300);
    writer.recall(300);
    writer.global("a", "g");
    writer.out.push(b't');
    let pickle = of(&writer.finish()).unwrap();
    let items = pickle.tuple(pickle.root).unwrap();
    assert_eq!((pickle.int(items[0]), pickle.int(items[1])), (Some(-7), Some(1 << 40)));
    assert_eq!(*pickle.node(items[2]), Node::Long([&[0xff; 8][..], &[0]].concat().into()));
    assert_eq!(pickle.text(items[4]), Some("é"));
    assert_eq!(items[6], items[7]);
    assert_eq!(pickle.global(items[8]), "a.g");
}
