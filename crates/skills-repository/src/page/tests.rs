//! Tests that foreign text stays text, that the same data gives the same bytes, and that long lists are cut.

use crate::page::{Page, PageBundle, PageSkill, Subject};
use skills_format::{Diagnostic, Edit, Fix, RuleId, Severity, Span};
use skills_permit::{PowerKind, Powers};

/// Texts that try to end the element or attribute around them.
const HOSTILE: [&str; 7] = [
    "</script><script>alert(1)</script>",
    "\"><svg onload=alert(1)>",
    "'><img src=x onerror=alert(1)>",
    "</title></style><b>bold</b>",
    "<!--",
    "a\u{202e}b\u{0}c\u{1b}[31m\r",
    "]]>&amp;<![CDATA[",
];

/// Makes a page whose every text is `text`.
fn page(text: &str) -> Page {
    let mut skill = PageSkill::new(text, text);
    skill.when_to_use = text.to_owned();
    skill.path = Some(text.to_owned());
    skill.location = text.to_owned();
    skill.tokens = Some(12);
    skill.files = Some((2, 1600));
    let mut other = skill.clone();
    other.name = format!("{text} 2");
    other.is_broken = true;
    let mut bundle = PageBundle::new(text);
    bundle.skills = vec![skill, other];
    let mut page = Page::new(Subject::Folder(text.to_owned()));
    page.bundles = vec![bundle.clone(), bundle];
    page.notes = vec![text.to_owned()];
    page.arguments = Some(text.to_owned());
    page.made = Some(text.to_owned());
    page.commit = Some(text.to_owned());
    let found = Diagnostic::new(RuleId::NameForm, Severity::Error, text, text)
        .at(text.as_bytes(), Span::new(1, 3))
        .help(text);
    page.findings = Some(vec![found]);
    page
}

/// The elements and the attributes that a page may have.
const ELEMENTS: &str = "bdi body code details div footer h1 h2 head header html i li link main meta p section span strong style \
    summary table tbody td th thead title tr ul";
const ATTRIBUTES: &str =
    "aria-hidden aria-label charset class content href http-equiv id lang name rel scope style";

/// Returns the name and attributes of every tag, without the content of `style`.
fn tags(html: &str) -> Vec<(String, Vec<String>)> {
    let mut tags = Vec::new();
    let mut rest = html.strip_prefix("<!DOCTYPE html>").expect("a page");
    while let Some((_, tag)) = rest.split_once('<') {
        let (tag, after) = tag.split_once('>').expect("a whole tag");
        rest = after;
        let name: String = tag
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        if name == "style" {
            rest = after.split_once("</").expect("its end").1;
        }
        let outside = tag.split('"').step_by(2).collect::<String>();
        let names = outside.split_whitespace().skip(1);
        let names = names
            .map(|name| name.trim_end_matches('=').to_owned())
            .collect();
        if !tag.starts_with('/') {
            tags.push((name, names));
        }
    }
    tags
}

#[test]
fn foreign_text_stays_text() {
    for text in HOSTILE {
        let html = page(text).html();
        let tags = tags(&html);
        assert!(tags.len() > 100, "{text}");
        for (name, attributes) in &tags {
            assert!(
                ELEMENTS.split_whitespace().any(|known| known == name),
                "{text}: <{name}>"
            );
            for attribute in attributes {
                let is_known = ATTRIBUTES
                    .split_whitespace()
                    .any(|known| known == attribute);
                assert!(is_known, "{text}: {attribute} of <{name}>");
            }
        }
        assert!(
            !html.contains(['\u{202e}', '\u{0}', '\u{1b}', '\r']),
            "{text}"
        );
    }
}

#[test]
fn a_page_loads_nothing_and_runs_nothing() {
    let html = page("a").html();
    assert!(
        html.contains("default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri")
    );
    assert!(!html.contains("src=\"") && !html.contains("url(") && !html.contains("<script"));
}

fn found(rule: RuleId, severity: Severity, path: &str) -> Diagnostic {
    Diagnostic::new(rule, severity, path, "told `x`").at(b"a", Span::new(0, 1))
}

/// Makes a page of one bundle with the skills `a` and `b`.
fn skills() -> Page {
    let mut page = Page::new(Subject::Folder("s".to_owned()));
    page.arguments = Some("s".to_owned());
    let mut bundle = PageBundle::new("s");
    for name in ["a", "b"] {
        let mut skill = PageSkill::new(name, format!("{name} {name}s."));
        skill.path = Some(format!("s/{name}"));
        bundle.skills.push(skill);
    }
    page.bundles.push(bundle);
    page.findings = Some(Vec::new());
    page
}

#[test]
fn a_digest_is_shown_by_its_first_digits() {
    let mut page = skills();
    let mut powers = Powers::default();
    let digits = "05adee0949c6425003035f972c6440690c08fbd7e3745955c30410842330e71e";
    powers.insert(PowerKind::Scripts, format!("a.py sha256:{digits}"));
    powers.insert(PowerKind::Scripts, "b.py sha256:05ad");
    page.bundles[0].skills[0].powers = Some(powers);
    let html = page.html();
    let shown = "<bdi>a.py sha256:05adee0949c6…</bdi>, <bdi>b.py sha256:05ad</bdi>";
    assert!(html.contains(shown), "{html}");
}

#[test]
fn harm_comes_first_then_what_is_most_serious_and_most_frequent() {
    let mut page = skills();
    page.findings = Some(vec![
        found(RuleId::BodyLength, Severity::Warning, "s/a/SKILL.md"),
        found(RuleId::NameMismatch, Severity::Error, "s/a/SKILL.md"),
        found(RuleId::LinkBroken, Severity::Error, "s/a/SKILL.md"),
        found(RuleId::LinkBroken, Severity::Error, "s/b/SKILL.md"),
        found(RuleId::RemoteExec, Severity::Warning, "s/b/SKILL.md"),
    ]);
    let html = page.html();
    let at = |rule: &str| html.find(&format!("<code>{rule}</code>")).expect(rule);
    assert!(at("remote-exec") < at("link-broken"));
    assert!(at("link-broken") < at("name-mismatch"));
    assert!(at("name-mismatch") < at("body-length"));
    assert!(
        html.contains("3 errors, 2 warnings. 1 finding can harm a person: start there.</li>"),
        "{html}"
    );
    assert!(html.contains("<p><bdi>told <code>x</code></bdi> (2 times)</p>"));
    assert!(html.contains("<bdi>a/SKILL.md</bdi>:1, <bdi>b/SKILL.md</bdi>:1</p>"));
    assert!(html.contains("skills check --select link-broken s</code>"));
}

#[test]
fn the_verdict() {
    let mut page = skills();
    let starts = |page: &Page, start: &str| assert!(page.html().contains(start), "{start}");
    starts(
        &page,
        "<li class=\"good\"><strong>In order.</strong> 0 errors, 0 warnings.</li>",
    );
    page.findings = Some(vec![found(RuleId::BodyLength, Severity::Warning, "s/a")]);
    starts(
        &page,
        "<li class=\"warning\"><strong>No errors.</strong> 0 errors, 1 warning.</li>",
    );
    page.findings = Some(vec![found(RuleId::AuthorizedKey, Severity::Warning, "s/a")]);
    starts(
        &page,
        "<li class=\"error\"><strong>Problems:</strong> 0 errors, 1 warning. 1 finding",
    );
    page.bundles[0].skills[0].is_broken = true;
    starts(&page, "Strict clients refuse 1 of 2 skills.");
    page.findings = None;
    starts(&page, "<li><strong>Not checked.</strong>");
}

#[test]
fn a_rule_says_how_many_findings_it_fixes() {
    let mut page = skills();
    let mut finding = found(RuleId::NameMismatch, Severity::Error, "s/a/SKILL.md");
    finding.fix = Some(Fix::safe(vec![Edit::replace(Span::new(0, 1), "x")]));
    page.findings = Some(vec![finding]);
    assert!(
        page.html()
            .contains("With <code class=\"whole\">--fix</code> it fixes 1.")
    );
}

#[test]
fn skills_that_no_model_sees_are_counted() {
    let mut page = skills();
    page.bundles[0].skills[0].is_for_people_alone = true;
    page.bundles[0].skills[1].is_broken = true;
    page.bundles[0].skills[1].description.clear();
    assert!(!page.html().contains("id=\"budget\""), "nothing is listed");
    page.bundles[0].skills.push(PageSkill::new("c", "Cs."));
    let html = page.html();
    assert!(html.contains("1 skill that only a person can start: not in the list."));
    assert!(html.contains("1 skill without a readable description: not in the list."));
    assert!(html.contains("Every client shows every description whole."));
}

#[test]
fn a_page_with_nothing_known_says_so() {
    let mut page = Page::new(Subject::Program("my-tool".to_owned()));
    let mut bundle = PageBundle::new("my-tool");
    bundle.skills.push(PageSkill::new("greet", ""));
    page.bundles.push(bundle);
    let html = page.html();
    assert!(html.contains(
        "<h1>Skills of the program <code><bdi>my-tool</bdi></code></h1>\n<p>1 skill.</p>"
    ));
    assert!(html.contains("no description") && html.contains("<td>not known</td>"));
}

#[test]
fn the_same_data_gives_the_same_bytes() {
    for text in HOSTILE {
        assert_eq!(page(text).html(), page(text).html());
    }
}

/// Makes a bundle of skills with descriptions of realistic length, each with a finding of its own.
fn many(skills: usize) -> Page {
    let mut bundle = PageBundle::new("skills");
    let mut findings = Vec::new();
    for number in 0..skills {
        let description = format!(
            "Writes the {number}th part of a report. Use when asked for part {number}. {}",
            format!("word{number} ").repeat(30)
        );
        let mut skill = PageSkill::new(format!("write-part-{number}"), description);
        skill.path = Some(format!("skills/write-part-{number}"));
        skill.location = format!("skills/write-part-{number}/SKILL.md");
        bundle.skills.push(skill);
        let path = format!("skills/write-part-{number}/SKILL.md");
        let message =
            format!("`Write-{number}` is not a valid skill name: `W` is a capital letter");
        let found = Diagnostic::new(RuleId::NameForm, Severity::Warning, path, message);
        findings.push(
            found
                .at(b"name: Write\n", Span::new(6, 11))
                .help("write `write`"),
        );
    }
    let mut page = Page::new(Subject::Folder("skills".to_owned()));
    page.bundles.push(bundle);
    page.findings = Some(findings);
    page
}

#[test]
fn a_page_is_bounded() {
    let hundred = many(100).html();
    assert!(hundred.len() <= 100_000, "{} bytes", hundred.len());
    assert!(hundred.contains("<summary>98 more messages</summary>"));
    assert!(hundred.contains("80 messages not shown here."));
    let thousands = many(2500).html();
    assert!(thousands.len() <= 1_500_000, "{} bytes", thousands.len());
    assert!(thousands.contains("500 more skills not shown."));
    assert!(!many(12).html().contains("<details>\n<summary>"));
    for text in ["x".repeat(100_000), "\u{10ffff}<".repeat(50_000)] {
        let long = page(&text).html().len();
        assert!(long < 60_000, "{long} bytes");
    }
}

/// A text that is cut within a key would no longer be recognized.
#[test]
fn no_text_shows_a_key() {
    const KEY: &str = "ghp_R7qk2ZsW9pLmX4vT8bNcY3hJ6fGdA1eU5oQi";
    for before in (0..660).step_by(57) {
        let html = page(&format!("{} {KEY}", "a ".repeat(before / 2))).html();
        assert!(!html.contains("ghp_R7q"), "{before}");
    }
    assert!(page(&format!("See {KEY}.")).html().contains("See ghp_R7…."));
}
