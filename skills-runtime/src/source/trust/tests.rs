use super::*;

#[test]
fn a_source_of_the_host_asks_nobody() {
    assert!(!SourceTrust::Always.is_asked());
    assert_eq!(SourceTrust::Always.of(0), SkillTrust::Always);
    let asked = SourceTrust::Asked(vec![Verdict::Untrusted]);
    assert!(asked.is_asked());
    assert_eq!(asked.of(0), SkillTrust::Untrusted);
}

#[cfg(feature = "remote")]
#[test]
fn a_skill_of_a_server_is_trusted_if_this_version_was_approved() {
    let approved = SourceTrust::Approved(vec![true, false]);
    let trust = [0, 1, 2].map(|skill| approved.of(skill));
    let no = SkillTrust::Untrusted;
    assert_eq!(trust, [SkillTrust::Trusted, no, no]);
}
