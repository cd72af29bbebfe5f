//! A piece of graph, already walked, as a program and the way through its operands. Programs are real: a
//! complex value is a pair of registers here, and a complex operand two operands of the program.

mod complex;

use smallvec::SmallVec;

use super::anchor::{Per, reduction_behind};
use super::leaf::Part;
use super::node::Lazy;
use super::plan::{Bound, Plan};
use super::schedule::Walk;
use super::{Error, Tensor};
use crate::device::Memo;
use crate::dtype::{DType, Scalar};
use crate::ir::complex::Value;
use crate::ir::{Access, Builder, Domain, MapOp, Op, ReduceOp, Reg, Space, collapse};
use crate::layout::{Layout, Shape, Strides};

/// Writes the plan for the walk's roots. `outputs` are the layouts to write through, one for each
/// root and of its shape; their offsets are left to the launch.
pub(super) fn lower(
    walk: &Walk<'_>,
    roots: &[&Tensor],
    outputs: &[&Layout],
) -> Result<Plan, Error> {
    if complex::is_alike_for_parts(walk, roots) {
        let plan = lower_as(walk, roots, outputs, true)?;
        // Where parts of an element are neighbours, but elements are not, each part is better read by itself.
        if plan.space.dims.last() != Some(&2) {
            return Ok(plan);
        }
    }
    lower_as(walk, roots, outputs, false)
}

fn lower_as(
    walk: &Walk<'_>,
    roots: &[&Tensor],
    outputs: &[&Layout],
    in_pairs: bool,
) -> Result<Plan, Error> {
    let per = walk.root_per();
    let mut lowering = Lowering {
        walk,
        in_pairs,
        builder: Builder::new(),
        inputs: SmallVec::new(),
        regs: SmallVec::from_elem(None, walk.nodes.len()),
        next_node: 0,
        next_leaf: 0,
        fallible: Vec::new(),
        iota_axes: 0,
        order: axis_order(walk),
    };
    let domain = match (&walk.anchor, per) {
        (Some(_), Per::Row) => Domain::Row,
        _ => Domain::Element,
    };
    let mut targets: Targets = SmallVec::new();
    for (at, (root, output)) in roots.iter().zip(outputs).enumerate() {
        let value = lowering.emit(root, per)?;
        let access = lowering.access(output, per)?.0;
        for (part, reg) in complex::parts(value) {
            let part = if in_pairs { Part::Both } else { part };
            lowering.builder.output(reg, domain);
            targets.push((Bound { leaf: at as u16, part }, lowering.access_of(part, &access)));
        }
    }
    Ok(lowering.finish(targets))
}

type Targets = SmallVec<[(Bound, Access); 2]>;

struct Lowering<'w, 'e> {
    walk: &'w Walk<'e>,
    /// Whether complex elements are pairs of real ones along a last axis of the program.
    in_pairs: bool,
    builder: Builder,
    inputs: SmallVec<[(Bound, Access); 4]>,
    /// By the node's number in the walk.
    regs: SmallVec<[Option<Value>; 16]>,
    next_node: usize,
    next_leaf: u16,
    fallible: Vec<(Reg, u32)>,
    /// A bit for each axis of the space whose coordinate the program asks for.
    iota_axes: u64,
    /// The axes of the program's space in terms of the element shape: kept ones first.
    order: SmallVec<[usize; 6]>,
}

fn axis_order(walk: &Walk<'_>) -> SmallVec<[usize; 6]> {
    let rank = walk.shape(Per::Element).rank();
    let is_folded =
        |axis: &usize| walk.anchor.as_ref().is_some_and(|anchor| anchor.is_folded(*axis));
    let kept = (0..rank).filter(|axis| !is_folded(axis));
    kept.chain((0..rank).filter(is_folded)).collect()
}

impl Lowering<'_, '_> {
    /// The value of a node; the order of visits is the walk's own.
    fn emit(&mut self, tensor: &Tensor, per: Per) -> Result<Value, Error> {
        let known = self.find(tensor, per);
        if let Some(reg) = known {
            return Ok(reg);
        }
        if let Some(anchor) = &self.walk.anchor
            && let Some(base) = reduction_behind(anchor, self.walk.shape(per), tensor, per)
        {
            return self.emit_reduction(&base);
        }
        let lazy = tensor.lazy();
        if let Some(Lazy::View(view)) = &lazy {
            let moved = view.moved().expect("the walk went through the view");
            return self.emit(&moved, per);
        }
        let number = self.next_node;
        self.next_node += 1;
        let reg = match lazy {
            None => {
                let layout = &self.walk.leaves[self.next_leaf as usize].layout;
                let dtype = tensor.dtype();
                let (access, domain) = self.access(layout, per)?;
                self.read(dtype, &access, |builder, input| builder.load(input, domain))
            }
            Some(Lazy::Const(value)) => complex::constant(&mut self.builder, value, tensor.dtype()),
            Some(Lazy::Iota { axis }) => Value::Real(self.emit_iota(tensor, axis as usize, per)),
            Some(Lazy::Map { op, operands }) => {
                let mut values: SmallVec<[Value; 3]> = SmallVec::new();
                for operand in &operands {
                    values.push(self.emit(operand, per)?);
                }
                self.emit_map(op, &values, tensor.dtype(), number)
            }
            Some(Lazy::Gather { layout, indices, .. }) => {
                let (mut access, domain) = self.access(&layout, per)?;
                access.gathered =
                    indices.iter().map(|index| (index.extent, index.stride)).collect();
                let leaf = self.next_leaf();
                let mut values: SmallVec<[Reg; 2]> = SmallVec::new();
                for index in &indices {
                    values.push(self.emit(&index.index, per)?.real());
                }
                let gather = |builder: &mut Builder, input| builder.gather(input, &values, domain);
                let value = self.read_leaf(leaf, tensor.dtype(), &access, gather);
                self.fallible.extend(complex::parts(value).map(|(_, reg)| (reg, number as u32)));
                value
            }
            Some(Lazy::View(_) | Lazy::Reduce { .. }) => {
                unreachable!("the walk has computed every node that does not fuse")
            }
        };
        self.regs[number] = Some(reg);
        Ok(reg)
    }

    fn emit_reduction(&mut self, base: &Tensor) -> Result<Value, Error> {
        if let Some(reg) = self.find(base, Per::Row) {
            return Ok(reg);
        }
        let Some(Lazy::Reduce { op, operand, .. }) = base.lazy() else {
            unreachable!("the caller found a reduction")
        };
        let number = self.next_node;
        self.next_node += 1;
        let element = self.emit(&operand, Per::Element)?;
        debug_assert!(op == ReduceOp::Sum || !base.dtype().is_complex());
        let (builder, dtype) = (&mut self.builder, base.dtype().part());
        let value = element.map(|reg| builder.push(Op::Reduce(op, reg), dtype));
        self.regs[number] = Some(value);
        Ok(value)
    }

    fn emit_map(&mut self, op: MapOp, values: &[Value], dtype: DType, number: usize) -> Value {
        let is_complex = dtype.is_complex() && !self.in_pairs;
        if is_complex || values.iter().any(|value| value.is_complex()) {
            return complex::map(&mut self.builder, op, values, dtype);
        }
        let values: SmallVec<[Reg; 3]> = values.iter().map(|value| value.real()).collect();
        let op = match (op, values.as_slice()) {
            (MapOp::Cast, [a]) => return Value::Real(self.builder.cast(*a, dtype.part())),
            (MapOp::Unary(op), [a]) => Op::Unary(op, *a),
            (MapOp::Binary(op), [a, b]) => Op::Binary(op, *a, *b),
            (MapOp::Compare(op), [a, b]) => Op::Compare(op, *a, *b),
            (MapOp::Select, [a, b, c]) => Op::Select(*a, *b, *c),
            _ => unreachable!("a map has as many operands as its operation takes"),
        };
        let reg = self.builder.push(op, dtype.part());
        self.fallible.push((reg, number as u32));
        Value::Real(reg)
    }

    fn emit_iota(&mut self, tensor: &Tensor, axis: usize, per: Per) -> Reg {
        let added = self.walk.shape(per).rank() - tensor.rank();
        if tensor.shape()[axis] == 1 {
            return self.builder.constant(Scalar::Int(0), DType::I64);
        }
        let Some(axis) = self.element_axis(added + axis, per) else {
            return self.builder.constant(Scalar::Int(0), DType::I64);
        };
        let place = self.order.iter().position(|old| *old == axis).expect("the order has all axes");
        self.iota_axes |= 1 << place;
        let is_kept = self.walk.anchor.as_ref().is_some_and(|anchor| !anchor.is_folded(axis));
        self.builder.iota(place as u8, if is_kept { Domain::Row } else { Domain::Element })
    }

    /// The axis of the element shape that an axis of the shape seen `per` element or row is.
    fn element_axis(&self, axis: usize, per: Per) -> Option<usize> {
        match (&self.walk.anchor, per) {
            (Some(anchor), Per::Row) => {
                anchor.rows.as_ref().and_then(|rows| rows[axis]).map(usize::from)
            }
            _ => Some(axis),
        }
    }

    /// How a layout is reached along the space's axes, and whether its values differ within a row.
    fn access(&self, layout: &Layout, per: Per) -> Result<(Access, Domain), Error> {
        let shape: &Shape = self.walk.shape(per);
        let layout = layout.broadcast_to(shape)?;
        let element_rank = self.walk.shape(Per::Element).rank();
        let mut strides: SmallVec<[isize; 6]> = SmallVec::from_elem(0, element_rank);
        for axis in 0..shape.rank() {
            if let Some(target) = self.element_axis(axis, per) {
                strides[target] = layout.strides[axis];
            }
        }
        let varies = |axis: usize| strides[axis] != 0;
        let domain = match &self.walk.anchor {
            Some(anchor) if !anchor.axes.iter().any(|axis| varies(*axis as usize)) => Domain::Row,
            _ => Domain::Element,
        };
        let strides: Strides = self.order.iter().map(|axis| strides[*axis]).collect();
        Ok((Access { offset: 0, strides, gathered: SmallVec::new() }, domain))
    }

    fn next_leaf(&mut self) -> u16 {
        self.next_leaf += 1;
        self.next_leaf - 1
    }

    /// What the next leaf of the walk holds, which `read` reads from an input.
    fn read(
        &mut self,
        dtype: DType,
        access: &Access,
        read: impl Fn(&mut Builder, u16) -> Reg,
    ) -> Value {
        let leaf = self.next_leaf();
        self.read_leaf(leaf, dtype, access, read)
    }

    fn read_leaf(
        &mut self,
        leaf: u16,
        dtype: DType,
        access: &Access,
        read: impl Fn(&mut Builder, u16) -> Reg,
    ) -> Value {
        let in_pairs = self.in_pairs;
        let mut part = |part: Part| {
            self.inputs.push((Bound { leaf, part }, self.access_of(part, access)));
            let input = self.builder.input(dtype.part());
            read(&mut self.builder, input)
        };
        match (dtype.is_complex(), in_pairs) {
            (true, false) => Value::complex(part(Part::Real), part(Part::Imag)),
            (true, true) => Value::Real(part(Part::Both)),
            (false, _) => Value::Real(part(Part::Whole)),
        }
    }

    /// The way to a part of elements that are reached so, along all axes of the program.
    fn access_of(&self, part: Part, access: &Access) -> Access {
        let mut access = part.access(access);
        if self.in_pairs {
            access.strides.push(isize::from(part == Part::Both));
        }
        access
    }

    fn find(&self, tensor: &Tensor, per: Per) -> Option<Value> {
        let leaf = tensor.leaf();
        let known = (0..self.next_node).find(|number| {
            let (node, node_per) = &self.walk.nodes[*number];
            let reads_the_same = || match (&leaf, node.leaf()) {
                (Some(leaf), Some(other)) => leaf.is_same(&other),
                _ => false,
            };
            *node_per == per && (node.is_same(tensor) || reads_the_same())
        });
        known.and_then(|number| self.regs[number])
    }

    fn finish(self, targets: Targets) -> Plan {
        let shape = self.walk.shape(Per::Element);
        let folded = self.walk.anchor.as_ref().map_or(0, |anchor| anchor.axes.len());
        let mut space = Space {
            dims: self.order.iter().map(|axis| shape[*axis]).collect(),
            kept: shape.rank() - folded,
        };
        if self.in_pairs {
            space.dims.push(2);
            space.kept += 1;
        }
        let (inputs, mut operands): (Vec<Bound>, Vec<Access>) = self.inputs.into_iter().unzip();
        let (outputs, accesses): (Vec<Bound>, Vec<Access>) = targets.into_iter().unzip();
        operands.extend(accesses);
        let names = collapse(&mut space, &mut operands, self.iota_axes);
        let mut program = self.builder.finish();
        for instr in &mut program.instrs {
            if let Op::Iota { axis } = &mut instr.op {
                let place = names.iter().position(|name| name == axis);
                *axis = place.expect("an axis whose coordinate is asked for stays") as u8;
            }
        }
        let mut fallible = self.fallible;
        fallible.dedup_by_key(|(reg, _)| *reg);
        Plan {
            program: program.into(),
            space,
            inputs: inputs.into(),
            outputs: outputs.into(),
            accesses: operands.into(),
            memo: Memo::default(),
            fallible,
        }
    }
}
