//! A squarified treemap: rectangles whose areas are shares of a whole, as square as possible.

use crate::page::geometry::Rect;

/// Divides a rectangle by sizes in descending order. Returns a rectangle for each size, in the same order.
/// A size of 0 gets no area.
///
/// A row is filled along the shorter side, as long as its least square rectangle becomes more square.
pub(crate) fn squarified(sizes: &[f64], whole: Rect) -> Vec<Rect> {
    let total: f64 = sizes.iter().sum();
    if total <= 0.0 || whole.area() <= 0.0 {
        return vec![Rect::new(whole.x, whole.y, 0.0, 0.0); sizes.len()];
    }
    let scale = whole.area() / total;
    let mut rects = Vec::with_capacity(sizes.len());
    let mut left = whole;
    let mut rest = sizes;
    while !rest.is_empty() {
        let side = left.width.min(left.height);
        let mut length = 1;
        let mut sum = rest.first().map_or(0.0, |size| size * scale);
        let mut ratio = worst(rest, 1, sum, scale, side);
        while let Some(next) = rest.get(length) {
            let with_next = sum + next * scale;
            let next_ratio = worst(rest, length + 1, with_next, scale, side);
            if next_ratio > ratio {
                break;
            }
            (sum, ratio, length) = (with_next, next_ratio, length + 1);
        }
        let (row, others) = rest.split_at(length);
        left = lay(row, sum, scale, left, &mut rects);
        rest = others;
    }
    rects
}

/// Returns the ratio of the sides of the least square rectangle in a row.
fn worst(sizes: &[f64], length: usize, sum: f64, scale: f64, side: f64) -> f64 {
    let row = sizes.get(..length).unwrap_or_default();
    let thickness = sum / side;
    let ratio = |size: &f64| {
        let along = size * scale / thickness;
        (along / thickness).max(thickness / along)
    };
    row.iter().map(ratio).fold(0.0, f64::max)
}

/// Places a row along the shorter side, and returns the free part of the rectangle.
fn lay(row: &[f64], sum: f64, scale: f64, left: Rect, rects: &mut Vec<Rect>) -> Rect {
    let is_column = left.width >= left.height;
    let side = if is_column { left.height } else { left.width };
    let thickness = if side > 0.0 { sum / side } else { 0.0 };
    let mut at = 0.0;
    for size in row {
        let along = if thickness > 0.0 {
            size * scale / thickness
        } else {
            0.0
        };
        rects.push(if is_column {
            Rect::new(left.x, left.y + at, thickness, along)
        } else {
            Rect::new(left.x + at, left.y, along, thickness)
        });
        at += along;
    }
    if is_column {
        Rect::new(
            left.x + thickness,
            left.y,
            (left.width - thickness).max(0.0),
            left.height,
        )
    } else {
        left.below(thickness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_shares_and_lie_inside() {
        let whole = Rect::new(10.0, 20.0, 600.0, 400.0);
        let sizes = [6.0, 6.0, 4.0, 3.0, 2.0, 2.0, 1.0];
        let rects = squarified(&sizes, whole);
        for (size, rect) in sizes.iter().zip(&rects) {
            assert!((rect.area() - size * 10_000.0).abs() < 0.01, "{rect:?}");
            assert!(rect.x >= 9.99 && rect.x + rect.width <= 610.01, "{rect:?}");
            assert!(
                rect.y >= 19.99 && rect.y + rect.height <= 420.01,
                "{rect:?}"
            );
            assert!(rect.width / rect.height < 3.5 && rect.height / rect.width < 3.5);
        }
        for (at, a) in rects.iter().enumerate() {
            for b in rects.iter().skip(at + 1) {
                let apart = a.x + a.width <= b.x + 0.01
                    || b.x + b.width <= a.x + 0.01
                    || a.y + a.height <= b.y + 0.01
                    || b.y + b.height <= a.y + 0.01;
                assert!(apart, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn nothing_has_no_area() {
        let whole = Rect::new(0.0, 0.0, 10.0, 10.0);
        assert!(squarified(&[], whole).is_empty());
        let rects = squarified(&[0.0, 0.0], whole);
        assert!(rects.iter().all(|rect| rect.area() == 0.0));
        let rects = squarified(&[5.0, 0.0], whole);
        assert!(
            rects.iter().all(|rect| rect.area().is_finite()),
            "{rects:?}"
        );
    }
}
