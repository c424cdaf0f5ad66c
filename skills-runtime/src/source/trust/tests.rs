use super::*;

#[test]
fn a_source_of_the_host_asks_nobody() {
    assert_eq!(SourceTrust::Always.of(0), SkillTrust::Always);
    let asked = SourceTrust::Asked(vec![Verdict::Untrusted]);
    assert_eq!(asked.of(0), SkillTrust::Untrusted);
}
