//! Exchanges two paths while the program runs.

use crate::numbers::Numbers;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Exchanges two paths atomically, at irregular intervals, until it is dropped.
pub(crate) struct Swapper {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Swapper {
    pub(crate) fn new(one: PathBuf, other: PathBuf) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&is_over);
        let thread = std::thread::spawn(move || {
            let mut numbers = Numbers::new(7);
            while !stop.load(Ordering::Relaxed) {
                // If the file system cannot exchange paths, nothing is attacked.
                let _ = renameat_with(CWD, &one, CWD, &other, RenameFlags::EXCHANGE);
                std::thread::sleep(Duration::from_micros(numbers.below(2000)));
            }
        });
        Self {
            is_over,
            thread: Some(thread),
        }
    }
}

impl Drop for Swapper {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has stopped exchanging.
            let _ = thread.join();
        }
    }
}
