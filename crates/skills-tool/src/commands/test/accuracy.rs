//! How many answers of an agent are right, and what it answered instead.

use serde::Serialize;

/// How many answers are right.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Accuracy {
    pub(super) right: usize,
    pub(super) answers: usize,
    /// The interval of the share of right answers in which it lies in 95 of 100 such tests (Wilson, 1927).
    pub(super) low: f64,
    pub(super) high: f64,
}

/// What was answered in the place of a skill.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Taken<'r> {
    pub(super) skill: &'r str,
    /// A skill; `none`; `unclear` for something else than names.
    pub(super) by: &'r str,
    pub(super) times: usize,
}

impl Accuracy {
    pub(super) fn new(right: usize, answers: usize) -> Self {
        let (low, high) = interval(right, answers);
        Self {
            right,
            answers,
            low,
            high,
        }
    }
}

/// The interval of a share with 95 % confidence (Wilson, 1927), with four digits after the point.
#[expect(clippy::cast_precision_loss, reason = "nobody asks so often")]
fn interval(right: usize, all: usize) -> (f64, f64) {
    const Z: f64 = 1.96;
    if all == 0 {
        return (0.0, 1.0);
    }
    let (right, all) = (right as f64, all as f64);
    let share = right / all;
    let middle = share + Z * Z / (2.0 * all);
    let half = Z * (share * (1.0 - share) / all + Z * Z / (4.0 * all * all)).sqrt();
    let scale = 1.0 + Z * Z / all;
    let rounded = |share: f64| (1e4 * share.clamp(0.0, 1.0)).round() / 1e4;
    (
        rounded((middle - half) / scale),
        rounded((middle + half) / scale),
    )
}

#[cfg(test)]
mod tests {
    use super::interval;

    #[test]
    fn intervals_are_those_of_tables() {
        for (right, all, expected) in [
            (0, 0, (0.0, 1.0)),
            (0, 10, (0.0, 0.2775)),
            (10, 10, (0.7225, 1.0)),
            (5, 10, (0.2366, 0.7634)),
            (81, 263, (0.2553, 0.3662)),
        ] {
            assert_eq!(interval(right, all), expected, "{right} of {all}");
        }
    }
}
