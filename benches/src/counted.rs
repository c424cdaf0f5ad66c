//! The part of a program that is counted. Also a file of each crate that a bench writes.

use std::hint::black_box;

/// Runs `run` so many times inside of the part that is counted.
///
/// Before that part `run` runs once, so that what a program prepares once is not counted. The exception
/// is work that runs only once.
pub fn counted<T>(times: u32, mut run: impl FnMut() -> T) {
    if times > 1 {
        black_box(run());
    }
    skills_benches_counted(times, &mut || drop(black_box(run())));
}

/// Callgrind knows this function by its name, and counts from its call to its return.
#[inline(never)]
fn skills_benches_counted(times: u32, run: &mut dyn FnMut()) {
    for _ in 0..times {
        run();
    }
    // The last call above is not a jump out of this function.
    black_box(times);
}
