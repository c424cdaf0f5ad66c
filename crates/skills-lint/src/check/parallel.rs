//! Spreads work over the machine's cores, with the results in the order of the input.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The number of items that a thread takes at a time. Below two blocks, a thread costs more than it saves.
const BLOCK: usize = 16;

/// Returns the results of `work` on every item, in order.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let done = Mutex::new(Vec::new());
    run(items.len().div_ceil(BLOCK), &|index| {
        let start = index * BLOCK;
        let end = items.len().min(start + BLOCK);
        let results: Vec<R> = items[start..end].iter().map(&work).collect();
        // A panic ends the check, so there is no poisoned list to look at.
        if let Ok(mut done) = done.lock() {
            done.push((index, results));
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().flat_map(|(_, results)| results).collect()
}

/// Calls `block` with each number below `blocks`. Compiled once, and not for each type of items.
fn run(blocks: usize, block: &(dyn Fn(usize) + Sync)) {
    // The number of cores is read from files, so it is asked for only if two threads are worth it.
    let threads = match blocks {
        few @ 0..2 => few,
        many => many.min(thread::available_parallelism().map_or(1, NonZero::get)),
    };
    let next = AtomicUsize::new(0);
    let run = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= blocks {
                break;
            }
            block(index);
        }
    };
    if threads < 2 {
        return run();
    }
    thread::scope(|scope| {
        // `Scope::spawn` would panic at the user's limit of processes. The other threads do the work of a missing one.
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, run).ok();
        let others: Vec<_> = (1..threads).filter_map(spawn).collect();
        run();
        for other in others {
            if let Err(panic) = other.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    #[test]
    fn order_is_kept() {
        for length in [0, 1, 17, 1000] {
            let items: Vec<usize> = (0..length).collect();
            assert_eq!(super::map(&items, |item| *item), items);
        }
    }
}
