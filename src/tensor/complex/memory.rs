//! What is done to the memory of complex tensors by kernels that are no programs: to each part by itself.

use crate::device::ScatterOp;
use crate::dtype::DType;
use crate::layout::Shape;
use crate::tensor::leaf::{Leaf, Part};
use crate::tensor::{BinaryOp, Engine, Error, IndexItem, Tensor};

const PARTS: [Part; 2] = [Part::Real, Part::Imag];

impl Engine {
    /// Sorted along the last axis: by the real parts, then by the imaginary ones. What has no NaN stands
    /// before what has one in the imaginary part, that before what has one in the real part, and what has
    /// two of them stands last. Gives where the elements were; int64.
    pub(in crate::tensor) fn complex_order(
        &self,
        x: &Tensor,
        descending: bool,
    ) -> Result<Tensor, Error> {
        let [re, im] = self.parts(x)?;
        let (re, im) = (self.contiguous(&re)?, self.contiguous(&im)?);
        // From the last key to the first, each time without changing the order of equals.
        let mut order = self.argsort(&im, -1, descending)?;
        let by_re = self.argsort(&self.along_last(&re, &order)?, -1, descending)?;
        order = self.along_last(&order, &by_re)?;
        let is_nan = |part| self.unary(super::UnaryOp::IsNan, part);
        let of_re = self.cast(&is_nan(&re)?, DType::U8)?;
        let of_im = self.cast(&is_nan(&im)?, DType::U8)?;
        let class =
            self.binary(BinaryOp::Add, &self.binary(BinaryOp::Add, &of_re, &of_re)?, &of_im)?;
        let class = self.along_last(&class, &order)?;
        let by_class = self.argsort(&class, -1, false)?;
        self.along_last(&order, &by_class)
    }

    /// The elements of each row of the last axis at these places of it.
    pub(in crate::tensor) fn along_last(
        &self,
        x: &Tensor,
        places: &Tensor,
    ) -> Result<Tensor, Error> {
        let (rank, device) = (x.rank(), x.device().clone());
        let mut items = Vec::with_capacity(rank);
        for axis in 0..rank - 1 {
            let mut line: Shape = std::iter::repeat_n(1, rank).collect();
            line[axis] = x.shape()[axis];
            items.push(IndexItem::Tensor(self.iota_on(device.clone(), line, axis as u8)));
        }
        items.push(IndexItem::Tensor(places.clone()));
        let taken = self.index(x, &items)?;
        self.realize_node(&taken)?;
        Ok(taken)
    }

    /// The parts of what a scatter writes and of where it writes to, one after the other. Sums are sums of
    /// parts.
    ///
    /// # Errors
    /// TypeError for what joins complex numbers otherwise.
    pub(in crate::tensor) fn complex_scatter(
        &self,
        op: ScatterOp,
        values: &Leaf,
    ) -> Result<[(Part, Leaf); 2], Error> {
        match op {
            ScatterOp::Write | ScatterOp::Add => Ok(PARTS.map(|part| (part, values.part(part)))),
            ScatterOp::Multiply | ScatterOp::Max | ScatterOp::Min => {
                Err(Error::type_error("complex numbers are joined by an index only in sums")
                    .with_hint("`np.add.at` adds; a loop over the places does the rest"))
            }
        }
    }
}
