//! The floor's own tests: how graphs are cut, and that fused and unfused results agree.

use super::*;
use crate::dtype::Scalar;
use crate::layout::{Layout, Shape, Slice};
use crate::memory::AllocatorConfig;

pub(super) fn engine() -> Engine {
    let interrupt = Interrupt::default();
    let device = Device::cpu(AllocatorConfig::default(), interrupt.clone()).unwrap();
    Engine::new(vec![device], interrupt)
}

pub(super) fn ramp(engine: &Engine, shape: &[usize]) -> Tensor {
    let count: usize = shape.iter().product();
    let x = engine
        .arange(Scalar::Int(0), Scalar::Int(count as i64), Scalar::Int(1), Some(DType::F32))
        .unwrap();
    let extents: Vec<i64> = shape.iter().map(|extent| *extent as i64).collect();
    let x = engine.reshape(&x, &extents).unwrap();
    engine.realize(&[&x]).unwrap();
    x
}

fn values(engine: &Engine, x: &Tensor) -> Vec<f64> {
    engine.to_host(x).unwrap().to_scalars().into_iter().map(Scalar::as_f64).collect()
}

fn programs(engine: &Engine, x: &Tensor) -> Vec<String> {
    let root = engine.wanted(x).expect("it is lazy").root;
    let walk = schedule::Walk::new(engine, &[&root], root.shape()).unwrap();
    let whole = Layout::contiguous(root.shape().clone());
    vec![lower::lower(&walk, &[&root], &[&whole]).unwrap().program.to_string()]
}

#[test]
fn a_chain_is_one_program() {
    let e = engine();
    let x = ramp(&e, &[2, 3]);
    let y = e.binary(BinaryOp::Mul, &x, Scalar::Float(2.0)).unwrap();
    let y = e.binary(BinaryOp::Add, &y, Scalar::Int(1)).unwrap();
    let y = e.unary(UnaryOp::Square, &y).unwrap();
    assert_eq!(programs(&e, &y).len(), 1);
    assert_eq!(values(&e, &y), [1.0, 9.0, 25.0, 49.0, 81.0, 121.0]);
}

/// What is alone in its fold is a copy, in which the sum of negative zero is zero, as it is of several.
#[test]
fn folds_of_one_element_are_copies() {
    let e = engine();
    for op in [Reduction::Sum, Reduction::Prod, Reduction::Max, Reduction::Min, Reduction::Mean] {
        let x = e.unary(UnaryOp::Neg, &ramp(&e, &[2, 1, 3])).unwrap();
        e.realize(&[&x]).unwrap();
        let folded = e.reduce(op, &x, Some(&[1]), false).unwrap();
        assert!(!programs(&e, &folded)[0].contains("reduce"), "{op:?}");
        assert_eq!(folded.shape()[..], [2, 3]);
        e.assign_all(&x, Scalar::Float(7.0)).unwrap();
        let found = values(&e, &folded);
        assert_eq!(found, [0.0, -1.0, -2.0, -3.0, -4.0, -5.0], "{op:?}");
        let is_sum = matches!(op, Reduction::Sum | Reduction::Mean);
        assert_eq!(found[0].is_sign_negative(), !is_sum, "{op:?}");
    }
}

#[test]
fn work_on_a_transposed_tensor_reads_it_once_and_as_it_lies() {
    let e = engine();
    let x = e.transpose(&ramp(&e, &[3, 4])).unwrap();
    let square = e.binary(BinaryOp::Mul, &x, &x).unwrap();
    let y = e.binary(BinaryOp::Add, &square, &x).unwrap();
    let text = &programs(&e, &y)[0];
    assert_eq!(text.matches("load").count(), 1, "{text}");
    let numbers = (0..4).flat_map(|row| (0..3).map(move |column| f64::from(4 * column + row)));
    assert_eq!(values(&e, &y), numbers.map(|x| x * x + x).collect::<Vec<_>>());
    let strides = |x: &Tensor| x.storage_and_layout().unwrap().1.strides;
    assert_eq!(strides(&y).as_slice(), [1, 4]);
    assert!(!y.is_view(), "it has memory of its own");
    // What the means are taken off lies as they do: all is one program over rows.
    let mean = e.reduce(Reduction::Mean, &x, Some(&[0]), true).unwrap();
    let centred = e.binary(BinaryOp::Sub, &x, &mean).unwrap();
    let text = &programs(&e, &centred)[0];
    assert_eq!((text.matches("load").count(), text.matches("reduce").count()), (1, 1), "{text}");
    let expected = [-1.5, -1.5, -1.5, -0.5, -0.5, -0.5, 0.5, 0.5, 0.5, 1.5, 1.5, 1.5];
    assert_eq!(values(&e, &centred), expected);
    // Operands that lie in different orders give rows.
    let other = e.copy(&x).unwrap();
    let sum = e.binary(BinaryOp::Add, &x, &other).unwrap();
    e.realize(&[&sum]).unwrap();
    assert_eq!(strides(&sum).as_slice(), [3, 1]);
}

#[test]
fn softmax_is_one_row_program() {
    let e = engine();
    let x = ramp(&e, &[2, 3]);
    let max = e.reduce(Reduction::Max, &x, Some(&[1]), true).unwrap();
    let shifted = e.binary(BinaryOp::Sub, &x, &max).unwrap();
    let exp = e.unary(UnaryOp::Exp, &shifted).unwrap();
    let sum = e.reduce(Reduction::Sum, &exp, Some(&[-1]), true).unwrap();
    let y = e.binary(BinaryOp::Div, &exp, &sum).unwrap();
    let text = &programs(&e, &y)[0];
    assert_eq!(text.matches("reduce").count(), 2, "{text}");
    assert_eq!(text.matches("exp").count(), 1, "{text}");
    let row: f64 = values(&e, &y)[..3].iter().sum();
    assert!((row - 1.0).abs() < 1e-6);
}

#[test]
fn variance_is_one_program_in_every_form() {
    let e = engine();
    let x = ramp(&e, &[2, 3, 4]);
    for (axes, keepdims) in
        [(None, false), (Some(vec![0]), false), (Some(vec![1]), true), (Some(vec![0, 2]), false)]
    {
        let y = e.reduce(Reduction::Std { ddof: 0.0 }, &x, axes.as_deref(), keepdims).unwrap();
        assert_eq!(programs(&e, &y).len(), 1, "{axes:?}");
        let text = &programs(&e, &y)[0];
        assert_eq!(text.matches("reduce").count(), 2, "{text}");
        let unfused = {
            e.set_fusion(false);
            let y = e.reduce(Reduction::Std { ddof: 0.0 }, &x, axes.as_deref(), keepdims).unwrap();
            e.set_fusion(true);
            values(&e, &y)
        };
        assert_eq!(values(&e, &y), unfused);
    }
}

#[test]
fn a_mean_used_through_a_new_axis_stays_in_the_row() {
    let e = engine();
    let x = ramp(&e, &[3, 4]);
    let mean = e.reduce(Reduction::Mean, &x, Some(&[1]), false).unwrap();
    let column = e.expand_dims(&mean, &[1]).unwrap();
    let y = e.binary(BinaryOp::Sub, &x, &column).unwrap();
    assert_eq!(programs(&e, &y).len(), 1);
    assert_eq!(values(&e, &y)[..4], [-1.5, -0.5, 0.5, 1.5]);
}

#[test]
fn sums_over_different_axes_are_cut() {
    let e = engine();
    let x = ramp(&e, &[2, 2]);
    let rows = e.reduce(Reduction::Sum, &x, Some(&[1]), true).unwrap();
    let columns = e.reduce(Reduction::Sum, &x, Some(&[0]), true).unwrap();
    let y = e.binary(BinaryOp::Add, &rows, &columns).unwrap();
    assert_eq!(values(&e, &y), [3.0, 5.0, 7.0, 9.0]);
}

#[test]
fn views_of_lazy_work_compute_only_what_is_asked_for() {
    let e = engine();
    let x = ramp(&e, &[4, 3]);
    let last = Slice { start: Some(3), ..Slice::default() };
    let part = |x: &Tensor| {
        let y = e.binary(BinaryOp::Add, x, Scalar::Int(1)).unwrap();
        e.index(&y, &[IndexItem::Slice(last), IndexItem::Int(0)]).unwrap()
    };
    let y = part(&x);
    let (done, explained) = e.explain(|| e.realize(&[&y]));
    done.unwrap();
    let (_, plan) = &explained.devices[0];
    assert_eq!((plan.steps.len(), plan.steps[0].written_bytes, plan.peak_bytes), (1, 4, 512));
    assert!(y.storage_and_layout().unwrap().0.is_modelled());
    assert_eq!(values(&e, &part(&x)), [10.0]);
}

#[test]
fn gathers_fuse_with_what_follows() {
    let e = engine();
    let x = ramp(&e, &[3, 4]);
    let rows =
        e.from_values(&[Scalar::Int(2), Scalar::Int(-3)], &Shape::from([2]), DType::I64).unwrap();
    let y = e.index(&x, &[IndexItem::Tensor(rows)]).unwrap();
    let y = e.binary(BinaryOp::Mul, &y, Scalar::Int(2)).unwrap();
    let y = e.reduce(Reduction::Sum, &y, Some(&[1]), false).unwrap();
    assert_eq!(programs(&e, &y).len(), 1);
    assert_eq!(values(&e, &y), [76.0, 12.0]);
}

#[test]
fn a_wrong_index_names_its_node_and_axis() {
    let e = engine();
    let x = ramp(&e, &[3, 4]);
    let columns =
        e.from_values(&[Scalar::Int(1), Scalar::Int(9)], &Shape::from([2]), DType::I64).unwrap();
    let whole = IndexItem::Slice(Slice::default());
    e.set_origin(Origin([1, 2, 7]));
    let y = e.index(&x, &[whole, IndexItem::Tensor(columns)]).unwrap();
    e.set_origin(Origin([1, 2, 8]));
    let y = e.binary(BinaryOp::Add, &y, Scalar::Int(1)).unwrap();
    let error = e.realize(&[&y]).unwrap_err();
    assert_eq!(error.to_string(), "index 9 is out of bounds for axis 1 with size 4");
    assert_eq!(error.origin, Some(Origin([1, 2, 7])));
}

#[test]
fn in_place_work_is_seen_by_views_and_not_by_pending_reads() {
    let e = engine();
    let x = ramp(&e, &[4]);
    let reversed = e.flip(&x, None).unwrap();
    let before = e.binary(BinaryOp::Add, &x, Scalar::Int(10)).unwrap();
    e.update(BinaryOp::Mul, &x, Scalar::Int(2)).unwrap();
    assert_eq!(values(&e, &reversed), [6.0, 4.0, 2.0, 0.0]);
    assert_eq!(values(&e, &before), [10.0, 11.0, 12.0, 13.0]);
    e.assign_all(&reversed, &x).unwrap();
    assert_eq!(values(&e, &x), [6.0, 4.0, 2.0, 0.0]);
}

#[test]
fn einsum_agrees_with_its_parts() {
    let e = engine();
    let (a, b) = (ramp(&e, &[2, 3]), ramp(&e, &[3, 4]));
    let product = e.matmul(&a, &b).unwrap();
    let same = e.einsum("ij,jk->ik", &[a.clone(), b.clone()]).unwrap();
    assert_eq!(values(&e, &product), values(&e, &same));
    let trace = e.einsum("ii", &[e.matmul(&a, &e.transpose(&a).unwrap()).unwrap()]).unwrap();
    assert_eq!(values(&e, &trace), [55.0]);
    let batch = e.einsum("...ij,...jk->...ik", &[ramp(&e, &[5, 2, 3]), b]).unwrap();
    assert_eq!(batch.shape(), &Shape::from([5, 2, 4]));
    assert!(e.einsum("ij,jk->iq", &[a.clone(), a.clone()]).is_err());
    assert!(e.einsum("ij,kj->ik", &[a, ramp(&e, &[2, 2])]).is_err());
}

#[test]
fn plans_are_found_again() {
    let e = engine();
    for _ in 0..3 {
        let x = ramp(&e, &[40_000]);
        let y = e.binary(BinaryOp::Add, &x, Scalar::Float(0.5)).unwrap();
        let y = e.unary(UnaryOp::Exp, &y).unwrap();
        e.realize(&[&y]).unwrap();
    }
    let plans = e.plans.borrow();
    assert!(plans.hits >= 4, "{} hits, {} misses", plans.hits, plans.misses);
}

#[test]
fn reductions_of_one_tensor_share_a_program() {
    let e = engine();
    let x = ramp(&e, &[3, 4]);
    let max = e.reduce(Reduction::Max, &x, Some(&[1]), false).unwrap();
    let place = e.reduce(Reduction::ArgMax, &x, Some(&[1]), false).unwrap();
    let before = e.plans.borrow().misses;
    e.realize(&[&max, &place]).unwrap();
    assert_eq!(e.plans.borrow().misses, before + 1);
    assert_eq!(values(&e, &max), [3.0, 7.0, 11.0]);
    assert_eq!(values(&e, &place), [3.0, 3.0, 3.0]);
}

#[test]
fn a_summary_sets_the_odd_values_apart() {
    let e = engine();
    let x = [1.0, f64::NAN, 3.0, f64::INFINITY, 2.0, f64::NAN].map(Scalar::Float);
    let x = e.from_values(&x, &Shape::from([2, 3]), DType::F32).unwrap();
    let summary = e.summary(&x).unwrap().unwrap();
    assert_eq!((summary.min, summary.max, summary.mean), (1.0, 3.0, 2.0));
    assert_eq!((summary.nan_count, summary.first_nan.as_slice()), (2, [0, 1].as_slice()));
    assert_eq!((summary.inf_count, summary.first_inf.as_slice()), (1, [1, 0].as_slice()));
    assert_eq!(summary.histogram, [1, 0, 0, 0, 0, 1, 0, 0, 0, 1]);
    assert!((summary.sd - (2.0f64 / 3.0).sqrt()).abs() < 1e-12);
}

#[test]
fn a_temporary_that_dies_is_reused_in_place() {
    let e = engine();
    let x = ramp(&e, &[8, 8]);
    let product = e.matmul(&x, &x).unwrap();
    let address = product.storage_and_layout().unwrap().0.address();
    let kept = e.binary(BinaryOp::Add, &product, Scalar::Int(1)).unwrap();
    e.realize(&[&kept]).unwrap();
    assert_ne!(kept.storage_and_layout().unwrap().0.address(), address, "`product` is still held");
    let sum = e.binary(BinaryOp::Add, &product, Scalar::Int(2)).unwrap();
    drop(product);
    e.realize(&[&sum]).unwrap();
    assert_eq!(sum.storage_and_layout().unwrap().0.address(), address);
    let difference = e.binary(BinaryOp::Sub, &sum, &kept).unwrap();
    assert!(values(&e, &difference).iter().all(|value| *value == 1.0));
}

#[test]
fn a_fused_chain_needs_its_inputs_and_its_output() {
    let e = engine();
    let (x, y) = (ramp(&e, &[1 << 20]), ramp(&e, &[1 << 20]));
    let allocator = e.device().allocator().clone();
    allocator.reset_peaks();
    let chain = e.binary(BinaryOp::Mul, &x, Scalar::Float(2.0)).unwrap();
    let chain = e.unary(UnaryOp::Exp, &chain).unwrap();
    let chain = e.binary(BinaryOp::Mul, &chain, &y).unwrap();
    let third = e.binary(BinaryOp::Div, &x, Scalar::Float(3.0)).unwrap();
    let chain = e.binary(BinaryOp::Sub, &chain, &third).unwrap();
    e.realize(&[&chain]).unwrap();
    assert_eq!(allocator.stats().peak.allocated, 3 * x.size_bytes());
}

/// What is done to both parts of complex numbers alike is done to twice as many real ones, where these lie side by
/// side; the bits are those of each part by itself.
#[test]
fn moves_of_complex_numbers_are_those_of_their_parts() {
    let e = engine();
    let slice = |start, step| IndexItem::Slice(Slice { start, stop: None, step: Some(step) });
    let all = || slice(None, 1);
    let rows = || e.from_values(&[3, 0, -1, 3].map(Scalar::Int), &Shape::from([4]), DType::I64);
    let rows = IndexItem::Tensor(rows().unwrap());
    let column = IndexItem::Tensor(e.cast(&ramp(&e, &[5]), DType::I64).unwrap());
    type Move<'a> = (&'a str, bool, Box<dyn Fn(&Tensor) -> Result<Tensor, Error> + 'a>);
    let index = |items: Vec<IndexItem>| {
        let (e, items) = (&e, items);
        Box::new(move |x: &Tensor| e.as_it_is(&e.index(x, &items)?)) as Box<dyn Fn(&Tensor) -> _>
    };
    let moves: [Move<'_>; 9] = [
        ("rows", true, index(vec![all(), all()])),
        ("rows backwards", true, index(vec![slice(None, -1)])),
        ("parts of rows", true, index(vec![all(), slice(Some(3), 1)])),
        ("columns apart", false, index(vec![all(), slice(None, 2)])),
        ("columns backwards", false, index(vec![all(), slice(None, -1)])),
        ("chosen rows", true, index(vec![rows])),
        ("chosen columns", false, index(vec![all(), column])),
        ("turned", false, Box::new(|x| e.as_it_is(&e.transpose(x)?))),
        (
            "sums",
            true,
            Box::new(|x| {
                let sum = e.binary(BinaryOp::Add, x, e.index(x, &[slice(None, -1)])?)?;
                e.unary(UnaryOp::Neg, &e.binary(BinaryOp::Sub, &sum, x)?)
            }),
        ),
    ];
    for columns in [1usize, 2, 8, 700] {
        let re = ramp(&e, &[5, columns]);
        let im = e.unary(UnaryOp::Neg, &re).unwrap();
        for dtype in [DType::C64, DType::C128] {
            let x = e.cast(&e.pair(&re, &im).unwrap(), dtype).unwrap();
            e.realize(&[&x]).unwrap();
            for (name, in_pairs, made) in &moves {
                if columns < 5 && matches!(*name, "parts of rows" | "chosen columns") {
                    continue;
                }
                let result = made(&x).unwrap();
                let program = &programs(&e, &result)[0];
                let is_one = !program.contains("out1");
                assert!(columns < 8 || is_one == *in_pairs, "{name} of {columns}: {program}");
                for part in [Engine::real, Engine::imag] {
                    let found = e.to_host(&part(&e, &result).unwrap()).unwrap();
                    let expected = made(&e.copy(&part(&e, &x).unwrap()).unwrap()).unwrap();
                    let expected = e.to_host(&expected).unwrap();
                    assert_eq!(found.bytes, expected.bytes, "{name} of {columns} {dtype}");
                }
            }
        }
    }
}

/// Lanes that lie apart are read a few at a time, and all of a block's before any of it is written.
#[test]
fn work_in_place_is_what_new_memory_would_hold() {
    let e = engine();
    let bytes = |x: &Tensor| e.to_host(x).unwrap().bytes;
    let every_other = |x: &Tensor, start| {
        let part = Slice { start: Some(start), stop: None, step: Some(2) };
        e.index(x, &[IndexItem::Slice(part)]).unwrap()
    };
    for count in [6usize, 2050, 4098, 40_000, 400_000] {
        let of = |dtype: DType| {
            let re = e.binary(BinaryOp::Div, ramp(&e, &[count]), Scalar::Float(7.0)).unwrap();
            let im = e.flip(&re, None).unwrap();
            let x = if dtype.is_complex() { e.pair(&re, &im) } else { e.cast(&re, dtype) };
            e.copy(&e.as_it_is(&x.unwrap()).unwrap()).unwrap()
        };
        let types = DType::STORED.into_iter().filter(|dtype| *dtype != DType::Bool);
        for (dtype, op) in types
            .chain([DType::C64])
            .flat_map(|dtype| [(dtype, BinaryOp::Add), (dtype, BinaryOp::Mul)])
        {
            let other = e.flip(&of(dtype), None).unwrap();
            for start in [0, 1] {
                let (x, value) = (of(dtype), every_other(&other, start));
                let expected = e.binary(op, every_other(&x, start), &value).unwrap();
                e.realize(&[&expected]).unwrap();
                e.update(op, &every_other(&x, start), &value).unwrap();
                assert_eq!(
                    bytes(&every_other(&x, start)),
                    bytes(&expected),
                    "{op:?} {dtype} {count}"
                );
                let between = every_other(&of(dtype), 1 - start);
                assert_eq!(bytes(&every_other(&x, 1 - start)), bytes(&between));
            }
            for value in [None, Some(Operand::Scalar(Scalar::Int(3)))] {
                let x = of(dtype);
                let value = value.unwrap_or_else(|| Operand::from(&x));
                let expected = e.binary(op, &x, value.clone()).unwrap();
                e.realize(&[&expected]).unwrap();
                e.update(op, &x, value).unwrap();
                assert_eq!(bytes(&x), bytes(&expected), "{op:?} {dtype} {count}");
            }
        }
    }
}

#[test]
fn views_of_nothing_have_no_bytes() {
    let e = engine();
    let x = e.empty(&Shape::from([8, 0, 3]), DType::F32).unwrap();
    let backward = e.narrow(&x, 0, 7, 8, -1).unwrap();
    let last = e.narrow(&x, 0, 7, 1, 1).unwrap();
    for view in [backward, last, e.transpose(&x).unwrap()] {
        let mut bytes = 0;
        e.pieces(&view, |piece| {
            bytes += piece.len();
            Ok::<(), Error>(())
        })
        .unwrap();
        assert_eq!(bytes, 0);
        assert!(e.to_host(&view).unwrap().is_empty());
    }
}
