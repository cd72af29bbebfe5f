//! Numbers of Rust in rows: single ones, vectors, slices, fixed arrays, nested at will, and
//! ndarray's arrays where the feature `ndarray` is on.

use super::element::Element;
use crate::diag::Fault;
use crate::layout::Shape;

/// What a tensor can be made of.
pub trait ToRows {
    type Item: Element;

    /// The extents, as the first of each nested row has them.
    fn extents(&self, extents: &mut Vec<usize>);

    /// The elements in row-major order, as bytes. `extents` are those that this is to have.
    ///
    /// # Errors
    /// ValueError for rows of different lengths.
    fn push(&self, extents: &[usize], bytes: &mut Vec<u8>) -> Result<(), Fault>;

    /// The number itself, if it is no row.
    fn single(&self) -> Option<Self::Item> {
        None
    }
}

/// What the elements of a tensor can become.
pub trait FromRows: Sized {
    type Item: Element;

    /// The number of axes that the tensor must have, if not any number will do.
    const RANK: Option<usize>;

    /// From elements in row-major order, as many as `extents` say.
    fn from_rows(extents: &[usize], items: Vec<Self::Item>) -> Self;
}

macro_rules! single {
    ($($of:ty)*) => {$(
        impl ToRows for $of {
            type Item = $of;

            fn extents(&self, _: &mut Vec<usize>) {}

            fn push(&self, _: &[usize], bytes: &mut Vec<u8>) -> Result<(), Fault> {
                Element::push(*self, bytes);
                Ok(())
            }

            fn single(&self) -> Option<$of> {
                Some(*self)
            }
        }

        impl FromRows for $of {
            type Item = $of;
            const RANK: Option<usize> = Some(0);

            fn from_rows(_: &[usize], items: Vec<$of>) -> $of {
                items[0]
            }
        }
    )*};
}

single! { bool u8 u16 u32 u64 i8 i16 i32 i64 half::f16 half::bf16 f32 f64 }

impl<R: ToRows> ToRows for [R] {
    type Item = R::Item;

    fn extents(&self, extents: &mut Vec<usize>) {
        extents.push(self.len());
        if let Some(first) = self.first() {
            first.extents(extents);
        }
    }

    fn push(&self, extents: &[usize], bytes: &mut Vec<u8>) -> Result<(), Fault> {
        let (len, inner) = extents.split_first().ok_or_else(|| ragged(extents))?;
        if *len != self.len() {
            return Err(ragged(extents));
        }
        self.iter().try_for_each(|row| row.push(inner, bytes))
    }
}

impl<R: ToRows, const N: usize> ToRows for [R; N] {
    type Item = R::Item;

    fn extents(&self, extents: &mut Vec<usize>) {
        self.as_slice().extents(extents);
    }

    fn push(&self, extents: &[usize], bytes: &mut Vec<u8>) -> Result<(), Fault> {
        self.as_slice().push(extents, bytes)
    }
}

impl<R: ToRows> ToRows for Vec<R> {
    type Item = R::Item;

    fn extents(&self, extents: &mut Vec<usize>) {
        self.as_slice().extents(extents);
    }

    fn push(&self, extents: &[usize], bytes: &mut Vec<u8>) -> Result<(), Fault> {
        self.as_slice().push(extents, bytes)
    }
}

impl<R: ToRows + ?Sized> ToRows for &R {
    type Item = R::Item;

    fn extents(&self, extents: &mut Vec<usize>) {
        (**self).extents(extents);
    }

    fn push(&self, extents: &[usize], bytes: &mut Vec<u8>) -> Result<(), Fault> {
        (**self).push(extents, bytes)
    }

    fn single(&self) -> Option<R::Item> {
        (**self).single()
    }
}

impl<R: FromRows> FromRows for Vec<R> {
    type Item = R::Item;
    const RANK: Option<usize> = match R::RANK {
        Some(rank) => Some(rank + 1),
        None => None,
    };

    fn from_rows(extents: &[usize], items: Vec<R::Item>) -> Vec<R> {
        let Some((len, inner)) = extents.split_first() else { return Vec::new() };
        let each: usize = inner.iter().product();
        (0..*len)
            .map(|at| R::from_rows(inner, items[at * each..(at + 1) * each].to_vec()))
            .collect()
    }
}

#[cold]
fn ragged(extents: &[usize]) -> Fault {
    Fault::value_error(format!(
        "expected rows of one length, found one that is not of shape {}",
        Shape::from(extents)
    ))
}

#[cfg(feature = "ndarray")]
mod nd {
    use ndarray::{Array, ArrayBase, Data, Dimension, IxDyn};

    use super::{Element, Fault, FromRows, ToRows};

    impl<S: Data<Elem: Element>, D: Dimension> ToRows for ArrayBase<S, D> {
        type Item = S::Elem;

        fn extents(&self, extents: &mut Vec<usize>) {
            extents.extend_from_slice(self.shape());
        }

        fn push(&self, _: &[usize], bytes: &mut Vec<u8>) -> Result<(), Fault> {
            self.iter().for_each(|element| Element::push(*element, bytes));
            Ok(())
        }
    }

    impl<T: Element, D: Dimension> FromRows for Array<T, D> {
        type Item = T;
        const RANK: Option<usize> = D::NDIM;

        fn from_rows(extents: &[usize], items: Vec<T>) -> Array<T, D> {
            let array = Array::from_shape_vec(IxDyn(extents), items);
            let array = array.expect("as many elements as the extents say");
            array.into_dimensionality().expect("the number of axes was checked")
        }
    }
}
