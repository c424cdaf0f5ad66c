//! Operations on a full disk that has room again afterwards: a small tmpfs in a mount namespace of its own.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]
#![expect(clippy::print_stdout, reason = "a test's runner says what it counted")]
#![expect(clippy::disallowed_methods, reason = "tests start processes")]

use super::traced::Traced;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The exhausted resource of a disk.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Short {
    /// Blocks of 4 KiB: writes fail.
    Blocks,
    /// Inodes: new files and folders fail.
    Files,
}

/// The script: `T` is the template of the world, `W` its mount point, `S` the file for the output of the process.
const SCRIPT: &str = r#"
mount -t tmpfs -o size=32m tmpfs "$W" || exit 77
cp -a "$T/." "$W/" || exit 77
case $SHORT in
Blocks) dd if=/dev/zero of="$W/.filler" bs=4096 2> "$S/dd"; truncate -s "-$((ROOM * 4096))" "$W/.filler" ;;
Files) mount -o remount,nr_inodes=$(($(df --output=iused "$W" | tail -n 1) + ROOM)) "$W" ;;
esac || exit 77
"$BIN" > "$S/said" 2> "$S/errors"
echo $? > "$S/code"
case $SHORT in
Blocks) rm "$W/.filler" ;;
Files) mount -o remount,nr_inodes=100000 "$W" ;;
esac || exit 77
SKILLS_HOST_OPERATION=$CHECK exec "$BIN"
"#;

/// The template of a world, its mount point, and a folder for notes.
pub(crate) struct Disk<'d> {
    pub(crate) template: &'d Path,
    pub(crate) place: &'d Path,
    pub(crate) notes: &'d Path,
}

impl Disk<'_> {
    /// Runs an operation without room, and with more and more room until it succeeds. After each run, runs the
    /// operation `check` with enough room. Returns the number of runs.
    pub(crate) fn fill(
        &self,
        traced: &Traced,
        operation: &str,
        check: &str,
        short: Short,
        step: usize,
    ) -> usize {
        for (points, room) in (0..2_000).step_by(step).enumerate() {
            let point = format!("{operation}, {short:?}, room for {room}");
            let mut command = Command::new("unshare");
            command.args(["-m", "sh", "-c", SCRIPT]);
            traced.ask(&mut command, operation, self.place);
            let output = command
                .env("CHECK", format!("{}/{check}", traced.0))
                .env("T", self.template)
                .env("W", self.place)
                .env("S", self.notes)
                .env("SHORT", format!("{short:?}"))
                .env("ROOM", room.to_string())
                .env("BIN", std::env::current_exe().unwrap())
                .output()
                .unwrap();
            let note = |name| fs::read_to_string(self.notes.join(name)).unwrap_or_default();
            if matches!(output.status.code(), Some(77 | 1)) && note("code").is_empty() {
                println!("skipped: no small disk can be mounted on this machine");
                return 0;
            }
            let (code, said) = (note("code"), note("said"));
            assert!(
                matches!(code.trim(), "0" | "2"),
                "{point}: {code}{said}{}",
                note("errors")
            );
            let is_named = said.is_empty() || said.contains('/') && said.contains("; ");
            assert!(is_named, "{point}: no file or no remedy: {said}");
            assert!(output.status.success(), "{point}: {said}{output:?}");
            if code.trim() == "0" && said.is_empty() {
                return points + 1;
            }
        }
        panic!("{operation}, {short:?}: it does not succeed with room for 2,000");
    }
}
