//! The crontab of the user, with a block of lines of this program.

use crate::agent::heard::{Bounds, Heard, hear};
use crate::agent::{AgentCall, AgentCommand, AgentProgress};
use skills_store::{Error, ErrorKind};
use std::time::Duration;

/// Maximum time of the program `crontab`.
const LIMIT: Duration = Duration::from_secs(30);
/// Maximum size of a crontab in bytes.
const MOST: usize = 4 * 1024 * 1024;

/// Reads the crontab of the user with `program`, which is `crontab`. A user without a crontab has an empty one.
///
/// # Errors
///
/// [`ErrorKind::NotFound`]: the program is missing. [`ErrorKind::Program`]: it failed.
pub fn read_crontab(program: &str) -> Result<String, Error> {
    let heard = run(program, "-l", "")?;
    let errors = heard.last_lines();
    match heard.end.code() {
        Some(0) if heard.output_bytes <= MOST as u64 => Ok(heard.output()),
        Some(0) => Err(failed("it is too large")),
        // Only these messages: any other failure must not look like an empty crontab, which would then be replaced.
        Some(1) if errors.contains("no crontab for") || errors.contains("No such file") => {
            Ok(String::new())
        }
        _ => Err(failed(errors.trim())),
    }
}

/// Replaces the crontab of the user.
///
/// # Errors
///
/// The errors of [`read_crontab`]. [`ErrorKind::Differs`]: the crontab has another text afterwards.
pub fn write_crontab(program: &str, text: &str) -> Result<(), Error> {
    let heard = run(program, "-", text)?;
    if heard.end.code() != Some(0) {
        return Err(failed(heard.last_lines().trim()));
    }
    // Some crons add a header of comments in front.
    if !read_crontab(program)?.ends_with(text) {
        let message = "the crontab does not hold what was written";
        return Err(Error::new(ErrorKind::Differs, message).help("look at it with `crontab -l`"));
    }
    Ok(())
}

/// Returns whether a crontab has the lines of a unit.
pub fn crontab_has(text: &str, unit: &str) -> bool {
    text.lines().any(|line| line == first_line(unit))
}

fn first_line(unit: &str) -> String {
    format!("# {unit}: begin")
}

/// Returns a crontab with the lines of a unit at its end, in place of the lines that it had. Without `lines` they are
/// only removed.
///
/// # Errors
///
/// [`ErrorKind::Damaged`]: the end of the unit's lines is missing.
pub fn crontab_with(text: &str, unit: &str, lines: Option<&str>) -> Result<String, Error> {
    let (begin, end) = (first_line(unit), format!("# {unit}: end"));
    let mut kept = String::new();
    let mut is_inside = false;
    for line in text.lines() {
        match (is_inside, line) {
            (false, line) if line == begin => is_inside = true,
            (true, line) if line == end => is_inside = false,
            (true, _) => {}
            (false, line) => {
                kept.push_str(line);
                kept.push('\n');
            }
        }
    }
    if is_inside {
        let message = format!("the crontab has the line `{begin}` without the line `{end}`");
        return Err(Error::new(ErrorKind::Damaged, message).help("correct it with `crontab -e`"));
    }
    if let Some(lines) = lines {
        // At the end: `CRON_TZ` holds for every line below it.
        kept += &[&begin, lines.trim_end(), &end]
            .map(|line| format!("{line}\n"))
            .concat();
    }
    Ok(kept)
}

fn run(program: &str, word: &str, input: &str) -> Result<Heard, Error> {
    let run = AgentCommand::parse(&format!("{program} {word}"))?.start(AgentCall {
        input: input.as_bytes().to_vec(),
        ..AgentCall::default()
    })?;
    Ok(hear(
        run,
        &Bounds {
            program,
            limit: LIMIT,
            output: MOST,
            is_stopped: &|| false,
            progress: &AgentProgress::default(),
        },
    ))
}

fn failed(why: &str) -> Error {
    Error::new(
        ErrorKind::Program,
        format!("the crontab cannot be changed: {why}"),
    )
    .help("see whether `crontab -l` works")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    /// A program like `crontab`, whose crontab is a file.
    const CRONTAB: &str = "#!/bin/sh\ncd \"$(dirname \"$0\")\"\n\
        if [ \"$1\" = - ]; then exec cat > tab; fi\n\
        test -f tab || { echo 'no crontab for me' >&2; exit 1; }\n\
        test -f locked && { echo 'not allowed' >&2; exit 1; }\n\
        exec cat tab\n";

    #[test]
    fn a_crontab_is_read_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("crontab");
        std::fs::write(&program, CRONTAB).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let program = program.to_str().unwrap();
        assert_eq!(read_crontab(program).unwrap(), "");
        write_crontab(program, "@reboot a\n").unwrap();
        assert_eq!(read_crontab(program).unwrap(), "@reboot a\n");
        // A failure is not an empty crontab.
        std::fs::write(folder.path().join("locked"), "").unwrap();
        let error = read_crontab(program).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Program);
        assert!(error.to_string().contains("not allowed"), "{error}");
        assert_eq!(
            read_crontab("/no/crontab").unwrap_err().kind(),
            ErrorKind::NotFound
        );
    }

    #[test]
    fn own_lines_are_replaced_and_others_stay() {
        let with = |text: &str, lines| crontab_with(text, "skills-schedule", lines).unwrap();
        let first = with("0 1 * * * backup", Some("@reboot a\n"));
        assert_eq!(
            first,
            "0 1 * * * backup\n# skills-schedule: begin\n@reboot a\n# skills-schedule: end\n"
        );
        let second = with(&format!("{first}0 2 * * * later\n"), Some("@reboot b"));
        assert_eq!(
            second,
            "0 1 * * * backup\n0 2 * * * later\n# skills-schedule: begin\n@reboot b\n# skills-schedule: end\n"
        );
        assert_eq!(with(&second, None), "0 1 * * * backup\n0 2 * * * later\n");
        let open = crontab_with("# skills-schedule: begin\nx\n", "skills-schedule", None);
        assert_eq!(open.unwrap_err().kind(), ErrorKind::Damaged);
    }
}
