//! Tests the three formats of a trace.

use super::*;
use crate::improve::trace::steps::Step;

fn parse(text: &str) -> Trace {
    Trace::parse(text.as_bytes()).unwrap()
}

fn errors(trace: &Trace) -> Vec<(&str, &str)> {
    trace.errors().collect()
}

#[test]
fn own_form() {
    let trace = parse(
        r#"{"skills":["a","a","p:b"],"steps":[{"tool":"x"},{"tool":"y","error":null},{"tool":"z","input":"1","error":"no"}]}"#,
    );
    assert_eq!(trace.skills, ["a", "p:b"]);
    assert_eq!(errors(&trace), [("z", "no")]);
    assert!(trace.names("b") && trace.names("p:b") && !trace.names("p"));
}

#[test]
fn claude_code() {
    let lines = [
        r#"{"type":"summary","summary":"x","leafUuid":"1"}"#,
        r#"{"type":"user","message":{"role":"user","content":"<command-name>/plan</command-name>"},"sessionId":"s"}"#,
        r#"{"type":"assistant","message":{"content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"1","name":"Skill","input":{"skill":"acme:lint"}}]}}"#,
        r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"1","content":"Launching"}]}}"#,
        r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"2","name":"FileSearch","input":{"q":"a"}},{"type":"tool_use","id":"3","name":"Bash","input":{"command":"ls"}},{"type":"tool_use","id":"4","name":"Edit","input":{}}]}}"#,
        r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"2","is_error":true,"content":"<tool_use_error>Error: No such tool available: FileSearch</tool_use_error>"},{"type":"tool_result","tool_use_id":"3","is_error":true,"content":[{"type":"text","text":"Exit code 1"},{"type":"text","text":"boom"}]},{"type":"tool_result","tool_use_id":"4","is_error":true,"content":"The user doesn't want to proceed with this tool use."}]}}"#,
        r#"{"type":"user","mess"#,
    ];
    let trace = parse(&lines.join("\n"));
    assert_eq!(trace.skills, ["plan", "acme:lint"]);
    assert_eq!(
        errors(&trace),
        [
            ("FileSearch", "Error: No such tool available: FileSearch"),
            ("Bash", "Exit code 1\nboom")
        ]
    );
    assert_eq!((trace.steps.len(), trace.unread), (4, 1));
    assert_eq!(trace.steps[1].input.as_deref(), Some(r#"{"q":"a"}"#));
}

#[test]
fn codex() {
    let lines = [
        r#"{"timestamp":"t","type":"session_meta","payload":{"id":"1","cwd":"/p"}}"#,
        r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<skill>\n<name>lint</name>\n<path>/h/.agents/skills/lint/SKILL.md</path>\nLint.\n</skill>"}]}}"#,
        r#"{"type":"response_item","payload":{"type":"function_call","name":"exec_command","call_id":"1","arguments":"{\"cmd\":\"cat /h/.agents/skills/plan/SKILL.md\"}"}}"#,
        r#"{"type":"response_item","payload":{"type":"function_call_output","call_id":"1","output":"Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nProcess exited with code 1"}}"#,
        r#"{"type":"response_item","payload":{"type":"function_call","name":"exec_command","call_id":"2","arguments":"{}"}}"#,
        r#"{"type":"response_item","payload":{"type":"function_call_output","call_id":"2","output":"Wall time: 0.1 seconds\nProcess exited with code 127\nOutput:\nno such command"}}"#,
        r#"{"type":"response_item","payload":{"type":"function_call","name":"shell","call_id":"3","arguments":"{}"}}"#,
        r#"{"type":"response_item","payload":{"type":"function_call_output","call_id":"3","output":"{\"output\":\"bad\",\"metadata\":{\"exit_code\":2,\"duration_seconds\":0.1}}"}}"#,
        r#"{"type":"response_item","payload":{"type":"function_call","name":"FileSearch","call_id":"4","arguments":"{}"}}"#,
        r#"{"type":"response_item","payload":{"type":"function_call_output","call_id":"4","output":"unsupported call: FileSearch"}}"#,
        r#"{"type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","call_id":"5","input":"*** Begin"}}"#,
        r#"{"type":"event_msg","payload":{"type":"patch_apply_end","call_id":"5","success":false,"stderr":"no such file"}}"#,
        r#"{"type":"response_item","payload":{"type":"local_shell_call","call_id":"6","action":{"command":["x"]}}}"#,
        r#"{"type":"event_msg","payload":{"type":"exec_command_end","call_id":"6","exit_code":1,"stderr":""}}"#,
    ];
    let trace = parse(&lines.join("\n"));
    assert_eq!(trace.skills, ["lint", "plan"]);
    assert_eq!(
        errors(&trace),
        [
            ("exec_command", "no such command"),
            ("shell", "bad"),
            ("FileSearch", "unsupported call: FileSearch"),
            ("apply_patch", "no such file"),
            ("shell", "it failed"),
        ]
    );
}

#[test]
fn what_is_no_trace() {
    for (bytes, what) in [
        (&b""[..], "the trace is empty"),
        (b" \n", "the trace is empty"),
        (b"\xff", "the trace is not UTF-8"),
        (b"hello", "the trace is of no form that is known"),
        (b"{\"a\":1}", "the trace is of no form that is known"),
        (b"{\"steps\":[]}", "the trace: missing field `skills`"),
    ] {
        let error = Trace::parse(bytes).unwrap_err();
        assert_eq!(error.to_string(), what);
        assert!(error.remedy().is_some());
    }
}

fn step(tool: &str, error: Option<&str>) -> Step {
    Step {
        tool: tool.to_owned(),
        input: None,
        error: error.map(str::to_owned),
    }
}

/// Returns the steps of a trace with one long error, and a success of the right tool 50 steps later.
fn steps(of: usize) -> Vec<Step> {
    let mut steps = vec![step("read", None); of];
    let middle = of / 2;
    steps[middle] = step("Grep", Some(&"é".repeat(10_000)));
    steps[middle + 50] = step("search_files", None);
    steps
}

#[test]
fn a_trace_is_given_whole() {
    let trace = Trace::new(["a".to_owned()], steps(500));
    let excerpt = trace.excerpt();
    let read: serde_json::Value = serde_json::from_str(&excerpt).unwrap();
    assert_eq!(read["steps"].as_array().unwrap().len(), 500);
    assert_eq!(read["left_out"], 0);
    let again = Trace::parse(excerpt.as_bytes()).unwrap();
    assert_eq!(again.steps, trace.steps, "no text is cut");
    assert!(!excerpt.contains("\n```"));
}

#[test]
fn of_a_long_trace_the_steps_near_errors_are_given() {
    let mut long = steps(40_000);
    for step in &mut long {
        step.input = Some("x".repeat(400));
    }
    // The next success of the failed tool, far from every error.
    long[39_000] = step("Grep", None);
    let excerpt = Trace::new([], long).excerpt();
    assert!(excerpt.len() <= 257 * 1024, "{}", excerpt.len());
    let read: serde_json::Value = serde_json::from_str(&excerpt).unwrap();
    let given = read["steps"].as_array().unwrap();
    let left_out = usize::try_from(read["left_out"].as_u64().unwrap()).unwrap();
    assert_eq!(given.len() + left_out, 40_000);
    let at = |tool: &str| given.iter().position(|step| step["tool"] == tool).unwrap();
    assert!(at("Grep") > 100, "the steps before the error");
    assert_eq!(at("search_files"), at("Grep") + 50, "the steps after it");
    assert_eq!(given.last().unwrap()["tool"], "Grep");
    let error = given[at("Grep")]["error"].as_str().unwrap();
    assert!(error.contains("bytes left out"), "{}", error.len());
}

#[test]
fn lines_of_errors() {
    let many = (0..30).map(|n| step("x", Some(&format!("a\u{1b}[2J\n{n}"))));
    let lines = Trace::new([], many.collect()).error_lines();
    assert_eq!((lines[0].as_str(), lines.len()), ("x: a␛[2J 0", 21));
    assert_eq!(lines[20], "and 10 more");
}
