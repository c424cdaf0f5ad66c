//! Processes that print, wait, and leave others behind.

#![expect(
    clippy::disallowed_methods,
    reason = "tests start processes and compare times"
)]

use super::*;

#[test]
fn the_last_line_is_shown() {
    for (errors, line) in [
        ("", ""),
        ("ab", "ab"),
        ("a\r\n", "a"),
        ("one\rtwo\rthree", "three"),
        ("one\rtwo\r", "two"),
        ("one\r  \r", "one"),
    ] {
        assert_eq!(last_line(errors.as_bytes()), line, "{errors:?}");
    }
    assert_eq!(last_line(&[b'x'; 2 * MAX_LINE]).len(), MAX_LINE);
    let mut errors = Vec::new();
    for _ in 0..40 {
        keep_last(&mut errors, &vec![b'x'; 1 << 16]);
        assert!(errors.len() <= MAX_ERRORS);
    }
}

#[cfg(unix)]
fn ran(script: &str, input: &[u8], observer: &dyn Observer) -> Result<Done, Error> {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    run(command, "", input, Most::default(), observer)
}

/// The last processes have a session of their own, as the master of a connection of ssh has.
#[cfg(target_os = "linux")]
#[test]
fn a_process_that_is_left_behind_does_not_hold_the_end() {
    use rustix::process::{Pid, Signal, kill_process};
    let input = vec![b'x'; 1 << 20];
    let is_left = &|script: &str| {
        let done = ran(script, &input, &crate::git::Quiet).unwrap();
        assert_eq!(done.code, Some(0), "{script}");
        let left: i32 = String::from_utf8_lossy(&done.output)
            .trim()
            .parse()
            .unwrap();
        // It still runs, so it was not waited for.
        let killed = kill_process(Pid::from_raw(left).unwrap(), Signal::KILL);
        assert!(killed.is_ok(), "{script}: it was waited for");
    };
    // Each waits two seconds for the streams, so all wait at once.
    std::thread::scope(|scope| {
        for script in [
            "sleep 60 & echo $!",
            "setsid sleep 60 & echo $!",
            // Holds the input too, without reading it.
            "exec 3<&0; setsid sleep 60 <&3 & echo $!",
        ] {
            scope.spawn(move || is_left(script));
        }
        // Without an end it prints more than is kept.
        let script = "setsid timeout 60 yes >&2 & echo done";
        let done = ran(script, &[], &crate::git::Quiet).unwrap();
        assert_eq!((done.code, &*done.output), (Some(0), &b"done\n"[..]));
    });
}

/// Whatever a call prints is read whole, if no other process holds its streams.
#[cfg(unix)]
#[test]
fn everything_is_written_and_read() {
    let input = vec![b'x'; 3 << 20];
    let done = ran("cat; cat /dev/null >&2", &input, &crate::git::Quiet).unwrap();
    assert!(done.output == input && !done.is_over);
    // What was in the pipe at the end of the call, although another process holds it.
    let script = "head -c 60000 /dev/zero; setsid sleep 9 &";
    let done = ran(script, &[], &crate::git::Quiet).unwrap();
    assert_eq!(done.output.len(), 60_000);
}

#[cfg(unix)]
#[test]
fn output_without_end_is_ended() {
    let most = Most {
        bytes: 1 << 20,
        ..Most::default()
    };
    for (script, is_over) in [
        ("cat /dev/zero", true),
        ("yes", true),
        ("printf 'a\\0b\\0'", false),
    ] {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let done = run(command, "", &[], most, &crate::git::Quiet).unwrap();
        assert_eq!(done.is_over, is_over, "{script}");
        let output: &[u8] = if is_over { b"" } else { b"a\0b\0" };
        assert_eq!(done.output, output, "{script}");
    }
}
