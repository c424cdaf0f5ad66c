//! Any text as `skills.lock`: what is read is written and read again, and has not changed.

use skills_repository::Lock;

/// Panics when it does not hold.
pub(crate) fn hold(text: &str) {
    if let Ok(lock) = Lock::parse(text) {
        let again = Lock::parse(&lock.to_string());
        assert_eq!(again.ok().as_ref(), Some(&lock));
        assert!(lock.changes(&lock).is_empty());
    }
}
