use super::*;
use crate::report::Report;
use crate::session::Config;
use crate::session::Sink;

#[derive(Default)]
struct Shown(String);

impl Sink for Shown {
    fn text(&mut self, text: &str) {
        self.0 += text;
    }

    fn report(&mut self, report: &Report) {
        self.0 += &report.to_plain();
    }
}

fn session() -> Session {
    Session::new(Config::default().with_device("cpu").unwrap()).unwrap()
}

/// Runs a cell that must succeed; the repr of its value.
#[track_caller]
fn run(session: &mut Session, text: &str) -> String {
    let outcome = session.run(text, &mut Shown::default());
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    outcome.value.map_or(String::new(), |value| session.repr(&value))
}

#[track_caller]
fn fail(session: &mut Session, text: &str) -> String {
    let error = session.run(text, &mut Shown::default()).error.expect("an error");
    format!("{} {}..{}: {}", error.kind, error.span.start, error.span.end, error.message)
}

#[test]
fn rows_become_tensors() {
    let mut s = session();
    s.set("a", vec![1.0f32, 2.5]).unwrap();
    s.set("b", [[1i32, 2], [3, 4], [5, 6]]).unwrap();
    s.set("c", &[true, false][..]).unwrap();
    s.set("d", vec![vec![vec![1.0f64]]]).unwrap();
    s.set("e", Vec::<Vec<f32>>::new()).unwrap();
    s.set("f", half::f16::from_f32(0.5)).unwrap();
    s.set("g", "text").unwrap();
    s.set("h", 7usize).unwrap();
    assert_eq!(run(&mut s, "a"), "array([1. , 2.5])");
    assert_eq!(run(&mut s, "b.sum(axis=0), b.dtype"), "(array([ 9, 12]), dtype('int32'))");
    assert_eq!(run(&mut s, "c, d.shape, e.shape"), "(array([ True, False]), (1, 1, 1), (0,))");
    assert_eq!(run(&mut s, "f, g, h"), "(0.5, 'text', 7)");
    let error = s.set("a", vec![vec![1u8], vec![2, 3]]).unwrap_err();
    assert!(error.message.contains("rows of one length"), "{error:?}");
    assert_eq!(run(&mut s, "a"), "array([1. , 2.5])");
    assert!(s.set("a b", 1i64).is_err() && s.set("for", 1i64).is_err() && s.set("", 1i64).is_err());
}

#[test]
fn values_become_rusts_types() {
    let mut s = session();
    run(
        &mut s,
        "x = arange(6).reshape(2, 3); y = x[:, ::-1] * 0.5; n = 300; t = 'hi'; p = [1, 2.5]",
    );
    assert_eq!(s.get::<Vec<Vec<i64>>>("x").unwrap(), [[0, 1, 2], [3, 4, 5]]);
    assert_eq!(s.get::<Vec<Vec<f64>>>("y").unwrap(), [[1.0, 0.5, 0.0], [2.5, 2.0, 1.5]]);
    assert_eq!(s.get::<Vec<Vec<u8>>>("x").unwrap()[1], [3, 4, 5]);
    assert_eq!(s.get::<i64>("n").unwrap(), 300);
    assert_eq!(s.get::<usize>("n").unwrap(), 300);
    assert_eq!(s.get::<f32>("n").unwrap(), 300.0);
    assert_eq!(s.get::<String>("t").unwrap(), "hi");
    assert_eq!(s.get::<Vec<f64>>("p").unwrap(), [1.0, 2.5]);
    let message = |fault: Fault| fault.message;
    assert_eq!(message(s.get::<u8>("n").unwrap_err()), "`n`: 300 does not fit uint8");
    assert_eq!(
        message(s.get::<Vec<i64>>("x").unwrap_err()),
        "`x`: expected 1 axis, found shape (2, 3)"
    );
    assert_eq!(
        message(s.get::<Vec<Vec<i32>>>("y").unwrap_err()),
        "`y`: expected elements of int32, found float32"
    );
    assert_eq!(message(s.get::<i64>("t").unwrap_err()), "`t`: expected int64, found str");
    assert_eq!(message(s.get::<bool>("n").unwrap_err()), "`n`: expected bool, found an integer");
    assert_eq!(message(s.get::<f64>("zz").unwrap_err()), "name 'zz' is not defined");
}

#[test]
fn a_tensor_outlives_its_name() {
    let mut s = session();
    run(&mut s, "x = arange(4.)[::2]");
    let x: Tensor = s.get("x").unwrap();
    run(&mut s, "del x");
    assert_eq!((x.shape(), x.len(), x.device()), (vec![2], 2, "cpu".to_string()));
    assert_eq!(x.to_rust::<Vec<f32>>().unwrap(), [0.0, 2.0]);
    assert!(format!("{x:?}").ends_with("array([0., 2.])"), "{x:?}");
    s.set("y", &x).unwrap();
    assert_eq!(run(&mut s, "y + 1"), "array([1., 3.])");
    assert!(s.get::<Tensor>("y").unwrap().to_report().to_html().contains("<table"));
    drop(s);
    assert_eq!(x.to_rust::<Vec<f64>>().unwrap(), [0.0, 2.0]);
}

#[test]
fn closures_become_functions() {
    let mut s = session();
    s.register("twice", |x: Vec<f64>| x.iter().map(|v| 2.0 * v).collect::<Vec<f64>>()).unwrap();
    s.register("axes", |x: Tensor| x.shape().len()).unwrap();
    s.register("root", |x: f64| match x < 0.0 {
        true => Err(format!("{x} has no root")),
        false => Ok(x.sqrt()),
    })
    .unwrap();
    s.register("answer", || 42i64).unwrap();
    s.register("bad", |_: i64, _: i64| -> i64 { panic!("on purpose") }).unwrap();
    assert_eq!(run(&mut s, "twice(arange(3) + 0.5).sum()"), "array(9., dtype=float64)");
    assert_eq!(
        run(&mut s, "axes(zeros(2, 3)), root(9), answer(), twice"),
        "(2, 3.0, 42, <function twice(x)>)"
    );
    assert_eq!(run(&mut s, "callable(twice), twice.__name__"), "(True, 'twice')");
    let mut shown = Shown::default();
    s.run("twice?\nhelp(axes)", &mut shown);
    assert!(shown.0.starts_with("twice(x)") && shown.0.contains("axes(x)"), "{}", shown.0);
    run(&mut s, "x = 1");
    assert_eq!(fail(&mut s, "x = root(-4)"), "RuntimeError 4..12: -4 has no root");
    assert_eq!(fail(&mut s, "x = bad(1, 2)"), "RuntimeError 4..13: `bad` panicked: on purpose");
    assert_eq!(
        fail(&mut s, "root('a')"),
        "TypeError 0..9: argument 1: expected float64, found str"
    );
    assert_eq!(
        fail(&mut s, "root()"),
        "TypeError 0..6: root() takes 1 positional argument but 0 were given"
    );
    assert_eq!(fail(&mut s, "root(x=1)"), "TypeError 5..8: root() takes no keyword arguments");
    assert_eq!(run(&mut s, "x"), "1");
    let error = fail(&mut s, ":explain root(2)");
    assert!(error.contains("no function of the language"), "{error}");
}

#[test]
fn a_closure_hears_of_memory_and_of_many_things() {
    use std::collections::BTreeMap;
    let mut s = session();
    let heard = std::rc::Rc::new(std::cell::RefCell::new(Vec::<f64>::new()));
    let told = heard.clone();
    let tell = move |stats: BTreeMap<String, f64>| told.borrow_mut().extend([stats["allocated"]]);
    s.register("tell", tell).unwrap();
    run(&mut s, "cuda.set_memory_callback(tell)\nx = zeros(1024)\ny = 1\ndel x");
    assert_eq!(*heard.borrow(), [4096.0, 0.0]);
    let add = |a: i64, b: f64, c: u8, d: f32, e: i32, f: bool, g: String, h: Vec<i64>| {
        format!("{} {f} {g}", a as f64 + b + f64::from(c) + f64::from(d) + f64::from(e))
            + &format!("{h:?}")
    };
    s.register("add", add).unwrap();
    assert_eq!(run(&mut s, "add(1, 2, 3, 4, 5, True, 't', [6])"), "'15 true t[6]'");
    run(&mut s, "d = {'a': 1, 'b': 'c'}; e = {1: 2}");
    let message = |fault: Fault| fault.message;
    assert_eq!(
        message(s.get::<BTreeMap<String, i64>>("d").unwrap_err()),
        "`d`: the value of 'b': expected int64, found str"
    );
    assert_eq!(
        message(s.get::<BTreeMap<String, i64>>("e").unwrap_err()),
        "`e`: a key: expected str, found int"
    );
}

#[cfg(feature = "ndarray")]
#[test]
fn arrays_of_ndarray_go_both_ways() {
    use ndarray::{Array1, Array2, ArrayD, array, s as slice};
    let mut s = session();
    let a = array![[1.0f32, 2.0], [3.0, 4.0]];
    s.set("a", &a).unwrap();
    s.set("t", a.t()).unwrap();
    s.set("row", a.slice(slice![1, ..])).unwrap();
    assert_eq!(run(&mut s, "t, row"), "(array([[1., 3.],\n       [2., 4.]]), array([3., 4.]))");
    assert_eq!(s.get::<Array2<f32>>("a").unwrap(), a);
    assert_eq!(s.get::<ArrayD<f64>>("t").unwrap().shape(), [2, 2]);
    assert!(s.get::<Array1<f32>>("a").is_err());
    s.register("total", |x: ArrayD<f32>| x.sum()).unwrap();
    assert_eq!(run(&mut s, "total(a)"), "10.0");
}
