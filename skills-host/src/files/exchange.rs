//! Two folders change places in one step, where the system can do that.

use std::io;
use std::path::Path;

/// What came of an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(any(target_os = "linux", target_os = "android", target_vendor = "apple")),
    expect(dead_code, reason = "a system without the call is Unsupported")
)]
pub(crate) enum Exchanged {
    /// Each folder stands where the other stood.
    Done,
    /// The system or the file system has no such call; nothing was changed.
    Unsupported,
    /// A folder cannot be renamed here, as one of a lower layer of overlayfs; nothing was changed.
    CrossDevice,
}

/// Exchanges two folders that are both there.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(crate) fn exchange(a: &Path, b: &Path) -> io::Result<Exchanged> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;

    match renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(Exchanged::Done),
        Err(Errno::XDEV) => Ok(Exchanged::CrossDevice),
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP | Errno::PERM) => {
            Ok(Exchanged::Unsupported)
        }
        Err(error) => Err(error.into()),
    }
}

/// Elsewhere two renames and the journal do it.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "the same signature on every system"
)]
pub(crate) fn exchange(_: &Path, _: &Path) -> io::Result<Exchanged> {
    Ok(Exchanged::Unsupported)
}

#[cfg(all(
    test,
    any(target_os = "linux", target_os = "android", target_vendor = "apple")
))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn folders_change_places() {
        let dir = tempfile::tempdir().unwrap();
        let (a, b) = (dir.path().join("a"), dir.path().join("b"));
        fs::create_dir(&a).unwrap();
        fs::create_dir(&b).unwrap();
        fs::write(a.join("x"), "a").unwrap();
        if exchange(&a, &b).unwrap() == Exchanged::Done {
            assert!(b.join("x").exists() && !a.join("x").exists());
        }
        assert!(exchange(&a, &dir.path().join("missing")).is_err());
    }
}
