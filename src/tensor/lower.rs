//! A piece of graph, already walked, as a program and the way through its operands.

use smallvec::SmallVec;

use super::node::{Lazy, MapOp};
use super::plan::Plan;
use super::schedule::{Per, Walk, reduction_behind};
use super::{Error, Tensor};
use crate::device::Memo;
use crate::dtype::{DType, Scalar};
use crate::ir::{Access, Builder, Domain, Op, Reg, Space, collapse};
use crate::layout::{Layout, Shape, Strides};

/// Writes the plan for the walk's roots. `outputs` are the layouts to write through, one for each
/// root and of its shape; their offsets are left to the launch.
pub(super) fn lower(
    walk: &Walk<'_>,
    roots: &[&Tensor],
    outputs: &[&Layout],
) -> Result<Plan, Error> {
    let per = walk.root_per();
    let mut lowering = Lowering {
        walk,
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
    let mut accesses: SmallVec<[Access; 2]> = SmallVec::new();
    for (root, output) in roots.iter().zip(outputs) {
        let value = lowering.emit(root, per)?;
        lowering.builder.output(value, domain);
        accesses.push(lowering.access(output, per)?.0);
    }
    Ok(lowering.finish(accesses))
}

struct Lowering<'w, 'e> {
    walk: &'w Walk<'e>,
    builder: Builder,
    inputs: SmallVec<[(u16, Access); 4]>,
    /// By the node's number in the walk.
    regs: SmallVec<[Option<Reg>; 16]>,
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
    fn emit(&mut self, tensor: &Tensor, per: Per) -> Result<Reg, Error> {
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
                let input = self.bind(dtype, access);
                self.builder.load(input, domain)
            }
            Some(Lazy::Const(value)) => self.builder.constant(value, tensor.dtype()),
            Some(Lazy::Iota { axis }) => self.emit_iota(tensor, axis as usize, per),
            Some(Lazy::Map { op, operands }) => {
                let mut values: SmallVec<[Reg; 3]> = SmallVec::new();
                for operand in &operands {
                    values.push(self.emit(operand, per)?);
                }
                self.emit_map(op, &values, tensor.dtype(), number)
            }
            Some(Lazy::Gather { layout, indices, .. }) => {
                let (mut access, domain) = self.access(&layout, per)?;
                access.gathered =
                    indices.iter().map(|index| (index.extent, index.stride)).collect();
                let input = self.bind(tensor.dtype(), access);
                let mut values: SmallVec<[Reg; 2]> = SmallVec::new();
                for index in &indices {
                    values.push(self.emit(&index.index, per)?);
                }
                let reg = self.builder.gather(input, &values, domain);
                self.fallible.push((reg, number as u32));
                reg
            }
            Some(Lazy::View(_) | Lazy::Reduce { .. }) => {
                unreachable!("the walk has computed every node that does not fuse")
            }
        };
        self.regs[number] = Some(reg);
        Ok(reg)
    }

    fn emit_reduction(&mut self, base: &Tensor) -> Result<Reg, Error> {
        if let Some(reg) = self.find(base, Per::Row) {
            return Ok(reg);
        }
        let Some(Lazy::Reduce { op, operand, .. }) = base.lazy() else {
            unreachable!("the caller found a reduction")
        };
        let number = self.next_node;
        self.next_node += 1;
        let element = self.emit(&operand, Per::Element)?;
        let reg = self.builder.push(Op::Reduce(op, element), base.dtype());
        self.regs[number] = Some(reg);
        Ok(reg)
    }

    fn emit_map(&mut self, op: MapOp, values: &[Reg], dtype: DType, number: usize) -> Reg {
        let op = match (op, values) {
            (MapOp::Cast, [a]) => return self.builder.cast(*a, dtype),
            (MapOp::Unary(op), [a]) => Op::Unary(op, *a),
            (MapOp::Binary(op), [a, b]) => Op::Binary(op, *a, *b),
            (MapOp::Compare(op), [a, b]) => Op::Compare(op, *a, *b),
            (MapOp::Select, [a, b, c]) => Op::Select(*a, *b, *c),
            _ => unreachable!("a map has as many operands as its operation takes"),
        };
        let reg = self.builder.push(op, dtype);
        self.fallible.push((reg, number as u32));
        reg
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

    fn bind(&mut self, dtype: DType, access: Access) -> u16 {
        let leaf = self.next_leaf;
        self.next_leaf += 1;
        self.inputs.push((leaf, access));
        self.builder.input(dtype)
    }

    fn find(&self, tensor: &Tensor, per: Per) -> Option<Reg> {
        let known = (0..self.next_node).find(|number| {
            let (node, node_per) = &self.walk.nodes[*number];
            node.is_same(tensor) && *node_per == per
        });
        known.and_then(|number| self.regs[number])
    }

    fn finish(self, outputs: SmallVec<[Access; 2]>) -> Plan {
        let shape = self.walk.shape(Per::Element);
        let folded = self.walk.anchor.as_ref().map_or(0, |anchor| anchor.axes.len());
        let mut space = Space {
            dims: self.order.iter().map(|axis| shape[*axis]).collect(),
            kept: shape.rank() - folded,
        };
        let (leaves, mut operands): (Vec<u16>, Vec<Access>) = self.inputs.into_iter().unzip();
        operands.extend(outputs);
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
            inputs: leaves.into(),
            accesses: operands.into(),
            memo: Memo::default(),
            fallible,
        }
    }
}
