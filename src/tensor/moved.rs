//! Views of lazy work.
//!
//! A view keeps its base, so that whoever writes to one writes to the other, as with views of what
//! was computed. That must not cost what laziness is for: where a view is only read, or where nobody
//! else can reach its base any more, the view is moved down to the base's operands, and only the
//! elements that it shows are computed.

use std::cell::OnceCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::leaf::Leaf;
use super::node::{Lazy, Node};
use super::view::Rearrange;
use super::{BinaryOp, Tensor};
use crate::dtype::Scalar;
use crate::ir::MapOp;
use crate::layout::{Layout, Shape};

type Steps = SmallVec<[Rearrange; 2]>;

/// Elements of a node that was no leaf when the view was made.
pub(super) struct View {
    /// No view itself.
    pub base: Tensor,
    /// What was done to the base, one after the other.
    steps: Steps,
    /// Where that leads in the base's row-major order.
    pub layout: Layout,
    moved: OnceCell<Option<Tensor>>,
}

impl View {
    /// `None` where strides can't say the step.
    pub fn of(base: &Tensor, step: &Rearrange) -> Option<Rc<View>> {
        let layout = step.apply(&Layout::contiguous(base.shape().clone()))?;
        let (steps, moved) = (SmallVec::from_iter([step.clone()]), OnceCell::new());
        Some(Rc::new(View { base: base.clone(), steps, layout, moved }))
    }

    /// The same elements as work on the base's operands, where somebody has asked for it.
    pub fn moved_down(&self) -> Option<&Tensor> {
        self.moved.get()?.as_ref()
    }

    /// The view after one more step.
    pub fn then(&self, step: &Rearrange) -> Option<Rc<View>> {
        let layout = step.apply(&self.layout)?;
        let mut steps = self.steps.clone();
        steps.push(step.clone());
        Some(Rc::new(View { base: self.base.clone(), steps, layout, moved: OnceCell::new() }))
    }

    /// Where the elements lie, if the base has been computed: that is always in row-major order, in
    /// memory of its own.
    pub fn leaf(&self) -> Option<Leaf> {
        let whole = self.base.leaf()?;
        debug_assert!(whole.layout.is_contiguous() && whole.layout.offset == 0);
        Some(whole.with(self.layout.clone()))
    }

    /// The same elements as work on rearranged operands; `None` where the base is not elementwise
    /// work, or where an operand can't be rearranged so without a copy.
    pub fn moved(&self) -> Option<Tensor> {
        let move_down = || match self.base.lazy()? {
            Lazy::Iota { axis } if !is_line(&self.base, axis) => None,
            Lazy::Const(_) | Lazy::Iota { .. } | Lazy::Map { .. } => {
                move_down(&self.base, &self.steps, &mut FxHashMap::default())
            }
            _ => None,
        };
        self.moved.get_or_init(move_down).clone()
    }

    /// What is to be computed, and how the view lies in it, where nobody else can reach the base:
    /// each element that the view shows, once. `None` where that is the base as it is.
    pub fn part(&self) -> Option<(Tensor, Layout)> {
        let axes = self.layout.shape.iter().zip(&self.layout.strides).enumerate();
        let repeated: SmallVec<[usize; 4]> =
            axes.filter(|(_, (len, step))| **len > 1 && **step == 0).map(|(at, _)| at).collect();
        // Of all elements in another order nothing is saved: they lie as the view's strides say, so
        // that what reads them in its order is a copy where it is one in NumPy.
        let is_whole = repeated.is_empty() && self.layout.elem_count() == self.base.elem_count();
        if Rc::strong_count(&self.base.0) > 1 || is_whole {
            return None;
        }
        let moved = self.moved()?;
        if repeated.is_empty() {
            let layout = Layout::contiguous(moved.shape().clone());
            return Some((moved, layout));
        }
        let first = |axis| Rearrange::Narrow { axis, start: 0, len: 1, step: 1 };
        let mut steps = self.steps.clone();
        steps.extend(repeated.iter().map(|axis| first(*axis)));
        let part = move_down(&self.base, &steps, &mut FxHashMap::default())?;
        let mut layout = Layout::contiguous(part.shape().clone());
        for axis in repeated {
            layout.shape[axis] = self.layout.shape[axis];
            layout.strides[axis] = 0;
        }
        Some((part, layout))
    }
}

/// `x` after `steps`, computed from operands after those steps. The nodes made here are nobody's
/// but the view's, and keep the origins of those that they stand for. `done` keeps operands shared
/// that `x` uses several times.
fn move_down(
    x: &Tensor,
    steps: &[Rearrange],
    done: &mut FxHashMap<*const Node, Tensor>,
) -> Option<Tensor> {
    let arrange =
        |layout: Layout| steps.iter().try_fold(layout, |layout, step| step.apply(&layout));
    if let Some(leaf) = x.leaf() {
        return Some(Tensor::from_leaf(Leaf { layout: arrange(leaf.layout)?, ..leaf }));
    }
    if let Some(known) = done.get(&Rc::as_ptr(&x.0)) {
        return Some(known.clone());
    }
    let layout = arrange(Layout::contiguous(x.shape().clone()))?;
    let (lazy, depth) = match x.lazy()? {
        Lazy::Const(value) => (Lazy::Const(value), 0),
        Lazy::Map { op, operands } => {
            let mut moved: SmallVec<[Tensor; 3]> = SmallVec::new();
            for operand in &operands {
                moved.push(if operand.shape() == x.shape() {
                    move_down(operand, steps, done)?
                } else {
                    let spread = Rearrange::Broadcast(x.shape().clone());
                    let steps: Steps = std::iter::once(&spread).chain(steps).cloned().collect();
                    move_down(operand, &steps, &mut FxHashMap::default())?
                });
            }
            let deepest = moved.iter().map(|operand| operand.0.depth_now()).max().unwrap_or(0);
            (Lazy::Map { op, operands: moved }, deepest + 1)
        }
        Lazy::View(view) => {
            let steps: Steps = view.steps.iter().chain(steps).cloned().collect();
            return move_down(&view.base, &steps, &mut FxHashMap::default());
        }
        Lazy::Iota { axis } if is_line(x, axis) => {
            let result = coordinates(x, &layout);
            done.insert(Rc::as_ptr(&x.0), result.clone());
            return Some(result);
        }
        Lazy::Iota { .. } | Lazy::Reduce { .. } | Lazy::Gather { .. } => {
            let (base, steps) = (x.clone(), steps.iter().cloned().collect());
            let view = View { base, steps, layout: layout.clone(), moved: OnceCell::new() };
            (Lazy::View(Rc::new(view)), x.0.depth + 1)
        }
    };
    let result = Tensor::from_lazy(lazy, layout.shape, x, x.0.origin, depth);
    done.insert(Rc::as_ptr(&x.0), result.clone());
    Some(result)
}

/// Whether all elements stand along one axis.
fn is_line(x: &Tensor, axis: u8) -> bool {
    x.shape().iter().enumerate().all(|(at, extent)| at == usize::from(axis) || *extent == 1)
}

/// What `layout` shows of a line of coordinates: at each place, where it leads.
fn coordinates(x: &Tensor, layout: &Layout) -> Tensor {
    let node = |lazy, shape, depth| Tensor::from_lazy(lazy, shape, x, x.0.origin, depth);
    let number = |value: isize| node(Lazy::Const(Scalar::Int(value as i64)), Shape::scalar(), 0);
    let both = |op, a: Tensor, b: Tensor| {
        let depth = 1 + a.0.depth.max(b.0.depth);
        let operands = SmallVec::from_iter([a, b]);
        node(Lazy::Map { op: MapOp::Binary(op), operands }, layout.shape.clone(), depth)
    };
    let steps = layout.shape.iter().zip(&layout.strides).enumerate();
    let steps = steps.filter(|(_, (extent, stride))| **extent > 1 && **stride != 0);
    let terms = steps.map(|(axis, (_, stride))| {
        let along = node(Lazy::Iota { axis: axis as u8 }, layout.shape.clone(), 0);
        if *stride == 1 { along } else { both(BinaryOp::Mul, along, number(*stride)) }
    });
    match (terms.reduce(|sum, term| both(BinaryOp::Add, sum, term)), layout.offset as isize) {
        (Some(sum), 0) => sum,
        (Some(sum), start) => both(BinaryOp::Add, sum, number(start)),
        (None, start) => node(Lazy::Const(Scalar::Int(start as i64)), layout.shape.clone(), 0),
    }
}

#[cfg(test)]
mod tests {
    use crate::dtype::{DType, Scalar};
    use crate::layout::{Shape, Slice};
    use crate::tensor::tests::{engine, ramp};
    use crate::tensor::{BinaryOp, Engine, IndexItem, Tensor};

    fn doubled(e: &Engine, x: &Tensor) -> Tensor {
        e.binary(BinaryOp::Mul, x, Scalar::Int(2)).unwrap()
    }

    fn values(e: &Engine, x: &Tensor) -> Vec<f64> {
        e.to_host(x).unwrap().to_scalars().into_iter().map(Scalar::as_f64).collect()
    }

    /// Every way to a view of a tensor of shape (3, 4), with what it shows of 0, 2, 4 … 22.
    fn views(e: &Engine, base: &Tensor) -> Vec<(Tensor, Vec<f64>)> {
        let all: Vec<f64> = (0..12).map(|at| 2.0 * f64::from(at)).collect();
        let of = |places: &[usize]| places.iter().map(|at| all[*at]).collect::<Vec<_>>();
        let slice = Slice { start: Some(1), stop: None, step: None };
        let rows = |x: &Tensor| e.index(x, &[IndexItem::Slice(slice)]).unwrap();
        let spread = e.expand_dims(&e.narrow(base, 0, 2, 1, 1).unwrap(), &[0]).unwrap();
        vec![
            (rows(base), of(&[4, 5, 6, 7, 8, 9, 10, 11])),
            (e.index(base, &[IndexItem::Int(-1)]).unwrap(), of(&[8, 9, 10, 11])),
            (e.transpose(base).unwrap(), of(&[0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11])),
            (e.reshape(base, &[-1]).unwrap(), all.clone()),
            (e.expand_dims(base, &[0, 3]).unwrap(), all.clone()),
            (e.flip(base, Some(&[0])).unwrap(), of(&[8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3])),
            (e.diagonal(base, 1, 0, 1).unwrap(), of(&[1, 6, 11])),
            (rows(&e.transpose(base).unwrap()), of(&[1, 5, 9, 2, 6, 10, 3, 7, 11])),
            (e.broadcast_to(&spread, &Shape::from([2, 1, 4])).unwrap(), {
                of(&[8, 9, 10, 11, 8, 9, 10, 11])
            }),
        ]
    }

    #[test]
    fn a_write_to_the_base_is_seen_through_every_view() {
        for at in 0..9 {
            let e = engine();
            let base = doubled(&e, &ramp(&e, &[3, 4]));
            let (view, before) = views(&e, &base).swap_remove(at);
            assert!(!view.is_realized());
            // The view is read before its base is computed, and still is a view of it.
            assert_eq!(values(&e, &doubled(&e, &view)), twice(&before), "view {at}");
            e.assign_all(&base, Scalar::Int(7)).unwrap();
            assert_eq!(values(&e, &view), vec![7.0; before.len()], "view {at}");
        }
    }

    #[test]
    fn a_write_through_a_view_is_seen_in_the_base_and_in_other_views() {
        let e = engine();
        let base = doubled(&e, &ramp(&e, &[3, 4]));
        let views = views(&e, &base);
        e.assign_all(&views[0].0, Scalar::Int(-1)).unwrap();
        assert_eq!(values(&e, &base)[..5], [0.0, 2.0, 4.0, 6.0, -1.0]);
        assert_eq!(values(&e, &views[6].0), [2.0, -1.0, -1.0]);
        assert!(e.assign_all(&views[8].0, Scalar::Int(1)).is_err(), "it repeats elements");
    }

    #[test]
    fn only_what_can_be_reached_is_computed() {
        let e = engine();
        let elements = |x: &Tensor| x.storage_and_layout().unwrap().0.len();
        for (at, wanted) in [8, 4, 12, 12, 12, 12, 3, 9, 4].into_iter().enumerate() {
            let (view, shown) = {
                let base = doubled(&e, &ramp(&e, &[3, 4]));
                views(&e, &base).swap_remove(at)
            };
            assert_eq!(values(&e, &view), shown, "view {at}");
            e.realize(&[&view]).unwrap();
            assert_eq!(elements(&view), wanted, "view {at}");
        }
        let one = e.full(&Shape::from([1]), Scalar::Int(1), DType::F32).unwrap();
        let wide = e.broadcast_to(&one, &Shape::from([20_000, 20_000])).unwrap();
        e.realize(&[&wide]).unwrap();
        assert_eq!(elements(&wide), 1);
    }

    /// Every way to a view of 0 … 11, computed as it is asked for, beside the same view of memory.
    #[test]
    fn only_what_is_shown_of_a_range_is_computed() {
        let e = engine();
        let range = |e: &Engine| {
            let x = e.arange(Scalar::Int(0), Scalar::Int(12), Scalar::Int(1), None).unwrap();
            e.reshape(&x, &[3, 4]).unwrap()
        };
        let computed = range(&e);
        e.realize(&[&computed]).unwrap();
        let double = |(view, shown): (Tensor, Vec<f64>)| {
            (view, shown.into_iter().map(|value| value / 2.0).collect::<Vec<_>>())
        };
        for at in 0..9 {
            let (view, shown) = double(views(&e, &range(&e)).swap_remove(at));
            assert_eq!(values(&e, &view), shown, "view {at}");
            let (there, _) = views(&e, &computed).swap_remove(at);
            assert_eq!(values(&e, &there), shown, "view {at}");
            e.realize(&[&view]).unwrap();
            let len = view.storage_and_layout().unwrap().0.len();
            assert!(len <= shown.len(), "view {at}: {len}");
        }
        let columns = e.narrow(&e.iota(&Shape::from([3, 4]), 1).unwrap(), 1, 1, 2, 2).unwrap();
        assert_eq!(values(&e, &doubled(&e, &columns)), [2.0, 6.0, 2.0, 6.0, 2.0, 6.0]);
        let count = 1_000_000_000_000;
        let huge = |start: i64| {
            e.arange(Scalar::Int(start), Scalar::Int(count), Scalar::Int(1), None).unwrap()
        };
        let last = |x: Tensor| e.narrow(&x, 0, x.elem_count() - 3, 3, 1).unwrap();
        assert_eq!(values(&e, &last(huge(0)))[0], 999_999_999_997.0);
        let line = e.linspace(0.0, 1.0, count as usize, true, DType::F64).unwrap();
        assert_eq!(values(&e, &last(line))[2], 1.0);
        let one = e.index(&huge(5), &[IndexItem::Int(7)]).unwrap();
        assert_eq!(values(&e, &one), [12.0]);
    }

    #[test]
    fn a_copy_of_lazy_work_is_nobody_elses() {
        let e = engine();
        let base = doubled(&e, &ramp(&e, &[4]));
        let copy = e.copy(&base).unwrap();
        let view_copy = e.copy(&e.flip(&base, None).unwrap()).unwrap();
        e.assign_all(&base, Scalar::Int(5)).unwrap();
        assert_eq!(values(&e, &copy), [0.0, 2.0, 4.0, 6.0]);
        assert_eq!(values(&e, &view_copy), [6.0, 4.0, 2.0, 0.0]);
        assert_eq!(values(&e, &base), [5.0; 4]);
    }

    fn twice(values: &[f64]) -> Vec<f64> {
        values.iter().map(|value| 2.0 * value).collect()
    }
}
