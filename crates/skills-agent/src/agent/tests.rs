use super::*;
use std::thread;
use std::time::Duration;

/// Runs an agent, and returns its output, its errors and its exit status.
fn answered(command: &str, input: &str) -> (String, String, AgentEnd) {
    let mut agent = AgentCommand::parse(command).unwrap();
    agent.form = InputForm::Text;
    let request = AgentRequest {
        variables: vec![("SKILL_NAME".to_owned(), "lint".to_owned())],
        messages: vec![AgentMessage::new("user", input)],
        ..AgentRequest::default()
    };
    let mut run = agent.ask(&request).unwrap();
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    loop {
        match run.next(Duration::from_millis(50)) {
            Some(AgentEvent::Output(bytes)) => output.extend(bytes),
            Some(AgentEvent::Errors(bytes)) => errors.extend(bytes),
            Some(AgentEvent::Ended(end)) => {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                return (text(&output), text(&errors), end);
            }
            None => {}
        }
    }
}

#[test]
fn the_answer_and_the_end() {
    let (output, errors, end) = answered("cat", "a line\n");
    assert_eq!((output.as_str(), errors.as_str()), ("a line\n", ""));
    assert_eq!(end.code, Some(0));
    let (output, errors, end) = answered("sh -c 'printf $SKILL_NAME; echo no >&2; exit 77'", "");
    assert_eq!((output.as_str(), errors.as_str()), ("lint", "no\n"));
    assert_eq!(end.code, Some(77));
    let (.., end) = answered("sh -c 'kill -9 $$'", "");
    assert_eq!((end.code, end.signal), (None, Some(9)));
}

#[test]
fn words_are_a_shells_and_no_shell_reads_them() {
    let (output, ..) = answered("printf '%s|' '$HOME' 'a b' *", "");
    assert_eq!(output, "$HOME|a b|*|");
}

#[test]
fn an_agent_that_does_not_read_is_no_fault() {
    let (output, _, end) = answered("echo done", &"x".repeat(1 << 20));
    assert_eq!((output.as_str(), end.code), ("done\n", Some(0)));
}

#[test]
fn what_cannot_be_started_is_an_error() {
    let start = |command: &str| {
        let agent = AgentCommand::parse(command).unwrap();
        agent.ask(&AgentRequest::default()).unwrap_err().kind()
    };
    assert_eq!(start("no-such-agent-anywhere"), ErrorKind::NotFound);
    assert_eq!(start("/"), ErrorKind::Io);
    for text in ["", "  ", "''", "a 'b"] {
        let error = AgentCommand::parse(text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{text}");
    }
}

#[test]
fn the_whole_group_is_ended() {
    // The child of the agent holds the output open. Like the agent, it ignores SIGTERM.
    let agent = AgentCommand::parse("sh -c 'trap \"\" TERM; sleep 1000 & echo $!; wait'").unwrap();
    let mut run = agent.ask(&AgentRequest::default()).unwrap();
    let child = loop {
        if let Some(AgentEvent::Output(bytes)) = run.next(Duration::from_secs(1)) {
            break String::from_utf8(bytes).unwrap().trim().parse().unwrap();
        }
    };
    assert_eq!(run.stop().signal, Some(9));
    let child = rustix::process::Pid::from_raw(child).unwrap();
    wait_for_end(child);
}

#[test]
fn a_process_that_is_left_behind_does_not_hold_the_end() {
    let (output, _, end) = answered("sh -c 'sleep 1000 & echo done'", "");
    assert_eq!((output.as_str(), end.code), ("done\n", Some(0)));
}

/// Follows a command until its end or its limit.
fn heard(command: &str, limit: Duration) -> heard::Heard {
    let agent = AgentCommand::parse(command).unwrap();
    let run = agent.ask(&AgentRequest::default()).unwrap();
    let bounds = heard::Bounds {
        program: command,
        limit,
        output: 1024,
        is_stopped: &|| false,
        progress: &no_progress(),
    };
    heard::hear(run, &bounds)
}

#[test]
fn a_process_that_keeps_printing_does_not_make_a_good_agent_fail() {
    let heard = heard("sh -c 'timeout 20 yes x & exit 0'", Duration::from_secs(15));
    assert_eq!(heard.end.fault(&"15s"), None, "{:?}", heard.end);
}

#[test]
fn a_limit_ends_the_wait_for_output() {
    // Outside of the group and without the environment, the process is found by nothing here.
    let start = std::time::Instant::now();
    let command = "sh -c 'setsid env -i /usr/bin/timeout 20 yes x & sleep 1000'";
    let heard = heard(command, Duration::from_millis(300));
    assert_eq!(heard.end, heard::End::AtLimit);
    assert!(
        start.elapsed() < Duration::from_secs(15),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn an_agent_that_was_stopped_has_an_end() {
    let agent = AgentCommand::parse("sh -c 'echo begun; sleep 1000'").unwrap();
    let mut run = agent.ask(&AgentRequest::default()).unwrap();
    let stopped = run.stop();
    let mut output = Vec::new();
    let end = loop {
        match run.next(Duration::from_millis(10)) {
            Some(AgentEvent::Output(bytes)) => output.extend(bytes),
            Some(AgentEvent::Ended(end)) => break end,
            Some(AgentEvent::Errors(_)) | None => {}
        }
    };
    assert_eq!(end, stopped);
    assert_eq!(run.next(Duration::ZERO), Some(AgentEvent::Ended(end)));
}

/// The process is outside of the group, and has the environment.
#[cfg(target_os = "linux")]
#[test]
fn a_process_that_left_the_group_ends_with_a_good_agent() {
    let (output, _, end) = answered("sh -c 'setsid sleep 1000 >/dev/null 2>&1 & echo $!'", "");
    assert_eq!(end.code, Some(0));
    let child: i32 = output.trim().parse().unwrap();
    wait_for_end(rustix::process::Pid::from_raw(child).unwrap());
}

/// Waits until a process has ended. The process is soon reaped by another process than this one.
fn wait_for_end(process: rustix::process::Pid) {
    for _ in 0..1_000 {
        let state = std::fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero()));
        let is_reaped = rustix::process::test_kill_process(process).is_err();
        if is_reaped || state.is_ok_and(|state| state.contains(") Z ")) {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("process {} is left", process.as_raw_nonzero());
}
