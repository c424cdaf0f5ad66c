//! Spreads work over the machine's cores, with the results in the order of the input.

use skills_format::text::order::sort_by_number;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The number of items that a thread takes at a time. Below two blocks, a thread costs more than it saves.
const BLOCK: usize = 16;

/// Returns the results of `work` on every item, in order.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let blocks: Vec<&[T]> = items.chunks(BLOCK).collect();
    // The number of cores is read from files, so it is asked for only if two threads are worth it.
    let threads = match blocks.len() {
        few @ 0..2 => few,
        many => many.min(thread::available_parallelism().map_or(1, NonZero::get)),
    };
    if threads < 2 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let run = || {
        let mut done = Vec::new();
        while let Some((index, block)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            blocks.get(index).map(|block| (index, *block))
        } {
            done.push((index, block.iter().map(&work).collect::<Vec<R>>()));
        }
        done
    };
    let mut done = thread::scope(|scope| {
        // `Scope::spawn` would panic at the user's limit of processes. The other threads do the work of a missing one.
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, run).ok();
        let others: Vec<_> = (1..threads).filter_map(spawn).collect();
        let mut done = run();
        for other in others {
            match other.join() {
                Ok(part) => done.extend(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    sort_by_number(&mut done, |(index, _)| *index);
    done.into_iter().flat_map(|(_, results)| results).collect()
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
