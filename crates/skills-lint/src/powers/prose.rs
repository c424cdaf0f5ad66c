//! Reads prose: commands without marks of code, addresses, paths and variables that a sentence names.

use crate::powers::command::{self, Input};
use crate::powers::host::{bare, hosts};
use crate::powers::outside::{outside, place_of_keys};
use crate::powers::reader::Reader;
use crate::powers::tables::has;
use crate::powers::tables::programs::{REACHING, SUBCOMMANDS, WORDS, is_known};
use crate::powers::word::{Word, ends_as_secret, is_environment};
use crate::rules::body::remote_exec::prohibition::forbids;
use skills_format::PowerKind;
use skills_format::text::span::Span;

/// Verbs that run what follows.
const RUN: &str = "run running runs rerun execute executing execs exec invoke invoking call calling use using via with launch launching start \
                   starting type typing issue issuing enter through pipe piping try";
/// Words before a command without marks of code.
const BEFORE: &str = "then and to or first please you now also next finally just afterwards";
/// Verbs that fetch from an address or send to it.
const REACH: &str = "fetch fetches fetching download downloads post posts posting send sends sending upload uploads uploading submit submits query \
                     queries request requests call calls calling visit navigate webfetch retrieve retrieves forward forwards deliver transmit ping notify \
                     publish publishes report reports share sync clone clones import load loads invoke hit curl wget get put push pull webhook exfiltrate browse open scrape crawl \
                     subscribe connect connects relay mirror copy copies stream pipe attach register install installs from";
/// Words of sentences that only name an address.
const DOCUMENTATION: &str = "see written docs documentation reference references license licence homepage author authors credit credits issue issues \
                             spec specification learn more source sources inspired based example examples e.g. background guide guides article \
                             blog changelog website read details according official manual tutorial standard paper repository repo format \
                             publication publications citation cite doi links resources reading \
                             namespace namespaces xmlns";
/// Words of sentences about the environment.
const ENVIRONMENT: &str = "environment env variable variables export exported exports set sets setting unset secret secrets token key keys";
/// Nouns after the name of a program: "with npm integration".
const NOUNS: &str = "agent agents integration integrations package packages registry client clients server servers command \
                     commands cli project projects repository repositories repo repos module modules library libraries version \
                     versions users user workflow workflows output error errors support plugin plugins extension extensions image \
                     images cluster clusters file files sparse account accounts history scripts script api apis sdk dependency \
                     dependencies environment environments tool tools code icon icons equivalent equivalents";
/// Words of labels before an address that is used: `Base URL: https://…`.
const SERVICE: &str = "url urls endpoint endpoints api apis host hosts server servers webhook webhooks base registry mirror proxy \
                       address upload download target destination origin remote feed";
/// The most bytes of a paragraph that are read on either side.
const NEAR: usize = 600;
/// Words that end a command in a sentence.
const ENDS: &str = "being and then to in for if when the with on from before after as or so that which is will using via until unless because while a an it this can could may might must should are was were has have not also";

/// The sentence around a place.
pub(super) struct Around<'t> {
    text: &'t str,
    /// The offset of the place, and of its end.
    at: usize,
    end: usize,
    before: String,
    after: String,
    /// The heading and the sentence above an address that stands alone.
    heading: String,
    /// The address follows a label, ends the sentence, and the label does not name a service.
    is_labelled: bool,
}

/// What ends a sentence.
const SENTENCE_ENDS: [&str; 11] = [
    ". ", ".** ", ".* ", "! ", "? ", "; ", ".\n", "\n- ", "\n* ", "\n#", "\n|",
];

/// Returns the first place at which a mark begins.
fn first_of(text: &str, marks: &[&str]) -> Option<usize> {
    let bytes = text.as_bytes();
    let begins = |at: &usize| {
        let rest = bytes.get(*at..).unwrap_or_default();
        matches!(rest.first(), Some(b'.' | b'!' | b'?' | b';' | b'\n'))
            && marks.iter().any(|mark| rest.starts_with(mark.as_bytes()))
    };
    (0..bytes.len()).find(begins)
}

/// Returns the place after the mark that ends last.
fn end_of_last(text: &str, marks: &[&str]) -> Option<usize> {
    let bytes = text.as_bytes();
    let ends = |at: &usize| {
        let before = bytes.get(..*at).unwrap_or_default();
        matches!(before.last(), Some(b' ' | b'\n'))
            && marks.iter().any(|mark| before.ends_with(mark.as_bytes()))
    };
    (1..=bytes.len()).rev().find(ends)
}

impl<'t> Around<'t> {
    /// Returns the sentence around a span, with its line ends as spaces.
    pub(super) fn of(text: &'t str, span: Span) -> Self {
        let mut start = span.start.saturating_sub(NEAR);
        while !text.is_char_boundary(start) {
            start += 1;
        }
        let mut end = (span.end + NEAR).min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = text.get(start..span.start).unwrap_or_default();
        let before = before.rsplit("\n\n").next().unwrap_or(before);
        let before = last_block(before);
        let after = text.get(span.end..end).unwrap_or_default();
        let after = after.split("\n\n").next().unwrap_or(after);
        // A code span has hundreds of bytes on either side: one pass, not one for each mark.
        let cut = first_of(after, &SENTENCE_ENDS);
        let after = after.get(..cut.unwrap_or(after.len())).unwrap_or_default();
        let from = end_of_last(before, &[". ", ".** ", ".* ", "! ", "? ", "; ", ".\n"]);
        let block = before;
        let before = before.get(from.unwrap_or(0)..).unwrap_or_default();
        let ends = !after.contains(char::is_alphanumeric);
        let is_alone = ends && !before.contains(char::is_alphanumeric);
        // After a label: `- Community files: https://…`, `- **Nuxt** - https://…`.
        let label = before.trim_end().trim_end_matches(['<', '`']).trim_end();
        let is_label = label.ends_with([':', '—', '–']) || label.ends_with(" -");
        let names_service = || {
            label
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| has(SERVICE, &word.to_lowercase()))
        };
        let is_labelled = ends && !is_alone && is_label && !names_service();
        let heading = if is_alone {
            format!("{} {block}", heading(text, span.start))
        } else {
            String::new()
        };
        Self {
            text,
            at: span.start,
            end: span.end,
            before: before.replace('\n', " "),
            after: after.replace('\n', " "),
            heading,
            is_labelled,
        }
    }

    /// Returns the sentence without the label of the link that ends it, unless the label says what to do with the page:
    /// `[Download the list](…)`.
    pub(super) fn without_label(mut self) -> Self {
        let before = self.before.strip_suffix("](");
        if let Some((before, label)) = before.and_then(|before| before.rsplit_once('[')) {
            let first = label.split_whitespace().next().unwrap_or_default();
            let is_order = says_to_reach(first);
            self.before = if is_order {
                format!("{before}{label}")
            } else {
                before.to_owned()
            };
        }
        self
    }

    /// Returns whether nothing but the mark of an item stands before.
    pub(super) fn is_item(&self) -> bool {
        let before = self.before.trim();
        before.starts_with(['-', '*', '+']) && !before.contains(char::is_alphanumeric)
    }

    /// Returns whether the words before forbid what stands here.
    pub(super) fn forbids(&self) -> bool {
        (forbids(&self.before, &self.after) || self.is_replaced()) && !self.is_taken_back()
    }

    /// Returns whether a later sentence of the paragraph asks for what the sentence forbids: "Do run it now."
    fn is_taken_back(&self) -> bool {
        let mut end = (self.end + NEAR).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let rest = self.text.get(self.end..end).unwrap_or_default();
        let mut rest = rest.split("\n\n").next().unwrap_or_default();
        while let Some(cut) = first_of(rest, &SENTENCE_ENDS) {
            rest = rest.get(cut + 1..).unwrap_or_default();
            let sentence = rest.get(..first_of(rest, &SENTENCE_ENDS).unwrap_or(rest.len()));
            if asks_for_it(sentence.unwrap_or_default()) {
                return true;
            }
        }
        false
    }

    /// Returns whether the sentence says to do another thing: "instead of fetching the page with `curl`". Not in "instead
    /// of asking, run …".
    fn is_replaced(&self) -> bool {
        const ORDERS: &str = "use run execute call invoke do then and just try start";
        let before = self.before.to_lowercase();
        ["instead of ", "rather than "].iter().any(|words| {
            let rest = before.rsplit_once(words).map(|(_, rest)| rest);
            rest.is_some_and(|rest| {
                let is_one = !rest.contains([',', ';', '—']) && !rest.contains(": ");
                is_one && !rest.split_whitespace().any(|word| has(ORDERS, word))
            })
        })
    }

    /// Returns whether one of the words directly before runs what stands here.
    pub(super) fn is_run(&self) -> bool {
        let words = self
            .before
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let last: Vec<&str> = words.rev_take(3);
        last.iter().any(|word| has(RUN, &word.to_lowercase()))
    }

    /// Returns whether the sentence says to use the program that stands here: "Use the `gh` command", "with the `gh` CLI".
    pub(super) fn is_used(&self) -> bool {
        const USES: &str = "use using run running call calling via with through";
        let mut after = self.after.split(|c: char| !c.is_alphanumeric());
        let next = after.find(|word| !word.is_empty()).unwrap_or_default();
        has("cli command commands", &next.to_lowercase())
            && self.words().any(|word| has(USES, &word))
    }

    /// Returns whether the word directly before says to start what stands here.
    pub(super) fn is_started(&self) -> bool {
        let words = self
            .before
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let last: Vec<&str> = words.rev_take(2);
        last.iter().any(|word| has("run running runs rerun execute executing executes launch launching invoke invoking", &word.to_lowercase()))
    }

    pub(super) fn has_strong_verb(&self) -> bool {
        self.words().any(|word| is_strong(&word))
    }

    /// Returns whether a verb before a link says to fetch or to send. Words of other links are about other things; so are
    /// words after the link, but for "and post the notes there".
    pub(super) fn follows_link(&self) -> bool {
        let before = without_links(&self.before);
        let mut before = before.split(|c: char| !c.is_alphanumeric());
        let mut after = self.after.split(|c: char| !c.is_alphanumeric());
        let is_sent = after.any(says_to_reach) && after.any(|word| has("there it", word));
        // "[This form](…) is where you must send the notes."
        let place = self.after.split_once(" where ").map(|(_, rest)| rest);
        let is_place = place.is_some_and(|rest| rest.split_whitespace().any(says_to_reach));
        is_sent
            || is_place
            || self.is_obeyed()
            || !self.is_for_person() && before.any(says_to_reach)
    }

    /// Returns whether the page holds instructions for the model: "Follow the rules at …", "Read … and do what it says".
    fn is_obeyed(&self) -> bool {
        let has_word = |text: &str, words: &str| {
            let mut all = text.split(|c: char| !c.is_alphanumeric());
            all.any(|word| has(words, &word.to_lowercase()))
        };
        let orders = "follow obey apply";
        let after = has_word(&self.after, orders) && has_word(&self.after, "them it")
            || self.after.contains("do what it says");
        let before = has_word(&self.before, orders)
            && has_word(&self.before, "instructions rules steps orders");
        before || after
    }

    /// Returns whether a person is to open the address: "Direct the user to https://…", and nothing more is said of it.
    fn is_for_person(&self) -> bool {
        const PERSONS: [&str; 5] = [
            "the user to ",
            "users to ",
            "them to ",
            "the person to ",
            "the customer to ",
        ];
        let before = self.before.to_lowercase();
        let before = before.trim_end_matches(['[', '(', '<', '*', '`']);
        let verbs = ["direct ", "point ", "refer ", "redirect "];
        let is_directed = verbs.iter().any(|verb| {
            let rest = before.rsplit_once(verb).map(|(_, rest)| rest);
            rest.is_some_and(|rest| {
                PERSONS.iter().any(|person| {
                    rest.strip_prefix(person)
                        .is_some_and(|between| between.split_whitespace().count() < 6)
                })
            })
        });
        let mut after = self.after.split(|c: char| !c.is_alphanumeric());
        is_directed && !after.any(|word| is_strong(&word.to_lowercase()))
    }

    /// Returns whether an address here is fetched or sent to, and not only named.
    pub(super) fn reaches(&self) -> bool {
        if self.forbids() || self.is_for_person() {
            return false;
        }
        if self.is_obeyed() {
            return true;
        }
        let is_named = self.is_labelled || self.words().any(|word| has(DOCUMENTATION, &word));
        self.has_strong_verb() || !is_named
    }

    pub(super) fn names_environment(&self) -> bool {
        self.words().any(|word| has(ENVIRONMENT, &word)) || self.is_below_environment()
    }

    /// Returns whether the place is in a list below a heading about the environment, or in a table with such a column.
    fn is_below_environment(&self) -> bool {
        let is_mark = |c: char| matches!(c, '-' | '*' | '+' | ' ' | '`');
        let above = if self.before.trim_matches(is_mark).is_empty() {
            heading(self.text, self.at)
        } else {
            columns(self.text, self.at).to_owned()
        };
        let above = above.to_lowercase();
        let mut words = above.split(|c: char| !c.is_alphanumeric());
        words.any(|word| has("variable variables env environment", word))
    }

    fn words(&self) -> impl Iterator<Item = String> + '_ {
        let both = [&self.heading, &self.before, &self.after].into_iter();
        both.flat_map(|text| text.split(|c: char| !(c.is_alphanumeric() || c == '.')))
            .map(|word| word.trim_matches('.').to_lowercase())
            .filter(|word| !word.is_empty())
    }
}

/// Returns whether a sentence asks for what the sentence before names.
fn asks_for_it(sentence: &str) -> bool {
    const DENIALS: &str = "never not cannot t avoid";
    let words = sentence.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words
        .map(str::to_lowercase)
        .filter(|word| !word.is_empty())
        .collect();
    let mut pairs = words.windows(2).filter_map(|pair| match pair {
        [verb, what] => Some((verb.as_str(), what.as_str())),
        _ => None,
    });
    !words.iter().any(|word| has(DENIALS, word))
        && pairs.any(|(verb, what)| match verb {
            "run" | "execute" | "invoke" | "call" | "issue" => {
                has("it them this that these those both", what)
            }
            "use" => has("it them", what),
            "do" => has("it so", what),
            _ => false,
        })
}

/// Returns whether a word alone says to fetch from an address, or to send to it.
fn is_strong(word: &str) -> bool {
    has(REACH, word) && !has("from install open get import copy", word)
}

/// Returns whether a word near a link says to fetch or to send. Some such words are nouns there: "the webhook signature".
pub(super) fn says_to_reach(word: &str) -> bool {
    const NOUNS: &str = "webhook connect connects report reports requests calls clones";
    let word = word.to_lowercase();
    is_strong(&word) && !has(NOUNS, &word)
}

/// Returns text without the links in it.
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        let label = before.rfind('[').unwrap_or(before.len());
        out.push_str(before.get(..label).unwrap_or_default());
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    out + rest
}

/// Returns whether the paragraph or the heading above a block says to fetch what the block holds.
pub(super) fn fetches_below(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end();
    let paragraph = before.rsplit("\n\n").next().unwrap_or_default();
    let near = format!("{} {paragraph}", heading(text, at));
    let words = near.split(|c: char| !c.is_alphanumeric());
    let mut words = words.map(str::to_lowercase);
    words.any(|word| {
        has(REACH, &word) && !matches!(word.as_str(), "from" | "install" | "open" | "get" | "copy")
    })
}

/// Returns the last heading before a place, and the line above the list of the place: "Source references:".
fn heading(text: &str, at: usize) -> String {
    // A bound, so that the time stays linear in a list of addresses.
    const NEAR: usize = 8_000;
    let from = at.saturating_sub(NEAR);
    let from = (from..=at)
        .find(|from| text.is_char_boundary(*from))
        .unwrap_or(at);
    let before = text.get(from..at).unwrap_or_default();
    // "1. Set these variables:" is an item too, and stands above its own list.
    let is_item = |line: &&str| {
        let line = line.trim_start_matches([' ', '\t', '>']);
        line.trim().is_empty()
            || line.starts_with(['-', '*', '+'])
            || line.starts_with(|c: char| c.is_ascii_digit())
    };
    let is_intro = |line: &&str| line.trim_end().ends_with(':');
    let intro = before
        .lines()
        .rev()
        .find(|line| is_intro(line) || !is_item(line));
    let intro = intro.filter(is_intro);
    let heading = before.lines().rev().find(|line| line.starts_with('#'));
    format!(
        "{} {}",
        heading.unwrap_or_default(),
        intro.unwrap_or_default()
    )
}

/// Returns the heads of the columns of the table of a place: its first row. Empty outside of tables.
fn columns(text: &str, at: usize) -> &str {
    // A bound, so that the time stays linear in a long table.
    const MOST_ROWS: usize = 40;
    let before = text.get(..at).unwrap_or_default();
    let rows = before.rsplit('\n').take(MOST_ROWS);
    let rows = rows.take_while(|row| row.trim_start().starts_with('|'));
    rows.last().unwrap_or_default()
}

trait RevTake<'t>: Iterator<Item = &'t str> + Sized {
    /// Returns the last words.
    fn rev_take(self, count: usize) -> Vec<&'t str> {
        let mut words: Vec<&str> = self.collect();
        words.split_off(words.len().saturating_sub(count))
    }
}

impl<'t, I: Iterator<Item = &'t str>> RevTake<'t> for I {}

/// Returns the text from the last list item, heading, row or quotation on.
fn last_block(before: &str) -> &str {
    let mut start = 0;
    for (at, _) in before.match_indices('\n') {
        let line = before.get(at + 1..).unwrap_or_default();
        let trimmed = line.trim_start();
        let number = trimmed.trim_start_matches(|c: char| c.is_ascii_digit());
        let begins = trimmed.starts_with("- ")
            || trimmed.starts_with("* ")
            || trimmed.starts_with("+ ")
            || trimmed.starts_with(['#', '|', '>'])
            || number.len() < trimmed.len() && number.starts_with(['.', ')']);
        if begins {
            start = at + 1;
        }
    }
    before.get(start..).unwrap_or_default()
}

/// Reads a piece of prose.
pub(super) fn read(text: &str, span: Span, line: &dyn Fn(usize) -> usize, reader: &mut Reader<'_>) {
    let piece = span.of(text);
    if piece.contains("://") {
        // A word can hold a million hosts: its end is looked for once.
        let mut word_end = 0;
        for (at, host) in hosts(piece) {
            if word_end <= at {
                let rest = piece.get(at..).unwrap_or_default();
                word_end = at + rest.find(char::is_whitespace).unwrap_or(rest.len());
            }
            let place = Span::new(span.start + at, span.start + word_end);
            if Around::of(text, place).reaches() {
                reader.add(PowerKind::Hosts, host, line(place.start));
            }
        }
    }
    let mut last = word_before(text, span.start);
    let mut at = 0;
    while let Some(start) = piece
        .get(at..)
        .and_then(|rest| rest.find(|c: char| !c.is_whitespace()))
        .map(|found| at + found)
    {
        let end = piece
            .get(start..)
            .and_then(|rest| rest.find(char::is_whitespace))
            .map_or(piece.len(), |found| start + found);
        let word = piece.get(start..end).unwrap_or_default();
        let place = Span::new(span.start + start, span.start + end);
        one(text, piece, (last, word), place, line, start, reader);
        // "Execute targeted pytest": the verb stays the word before.
        if !has("targeted focused full all only just", word) {
            last = word;
        }
        at = end;
    }
}

/// Returns the word of the same line before a piece, which begins after a mark or a tag: `Run **git push**`.
fn word_before(text: &str, start: usize) -> &str {
    let near = (start.saturating_sub(NEAR)..=start).find(|at| text.is_char_boundary(*at));
    let mut row = text.get(near.unwrap_or(start)..start).unwrap_or_default();
    row = row.rsplit('\n').next().unwrap_or_default();
    loop {
        let trimmed = row.trim_end_matches(['*', '_', ' ']);
        let tag = trimmed.strip_suffix('>').and_then(|it| it.rfind('<'));
        match tag {
            Some(tag) => row = trimmed.get(..tag).unwrap_or_default(),
            None => return trimmed.split_whitespace().next_back().unwrap_or_default(),
        }
    }
}

fn one(
    text: &str,
    piece: &str,
    (last, word): (&str, &str),
    place: Span,
    line: &dyn Fn(usize) -> usize,
    start: usize,
    reader: &mut Reader<'_>,
) {
    let name = word.trim_matches(|c: char| {
        matches!(
            c,
            '"' | '\'' | ',' | ':' | '(' | ')' | '.' | '*' | '_' | ';'
        )
    });
    let path = if name.starts_with(['~', '/', '$']) {
        // `$HOME` alone stands in sentences about paths, and about money.
        outside(name).filter(|path| path != "~" && name.len() > 2)
    } else if has("id_rsa id_ed25519 id_ecdsa", name) {
        Some(format!("~/.ssh/{name}"))
    } else {
        // The trimmed name has lost its leading dot.
        place_of_keys(word.trim_start_matches(['"', '\'', '(', '*', '_']))
    };
    if let Some(path) = path.filter(|_| !Around::of(text, place).forbids()) {
        reader.add(PowerKind::Files, path, line(place.start));
    }
    if let Some(host) = sent_to(last, name).filter(|_| Around::of(text, place).has_strong_verb())
        && !Around::of(text, place).forbids()
    {
        reader.add(PowerKind::Hosts, host, line(place.start));
    }
    // `USER_NAME/USER_PASSWORD` are two.
    for name in name.split('/') {
        let variable = name.trim_start_matches('$').trim_matches(['{', '}']);
        if variable.contains('_')
            && is_environment(variable)
            && (ends_as_secret(variable)
                || name.starts_with('$')
                || Around::of(text, place).names_environment())
        {
            reader.name(variable, line(place.start));
        }
    }
    if !is_known(name) || has(WORDS, name) {
        return;
    }
    let rest = piece.get(start + word.len()..).unwrap_or_default();
    let next = rest.split_whitespace().next().unwrap_or_default();
    if word.ends_with([',', '.', ':', ';', ')']) {
        return;
    }
    let verb = last
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    let is_argument = next.starts_with('-')
        && next.len() > 1
        && next
            .chars()
            .nth(1)
            .is_some_and(|c| c.is_ascii_alphabetic() || c == '-')
        && next != "--"
        || next.contains("://")
        || has(REACHING, name) && bare(next).is_some_and(|host| has_known_end(&host))
        || next.starts_with(['~', '$', '/']) && next.len() > 1
        || next.starts_with("./");
    let has_subcommand = SUBCOMMANDS.iter().any(|(program, _)| *program == name)
        && next.chars().all(|c| c.is_ascii_lowercase() || c == '-')
        && !next.is_empty()
        && !has(ENDS, next)
        // "with npm integration", "the npm package".
        && !has(NOUNS, next);
    let starts_package = has("npx uvx bunx pipx", name)
        && next.starts_with(|c: char| c.is_ascii_lowercase() || c == '@')
        && !has(ENDS, next)
        && !has(NOUNS, next);
    let has_subcommand = has_subcommand || starts_package;
    let is_run = has(RUN, &verb) || has(BEFORE, &verb) && (has_subcommand || is_argument);
    let noun = next.trim_matches(|c: char| !c.is_alphanumeric());
    let is_used = has("cli command", &noun.to_lowercase()) && Around::of(text, place).is_used();
    if is_used && !Around::of(text, place).forbids() {
        return words(name, line(place.start), reader);
    }
    let strong = is_run
        && (has_subcommand
            || is_argument
            || has("run execute running executing type invoke", &verb));
    if !(strong || is_argument) || Around::of(text, place).forbids() {
        return;
    }
    let mut taken = name.to_owned();
    for (index, word) in rest.split_whitespace().enumerate() {
        if has(ENDS, word) || index > 12 {
            break;
        }
        taken.push(' ');
        taken.push_str(word.trim_end_matches(['.', ',', ';', ')']));
        if word.ends_with(['.', ';', ',']) && !word.ends_with("..") {
            break;
        }
    }
    words(&taken, line(place.start), reader);
}

/// Returns the host of a word without a scheme after `to`, `from` or `on`: "post the notes to a.org/in".
fn sent_to(last: &str, word: &str) -> Option<String> {
    let is_to = matches!(last, "to" | "from" | "on" | "at" | "via" | "into");
    // Mail is not fetched from its host.
    let host = (is_to && !word.contains('@'))
        .then(|| bare(word))
        .flatten()?;
    has_known_end(&host).then_some(host)
}

/// Returns whether a host ends as most do. Names of programs also have dots: `Node.js`.
fn has_known_end(host: &str) -> bool {
    const ENDS: &str = "com net org io dev app ai co xyz site info biz cloud me";
    let end = host.rsplit('.').next().unwrap_or_default();
    has(ENDS, end) || end.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads words of prose as a command.
fn words(text: &str, line: usize, reader: &mut Reader<'_>) {
    let words: Vec<Word> = text
        .split_whitespace()
        .map(|word| Word {
            text: word.trim_matches(['"', '\'', ',']).to_owned(),
            line,
            is_computed: word.contains('$'),
            is_quoted: false,
        })
        .collect();
    command::read(&words, Input::Open, reader);
}
