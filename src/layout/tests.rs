use super::*;

fn layout(shape: &[usize], strides: &[isize], offset: usize) -> Layout {
    Layout { shape: shape.into(), strides: strides.into(), offset }
}

#[test]
fn contiguous_ignores_unit_axes() {
    assert!(Layout::contiguous([2, 3, 4].into()).is_contiguous());
    assert!(layout(&[2, 1, 3], &[3, 77, 1], 0).is_contiguous());
    assert!(!layout(&[2, 3], &[1, 2], 0).is_contiguous());
    assert!(layout(&[0, 3], &[9, 9], 0).is_contiguous());
}

#[test]
fn reshape_as_view_where_strides_allow() {
    let base = Layout::contiguous([4, 6].into());
    assert_eq!(base.reshape(&[2, 2, 3, 2].into()).unwrap().strides.as_slice(), [12, 6, 2, 1]);
    assert_eq!(base.reshape(&[24].into()).unwrap().strides.as_slice(), [1]);
    assert_eq!(base.reshape(&[1, 24, 1].into()).unwrap().strides[1], 1);
    let every_other_row = base.narrow(0, 0, 2, 2);
    assert_eq!(every_other_row.reshape(&[2, 3, 2].into()).unwrap().strides.as_slice(), [12, 2, 1]);
    assert_eq!(every_other_row.reshape(&[12].into()), None);
    assert_eq!(base.permute(&[1, 0]).reshape(&[24].into()), None);
    assert_eq!(
        base.permute(&[1, 0]).reshape(&[2, 3, 4].into()).unwrap().strides.as_slice(),
        [3, 1, 6]
    );
    let reversed = Layout::contiguous([6].into()).narrow(0, 5, 6, -1);
    assert_eq!(reversed.reshape(&[2, 3].into()).unwrap().strides.as_slice(), [-3, -1]);
    assert!(layout(&[], &[], 3).reshape(&[1, 1].into()).is_some());
    assert!(layout(&[1], &[5], 3).reshape(&[].into()).is_some());
}

#[test]
fn reshape_agrees_with_enumeration() {
    let shapes: [&[usize]; 8] =
        [&[24], &[2, 12], &[4, 6], &[2, 3, 4], &[1, 24], &[3, 8, 1], &[6, 4], &[2, 2, 6]];
    let strided = [
        Layout::contiguous([2, 3, 4].into()),
        Layout::contiguous([2, 3, 4].into()).permute(&[2, 0, 1]),
        Layout::contiguous([4, 3, 4].into()).narrow(0, 3, 2, -2),
        Layout::contiguous([2, 3, 8].into()).narrow(2, 7, 4, -2),
        Layout::contiguous([3, 4].into()).broadcast_to(&[2, 3, 4].into()).unwrap(),
    ];
    for base in &strided {
        for shape in shapes {
            let shape = Shape::from(shape);
            if let Some(view) = base.reshape(&shape) {
                assert_eq!(elements(base), elements(&view), "{base:?} as {shape}");
            }
        }
    }
}

fn elements(layout: &Layout) -> Vec<isize> {
    let mut found = vec![layout.offset as isize];
    for (extent, stride) in layout.shape.iter().zip(&layout.strides) {
        found = found
            .iter()
            .flat_map(|at| (0..*extent as isize).map(move |index| at + index * stride))
            .collect();
    }
    found
}

#[test]
fn broadcasting() {
    let meet = broadcast_shapes(&[&[2, 1, 3].into(), &[4, 1].into(), &[].into()]).unwrap();
    assert_eq!(meet, Shape::from([2, 4, 3]));
    let error = broadcast_shapes(&[&[2, 3].into(), &[4].into()]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "operands could not be broadcast together with shapes (2,3) (4,)"
    );
    assert_eq!(broadcast_shapes(&[&[0].into(), &[1].into()]).unwrap(), Shape::from([0]));
}

#[test]
fn extent_covers_negative_strides() {
    assert_eq!(Layout::contiguous([6].into()).narrow(0, 5, 3, -2).extent(), 1..6);
    assert_eq!(layout(&[0, 4], &[4, 1], 3).extent(), 3..3);
}
