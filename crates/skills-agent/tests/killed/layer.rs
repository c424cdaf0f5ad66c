//! A world in the lower layer of an overlay without `redirect_dir`, as in the image of a container: none of its
//! folders can be renamed. Used with `SKILLS_OVERLAY=1`, by a user with the right to mount.

#![expect(clippy::disallowed_methods, reason = "tests start processes")]

use super::traced;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A mounted overlay, unmounted on drop.
pub(crate) struct Layer {
    place: PathBuf,
    /// The layers that only this overlay uses.
    _layers: TempDir,
}

/// Returns whether the worlds of tests are to be in a lower layer.
pub(crate) fn is_asked() -> bool {
    std::env::var_os("SKILLS_OVERLAY").is_some()
}

impl Layer {
    /// Makes the content of a folder the lower layer of an overlay, which is mounted over the folder.
    pub(crate) fn below(place: &Path) -> Self {
        let layers = traced::folder().expect("a folder");
        let lower = layers.path().join("lower");
        fs::create_dir(&lower).expect("a folder");
        for entry in fs::read_dir(place).expect("a folder") {
            let entry = entry.expect("an entry");
            fs::rename(entry.path(), lower.join(entry.file_name())).expect("moved");
        }
        Self::mount(&lower, place, layers)
    }

    /// Mounts an overlay over a lower layer, which stays unchanged.
    pub(crate) fn over(lower: &Path, place: &Path) -> Self {
        Self::mount(lower, place, traced::folder().expect("a folder"))
    }

    fn mount(lower: &Path, place: &Path, layers: TempDir) -> Self {
        let [upper, work] = ["upper", "work"].map(|name| layers.path().join(name));
        for folder in [&upper, &work] {
            fs::create_dir(folder).expect("a folder");
        }
        let options = format!(
            "redirect_dir=off,lowerdir={},upperdir={},workdir={}",
            lower.display(),
            upper.display(),
            work.display()
        );
        let mut mount = Command::new("mount");
        mount.args(["-t", "overlay", "-o", &options, "overlay"]);
        let mounted = mount.arg(place).status();
        assert!(
            mounted.is_ok_and(|status| status.success()),
            "SKILLS_OVERLAY: {} cannot be mounted",
            place.display()
        );
        Self {
            place: place.to_owned(),
            _layers: layers,
        }
    }
}

impl Drop for Layer {
    fn drop(&mut self) {
        // A failed unmount ends with the namespace of the tests.
        let _ = Command::new("umount").arg("-l").arg(&self.place).status();
    }
}
