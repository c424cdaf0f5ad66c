//! Tests that foreign text stays text, that the same data gives the same bytes, and that long lists are cut.

use crate::page::data::{
    Page, PageBundle, PageFile, PageFinding, PageLink, PageSkill, Reference, Subject,
};
use crate::page::file::BEGINNING;
use crate::page::write_page;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use skills_format::{Diagnostic, Digest, Edit, Fix, RuleId, Severity, Span};
use std::borrow::Cow;
use std::io::ErrorKind;

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
    skill.location = Some(text.to_owned());
    skill.license = Some(text.to_owned());
    skill.source = Some(text.to_owned());
    skill.trust = Some(text.to_owned());
    skill.fault = text.to_owned();
    skill.digest = Some(text.to_owned());
    skill.tokens = Some(12);
    skill.files = Some(vec![
        PageFile::new(text, 900),
        PageFile::new("SKILL.md", 700),
    ]);
    let mut other = skill.clone();
    other.name = format!("{text} 2");
    skill.links = Some(vec![PageLink {
        to: other.name.clone(),
        how: Reference::Link,
    }]);
    let mut bundle = PageBundle::new(text);
    bundle.path = Some(format!("{text}/"));
    bundle.digest = Some(text.to_owned());
    bundle.skills = vec![skill, other];
    let mut page = Page::new(Subject::Folder(text.to_owned()));
    page.bundles = vec![bundle.clone(), bundle];
    page.notes = vec![text.to_owned()];
    page.arguments = Some(text.to_owned());
    let found = Diagnostic::new(RuleId::NameForm, Severity::Error, text, text)
        .at(text.as_bytes(), Span::new(1, 3))
        .help(text);
    let source = |_: &str| Some(Cow::Borrowed(text.as_bytes()));
    page.findings = Some(vec![PageFinding::new(found, &source)]);
    page
}

/// The elements that a page may have. `ATTRIBUTES` below are the permitted attributes.
const ELEMENTS: &str = "a bdi body br caption circle code defs details div figcaption figure footer form g h1 h2 h3 head \
    header html input label li link main mark marker meta nav ol p path pattern pre rect script section span strong style \
    summary svg table tbody td text th thead title tr ul";
const ATTRIBUTES: &str = "aria-label aria-labelledby autocomplete charset class content cx cy d data-sort fill for height \
    hidden href http-equiv id lang marker-end markerHeight markerWidth name open orient patternTransform patternUnits r refX refY \
    rel role scope style tabindex text-anchor transform type viewBox width x y";

/// Returns the name and attributes of every tag, without the content of `style` and `script`.
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
        if let "style" | "script" = &*name {
            rest = after.split_once("</").expect("its end").1;
        }
        let outside = tag.split('"').step_by(2).collect::<String>();
        let names = outside.trim_end_matches('/').split_whitespace().skip(1);
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
        assert_eq!(
            tags.iter().filter(|(name, _)| name == "script").count(),
            1,
            "{text}"
        );
        assert!(
            !html.contains(['\u{202e}', '\u{0}', '\u{1b}', '\r']),
            "{text}"
        );
    }
}

fn found(rule: RuleId, severity: Severity, path: &str) -> PageFinding {
    let found = Diagnostic::new(rule, severity, path, "told `x`").at(b"a", Span::new(0, 1));
    PageFinding::new(found, &|_: &str| Some(Cow::Borrowed(&b"a"[..])))
}

/// Makes a page of skills `s/NAME` in one bundle each, without faults.
fn skills(bundles: &[&[&str]]) -> Page {
    let mut page = Page::new(Subject::Folder("s".to_owned()));
    page.arguments = Some("s".to_owned());
    page.bundles = bundles
        .iter()
        .enumerate()
        .map(|(at, names)| {
            let mut bundle = PageBundle::new(format!("b{at}"));
            bundle.path = Some(format!("s/b{at}"));
            bundle.skills = names
                .iter()
                .map(|name| {
                    let mut skill = PageSkill::new(*name, format!("{name} {name}s."));
                    skill.path = Some(format!("s/{name}"));
                    skill
                })
                .collect();
            bundle
        })
        .collect();
    page
}

/// Returns the part of a page with the things to do.
fn steps(html: &str) -> &str {
    let (_, after) = html.split_once("What to do first").expect("things to do");
    after.split_once("</ol>").expect("a list").0
}

#[test]
fn harm_comes_before_what_does_not_load_and_that_before_what_is_frequent() {
    let mut page = skills(&[&["a", "b"]]);
    page.findings = Some(vec![
        found(RuleId::LinkBroken, Severity::Error, "s/a/SKILL.md"),
        found(RuleId::LinkBroken, Severity::Error, "s/b/SKILL.md"),
        found(RuleId::RemoteExec, Severity::Warning, "s/b/SKILL.md"),
        found(RuleId::HiddenText, Severity::Warning, "s/b/SKILL.md"),
        found(RuleId::NameMismatch, Severity::Error, "s/a/SKILL.md"),
        found(RuleId::ManifestPath, Severity::Error, "s/x.json"),
        found(RuleId::ManifestPath, Severity::Error, "s/y.json"),
    ]);
    let html = page.html();
    let steps = steps(&html);
    let at = |rule: &str| steps.find(&format!("<code>{rule}</code>")).expect(rule);
    assert!(at("manifest-path") < at("name-mismatch"));
    assert!(at("remote-exec") < at("manifest-path"));
    assert!(at("name-mismatch") < at("link-broken"));
    assert!(at("link-broken") < at("hidden-text"));
    assert!(html.contains("1 finding can harm a person."));
    // Nor does a rule about harm hide behind more rules.
    let rules = html
        .split_once("id=\"findings-title\">")
        .expect("findings")
        .1;
    let place = |rule: &str| rules.find(&format!("id=\"rule-{rule}\"")).expect(rule);
    assert!(place("remote-exec") < place("link-broken"));
}

/// What costs no skill and no error can harm nevertheless.
#[test]
fn a_key_comes_before_other_harm_and_what_is_broken_before_advice() {
    let mut page = skills(&[&["a", "b", "c"]]);
    page.findings = Some(vec![
        found(RuleId::BodyLength, Severity::Warning, "s/a/SKILL.md"),
        found(RuleId::BodyLength, Severity::Warning, "s/b/SKILL.md"),
        found(RuleId::HiddenText, Severity::Error, "s/a/SKILL.md"),
        found(RuleId::HiddenText, Severity::Error, "s/b/SKILL.md"),
        found(RuleId::ScriptMissing, Severity::Warning, "s/c/SKILL.md"),
        found(RuleId::Secret, Severity::Error, "s/c/SKILL.md"),
    ]);
    let html = page.html();
    let steps = steps(&html);
    let at = |rule: &str| steps.find(&format!("<code>{rule}</code>")).expect(rule);
    assert!(at("secret") < at("hidden-text"));
    assert!(at("hidden-text") < at("script-missing"));
    assert!(at("script-missing") < at("body-length"));
}

#[test]
fn harm_without_an_error_is_not_in_order() {
    let mut page = skills(&[&["a"]]);
    page.findings = Some(vec![found(
        RuleId::AuthorizedKey,
        Severity::Warning,
        "s/a/SKILL.md",
    )]);
    let html = page.html();
    assert!(html.contains("<p class=\"state error\"><strong>Look before you use it.</strong> 1 finding can harm a person."));
    assert!(!html.contains("Changes files"));
}

#[test]
fn a_command_that_fixes_says_that_it_changes_files() {
    let mut page = skills(&[&["a"]]);
    let mut finding = found(RuleId::NameMismatch, Severity::Error, "s/a/SKILL.md");
    finding.diagnostic.fix = Some(Fix::safe(vec![Edit::replace(Span::new(0, 1), "x")]));
    page.findings = Some(vec![finding]);
    let html = page.html();
    let steps = steps(&html);
    assert!(
        steps.contains("--fix s/a</code> <span class=\"writes\"><strong>Changes files.</strong>"),
        "{steps}"
    );
}

#[test]
fn files_that_are_no_skills_are_explained() {
    let mut page = skills(&[&["a", "b"]]);
    assert!(!page.html().contains("Not counted"));
    page.copies = 2;
    let skill = &mut page.bundles[0].skills[0];
    skill.files = Some(vec![
        PageFile::new("SKILL.md", 1),
        PageFile::new("templates/x/SKILL.md", 1),
        PageFile::new("b/SKILL.md", 1),
    ]);
    page.bundles[0].skills[1].path = Some("s/a/b".to_owned());
    let html = page.html();
    let note =
        "Not counted: 2 copies of skills, 1 SKILL.md inside of a skill, which count as its files.";
    assert!(html.contains(note), "{html}");
}

#[test]
fn a_finding_that_costs_no_skill_is_not_first_because_its_skill_is_faulty() {
    let mut page = skills(&[&["a", "b"]]);
    page.bundles[0].skills[0].fault = "it has errors".to_owned();
    page.findings = Some(vec![
        found(RuleId::LinkBroken, Severity::Error, "s/a/SKILL.md"),
        found(RuleId::LinkBroken, Severity::Error, "s/b/SKILL.md"),
        found(RuleId::YamlSyntax, Severity::Error, "s/a/SKILL.md"),
    ]);
    let html = page.html();
    let steps = steps(&html);
    assert!(steps.find("yaml-syntax") < steps.find("link-broken"));
    assert!(
        html.contains("1 of 2 skills breaks the format: strict clients refuse it."),
        "{html}"
    );
}

#[test]
fn a_step_has_the_command_and_the_findings_of_its_rule() {
    let mut page = skills(&[&["a", "b"]]);
    page.findings = Some(vec![found(
        RuleId::LinkBroken,
        Severity::Error,
        "s/a/SKILL.md",
    )]);
    let html = page.html();
    let steps = steps(&html);
    assert!(steps.contains("skills check --select link-broken s/a</code>"));
    assert!(steps.contains("href=\"#rule-link-broken\""));
    assert!(html.contains("id=\"rule-link-broken\""));
    assert!(html.contains("told <code>x</code>"));
}

#[test]
fn a_bundle_that_lists_nothing_shows_no_budget() {
    let mut page = skills(&[&["a", "b", "c"], &["d"]]);
    for skill in &mut page.bundles[0].skills {
        skill.fault = "it has errors".to_owned();
        skill.description.clear();
    }
    page.findings = Some(Vec::new());
    let html = page.html();
    let (_, budget) = html
        .split_once("<section id=\"budget\"")
        .expect("a section");
    let (budget, _) = budget.split_once("</section>").expect("its end");
    assert!(budget.contains("<bdi>b1</bdi>"));
    assert!(!budget.contains("<bdi>b0</bdi>"));
    assert!(budget.contains("1 has no skill that can be listed"));
    assert!(html.contains("3 of 4 skills break the format: strict clients refuse them."));
}

#[test]
fn the_pair_that_is_most_alike_comes_first_and_is_counted_once() {
    let mut page = skills(&[&["a", "b", "c", "d"]]);
    let texts = [
        "red",
        "red green blue black white grey brown pink cyan lime",
        "sort notes of people today",
        "sort notes of people tomorrow",
    ];
    for (skill, text) in page.bundles[0].skills.iter_mut().zip(texts) {
        skill.description = text.to_owned();
    }
    let html = page.html();
    let (_, pairs) = html.split_once("pairs-caption-0").expect("the pairs");
    let (near, subset) = (pairs.find(" 66 %"), pairs.find("no: the second"));
    let near = near.or_else(|| pairs.find("by the words named here"));
    assert!(near < subset && subset.is_some(), "{pairs}");
    assert!(html.contains("<strong>2</strong> pairs easily confused</a>"));
    assert!(html.contains("<p>2 pairs of descriptions have"));
}

#[test]
fn no_link_of_a_page_leads_to_nothing_and_no_id_is_double() {
    let mut page = skills(&[&["a", "b"], &["c"]]);
    page.findings = Some(
        (0..900)
            .map(|at| {
                let path = ["s/a/SKILL.md", "s/b/SKILL.md", "s/c/SKILL.md"][at / 300];
                let severity = [Severity::Error, Severity::Warning][at % 2];
                found(RuleId::LinkBroken, severity, path)
            })
            .collect(),
    );
    let html = page.html();
    let values = |before: &str| -> Vec<&str> {
        let parts = html.split(before).skip(1);
        parts.filter_map(|part| part.split('"').next()).collect()
    };
    let ids = values(" id=\"");
    for (at, id) in ids.iter().enumerate() {
        assert!(!ids[..at].contains(id), "{id}");
    }
    for link in values("href=\"#") {
        assert!(ids.contains(&link), "{link}");
    }
}

#[test]
fn the_same_data_gives_the_same_bytes() {
    for text in HOSTILE {
        assert_eq!(page(text).html(), page(text).html());
    }
}

#[test]
fn only_the_script_of_the_page_may_run() {
    let html = page("a").html();
    let (_, script) = html.split_once("<script>").expect("a script");
    let (script, _) = script.split_once("</script>").expect("its end");
    let hash = STANDARD.encode(Digest::of(script.as_bytes()).0);
    assert!(html.contains(&format!("script-src 'sha256-{hash}'")));
    assert!(html.contains("default-src 'none'"));
    assert!(
        !html.contains("src=\"") && !html.contains("url(h"),
        "nothing is loaded"
    );
}

#[test]
fn long_texts_are_cut() {
    for text in ["x".repeat(100_000), "\u{10ffff}<".repeat(50_000)] {
        let long = page(&text).html().len();
        assert!(long < 150_000, "{long} bytes");
    }
}

/// Makes a bundle of skills with descriptions of realistic length.
fn many(skills: usize) -> Page {
    let mut bundle = PageBundle::new("skills");
    for number in 0..skills {
        let description = format!(
            "Writes the {number}th part of a report. Use when asked for part {number}. {}",
            format!("word{number} ").repeat(30)
        );
        let mut skill = PageSkill::new(format!("write-part-{number}"), description);
        skill.path = Some(format!("skills/write-part-{number}"));
        skill.location = Some(format!("skills/write-part-{number}/SKILL.md"));
        skill.tokens = Some(1000 + number);
        let file = |at: usize| PageFile::new(format!("references/{at}.md"), 500 + at as u64);
        skill.files = Some((0..5).map(file).collect());
        let to = format!("write-part-{}", (number + 1) % skills);
        let how = Reference::Mention;
        skill.links = Some(vec![PageLink { to, how }]);
        bundle.skills.push(skill);
    }
    let mut page = Page::new(Subject::Folder("skills".to_owned()));
    page.bundles.push(bundle);
    let text = "name: Write\n";
    let found = |number: usize| {
        let path = format!("skills/write-part-{number}/SKILL.md");
        let message = "`Write` is not a valid skill name: `W` is a capital letter";
        Diagnostic::new(RuleId::NameForm, Severity::Warning, path, message)
            .at(text.as_bytes(), Span::new(6, 11))
            .help("write `write`")
    };
    let source = |_: &str| Some(Cow::Borrowed(text.as_bytes()));
    let found = (0..skills).map(|number| PageFinding::new(found(number), &source));
    page.findings = Some(found.collect());
    page
}

#[test]
fn a_page_is_bounded() {
    let hundred = many(100).html();
    assert!(
        hundred.len() <= 400_000,
        "{} bytes for 100 skills",
        hundred.len()
    );
    let thousands = many(2500).html();
    assert!(
        thousands.len() <= 3_000_000,
        "{} bytes for 5,000 skills",
        thousands.len()
    );
    assert!(thousands.contains("500 more skills of 2,500"));
    assert!(thousands.contains("2,100 more findings: <code>skills check"));
    assert!(thousands.contains("Too many for a picture"));
    let small = many(12).html();
    assert!(!small.contains("more skill") && small.contains("<svg class=\"graph\""));
}

#[test]
fn a_page_with_nothing_known_says_so() {
    let mut page = Page::new(Subject::Program("my-tool".to_owned()));
    let mut bundle = PageBundle::new("my-tool");
    bundle.skills.push(PageSkill::new("greet", ""));
    page.bundles.push(bundle);
    let html = page.html();
    assert!(html.contains("Not known of these skills: tokens, files and sizes, findings."));
    assert!(html.contains("no description"));
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a test writes the files that it reads"
)]
fn only_a_page_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.html");
    let (old, new) = (page("old").html(), page("new").html());
    for text in ["", &old, BEGINNING] {
        std::fs::write(&file, text).expect("a file");
        write_page(&file, &new).expect("a page");
        assert_eq!(std::fs::read_to_string(&file).expect("a file"), new);
    }
    std::fs::write(&file, "<!DOCTYPE html><p>by hand").expect("a file");
    let error = write_page(&file, &new).expect_err("not a page");
    assert_eq!(error.kind(), ErrorKind::AlreadyExists);
    let absent = folder.path().join("absent/report.html");
    assert_eq!(
        write_page(&absent, &new).expect_err("no folder").kind(),
        ErrorKind::NotFound
    );
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
