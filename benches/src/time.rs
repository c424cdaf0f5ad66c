use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long something takes.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    /// The median of the runs, in seconds.
    pub seconds: f64,
}

impl Time {
    /// In milliseconds.
    pub fn ms(self) -> f64 {
        self.seconds * 1e3
    }

    /// How much of so many bytes in a second, in GB.
    pub fn gb_per_second(self, bytes: usize) -> f64 {
        bytes as f64 / 1e9 / self.seconds
    }
}

/// Runs something at least seven times and for a third of a second, and takes the median.
pub fn time<T>(mut run: impl FnMut() -> T) -> Time {
    black_box(run());
    let begun = Instant::now();
    let mut seconds = Vec::new();
    while seconds.len() < 7 || begun.elapsed() < Duration::from_millis(300) {
        let start = Instant::now();
        black_box(run());
        seconds.push(start.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    Time {
        seconds: seconds[seconds.len() / 2],
    }
}
