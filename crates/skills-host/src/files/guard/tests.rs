use super::*;
use std::cell::{Cell, RefCell};
#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(unix)]
use std::thread;

fn free(path: &Path, holder: &str) {
    panic!("{} is held by {holder}", path.display());
}

#[test]
fn a_lock_is_held_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let lock = folder.path().join("work/lock");
    let signed = format!("process {}", std::process::id());
    let guard = Guard::wait(&lock, &free).expect("free");
    assert!(Guard::try_once(&lock).expect("tried").is_none());
    let held = Guard::try_or_holder(&lock).expect("tried");
    assert_eq!(held.expect_err("held"), signed);
    assert_eq!(guard.folder().path(), lock.parent().expect("a folder"));
    guard.remove();
    assert!(!folder.path().join("work").exists());

    let guard = Guard::try_or_holder(&lock).expect("tried").expect("free");
    let held = Guard::try_or_holder(&lock).expect("tried");
    assert_eq!(held.expect_err("held"), signed);
    drop(guard);
    let guard = Guard::try_once(&lock).expect("tried").expect("free");
    drop(guard);

    let above = OpenFolder::open(folder.path()).expect("a folder");
    let guard = Guard::wait_in(&above, "work", "lock", &free).expect("free");
    let held = Guard::try_once_in(&above, "work", "lock").expect("tried");
    assert!(held.is_none());
    drop(guard);
    let free = Guard::try_once_in(&above, "work", "lock").expect("tried");
    assert!(free.is_some());
}

/// The holder removes the file when it is done. Who waits for the lock of the removed file does not hold the lock
/// of the next file.
#[test]
fn a_lock_that_was_removed_is_taken_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let lock = folder.path().join("work/lock");
    let holder = RefCell::new(Guard::try_once(&lock).expect("tried"));
    let waited = Cell::new(0);
    let own = format!("process {}", std::process::id());
    let guard = Guard::wait(&lock, &|path, text| {
        waited.set(waited.get() + 1);
        assert_eq!((path, text), (&*lock, &*own));
        if let Some(holder) = holder.take() {
            holder.remove();
        }
    });
    let guard = guard.expect("taken");
    assert_eq!(waited.get(), 1);
    assert!(lock.exists());
    assert!(Guard::try_once(&lock).expect("tried").is_none());
    drop(guard);
}

/// If the system does not say whether the file is still that of the path, the lock is an error, and not another
/// attempt: the next attempt would fail too.
#[cfg(unix)]
#[test]
fn a_look_that_fails_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut guard = Guard::wait(&folder.path().join("lock"), &free).expect("free");
    // No system call takes this name.
    guard.name = OsString::from("lo\0ck");
    assert!(guard.is_current().is_err());
}

#[test]
fn the_folder_of_a_lock_is_removed_with_everything_in_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let lock = folder.path().join("work/lock");
    let guard = Guard::wait(&lock, &free).expect("free");
    fs::create_dir(folder.path().join("work/deep")).expect("a folder");
    fs::write(folder.path().join("work/deep/file"), "").expect("written");
    guard.remove_all().expect("removed");
    assert!(!folder.path().join("work").exists());
}

/// Programs that are not trusted can replace the path of the folder, which is never opened again.
#[cfg(unix)]
#[test]
fn the_folder_that_was_locked_is_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("skills")).expect("a folder");
    let above = OpenFolder::open(&folder.path().join("skills")).expect("a folder");
    let guard = Guard::wait_in(&above, "work", "lock", &free).expect("free");
    fs::rename(folder.path().join("skills"), folder.path().join("moved")).expect("moved");
    guard.remove();
    assert!(folder.path().join("moved").exists());
    assert!(!folder.path().join("moved/work").exists());
}

#[cfg(unix)]
#[test]
#[expect(clippy::disallowed_methods, reason = "a process is started")]
fn a_process_that_is_started_meanwhile_does_not_keep_the_lock() {
    let folder = tempfile::tempdir().expect("a folder");
    let lock = folder.path().join("lock");
    let is_over = AtomicBool::new(false);
    let kept = thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                let _ = std::process::Command::new("true").status();
            }
        });
        let is_kept = |_: &i32| matches!(Guard::try_once(&lock), Ok(None) | Err(_));
        let kept = (0..5_000).filter(is_kept).count();
        is_over.store(true, Ordering::Relaxed);
        kept
    });
    assert_eq!(kept, 0, "times of 5,000");
}
