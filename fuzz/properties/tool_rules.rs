//! Any text as `allowed-tools`: no rule is without a tool, and a rule that is printed is read again.

use skills_format::ToolRule;

/// Panics when it does not hold.
pub(crate) fn hold(text: &str) {
    for rule in ToolRule::parse_list(text) {
        assert!(!rule.tool.trim().is_empty(), "{text:?}");
        assert!(text.contains(&*rule.tool), "{text:?}");
        let again = ToolRule::parse(&rule.to_string());
        assert_eq!(again.as_ref(), Some(&rule), "{text:?}");
    }
}
