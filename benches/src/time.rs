use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;

/// How much processor time something takes.
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

/// Runs something on this thread at least five times and for a fifth of a second, and takes the
/// median.
pub fn time<T>(mut run: impl FnMut() -> T) -> Time {
    black_box(run());
    let mut all = 0.0;
    let mut seconds = Vec::new();
    while seconds.len() < 5 || all < 0.2 {
        let start = now();
        black_box(run());
        let taken = now() - start;
        all += taken;
        seconds.push(taken);
    }
    seconds.sort_by(f64::total_cmp);
    Time {
        seconds: seconds[seconds.len() / 2],
    }
}

/// The processor time of this thread.
fn now() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
