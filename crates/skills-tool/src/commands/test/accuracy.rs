//! The share of right answers of an agent, and the wrong answers.

use serde::Serialize;

/// The number of right answers, with a confidence interval.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Accuracy {
    pub(super) right: usize,
    pub(super) answers: usize,
    /// The interval with 95 % confidence for the share of right answers (Wilson, 1927).
    pub(super) low: f64,
    pub(super) high: f64,
}

/// An answer in place of a skill.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Taken<'r> {
    pub(super) skill: &'r str,
    /// A skill; `none`; `unclear` for an answer that is not a list of names.
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

/// Returns the interval of a share with 95 % confidence (Wilson, 1927), rounded to four decimal places.
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
