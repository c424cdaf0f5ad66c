//! Cuts a list of skills as a client does.

use crate::listing::{Counts, Cut, Kept, Listed, Listing, Overflow, Shown, Unit};
use skills_format::text::control;

/// A skill of a list: what the client writes of it, if there is room.
struct Row<'a> {
    name: &'a str,
    /// The path as the client writes it.
    location: String,
    /// The description on one line, cut to the maximum of an entry.
    description: String,
    /// True if the entry's maximum cut the description.
    is_part: bool,
    /// True if the description is never cut.
    keeps: bool,
}

/// A line to which a description is added by single characters.
struct Growing {
    size: usize,
    taken: usize,
    /// The size of each character; that of the first with the text around a description.
    characters: Vec<usize>,
}

impl Listing {
    /// Cuts a list of skills to a client's budget, in the order in which the client lists them. `context` is the size
    /// of the model's context in tokens.
    ///
    /// Cost: renders the list about four times.
    pub fn cut(&self, context: Option<u64>, skills: &[Listed<'_>]) -> Cut {
        self.cut_in(None, context, skills)
    }

    /// Cuts as [`Listing::cut`], for a person with this home folder: a client can count its path.
    pub fn cut_in(&self, home: Option<&str>, context: Option<u64>, skills: &[Listed<'_>]) -> Cut {
        let (budget, unit) = self.budget(context);
        let roots = self.roots(home, skills);
        let lines = roots.iter().enumerate();
        let lines: Vec<String> = lines
            .map(|(number, root)| format!("- `r{number}` = `{root}`"))
            .collect();
        let table: usize = lines.iter().map(|line| line.len() + 1).sum();
        let free = self.roots.as_ref().map_or(0, |names| names.free);
        // The last line of a joined list has no line feed.
        let last = usize::from(self.counts == Counts::Joined);
        let frame = self.frame + table.saturating_sub(1 + free) / 4;

        let own = self.own.iter().map(|own| Row {
            name: &own.name,
            location: format!("r0/{}/SKILL.md", own.name),
            description: "x".repeat(own.description),
            is_part: false,
            keeps: own.keeps,
        });
        let mut rows: Vec<Row<'_>> = skills.iter().map(|skill| self.row(skill, &roots)).collect();
        let first = if self.own_first { own.len() } else { 0 };
        let at = if self.own_first { 0 } else { rows.len() };
        rows.splice(at..at, own);

        let whole = rows
            .iter()
            .map(|row| self.cost(unit, row, &row.description));
        let whole = (whole.sum::<usize>() + frame).saturating_sub(last);
        let most = self.skills.unwrap_or(usize::MAX);
        let room = budget.saturating_add(last).saturating_sub(frame);
        let listed = rows.get(..most).unwrap_or(&rows);
        let mut lengths = match self.overflow {
            Overflow::Even => self.even(unit, listed, room),
            Overflow::FirstFit => self.first_fit(unit, listed, room),
            Overflow::Stop => self.stop(unit, listed, room),
        };
        lengths.resize(rows.len(), None);

        let mut used = frame;
        let mut all = Vec::new();
        for (row, length) in rows.iter().zip(lengths) {
            let kept = self.kept(row, length);
            if kept.shown != Shown::Gone {
                used += self.cost(unit, row, &kept.description);
            }
            all.push(kept);
        }
        Cut {
            unit,
            budget,
            whole,
            used: used.saturating_sub(last),
            roots: lines,
            skills: all.into_iter().skip(first).take(skills.len()).collect(),
        }
    }

    /// Returns the folders of skills that the client names, its own among them: `r0` is the first by its path.
    fn roots(&self, home: Option<&str>, skills: &[Listed<'_>]) -> Vec<String> {
        let Some(names) = &self.roots else {
            return Vec::new();
        };
        let own = match (names.own.strip_prefix('~'), home) {
            (Some(path), Some(home)) => format!("{home}{path}"),
            _ => names.own.clone(),
        };
        let roots = skills.iter().map(|skill| skill.root.to_owned());
        let mut roots: Vec<String> = roots.filter(|root| !root.is_empty()).collect();
        roots.push(own);
        roots.sort();
        roots.dedup();
        roots
    }

    fn row<'a>(&self, skill: &Listed<'a>, roots: &[String]) -> Row<'a> {
        // Control characters other than white space stay.
        let written = |text| match self.reads {
            Some(reader) => reader.written(text).into_owned(),
            None => control::one_line(text, Some).into_owned(),
        };
        let mut description = skill.description;
        let mut is_part = false;
        if self.first_line {
            description = description.lines().next().unwrap_or_default();
            is_part = skill.description.trim().len() > description.len();
        }
        let mut description = written(description);
        if let Some(between) = &self.when_to_use
            && !skill.when_to_use.is_empty()
        {
            description = format!("{description}{between}{}", written(skill.when_to_use));
        }
        let entry_unit = self.entry_unit.unwrap_or(self.unit);
        if let Some(short) = self
            .entry
            .and_then(|entry| self.cut_exactly(&description, entry, entry_unit))
        {
            description = short;
            is_part = true;
        }
        let root = roots.iter().position(|root| root == skill.root);
        let location = match (root, skill.location.strip_prefix(skill.root)) {
            (Some(number), Some(below)) => format!("r{number}{below}"),
            _ => skill.location.to_owned(),
        };
        Row {
            name: skill.name,
            location,
            description,
            is_part,
            keeps: false,
        }
    }

    /// Cuts a text to at most `length` units, with the ellipsis included. Returns `None` if the text is short enough.
    fn cut_exactly(&self, text: &str, length: usize, unit: Unit) -> Option<String> {
        if unit.of(text) <= length {
            return None;
        }
        let room = length.saturating_sub(unit.of(&self.ellipsis));
        let mut head = String::new();
        let mut used = 0;
        for c in text.chars() {
            let next = used + unit.of(c.encode_utf8(&mut [0; 4]));
            if next > room {
                // Half a pair of UTF-16 is sent as the replacement character.
                if used < room {
                    head.push('\u{fffd}');
                }
                break;
            }
            head.push(c);
            used = next;
        }
        Some(head + &self.ellipsis)
    }

    /// Returns the line of a skill with this description.
    fn line(&self, row: &Row<'_>, description: &str) -> String {
        let is_bare = description.is_empty();
        self.filled(
            if is_bare { &self.bare } else { &self.line },
            row,
            description,
        )
    }

    fn filled(&self, template: &str, row: &Row<'_>, description: &str) -> String {
        let mut line = String::new();
        for part in template.split_inclusive('}') {
            let (text, hole) = part.rsplit_once('{').unwrap_or((part, ""));
            line.push_str(text);
            match hole {
                "name}" => push_escaped(&mut line, row.name, &self.escape),
                "description}" => push_escaped(&mut line, description, &self.escape),
                "location}" => {
                    let escaped = self.location_escape.as_ref().unwrap_or(&self.escape);
                    push_escaped(&mut line, &row.location, escaped);
                }
                _ => {}
            }
        }
        line
    }

    /// Returns the cost of a skill with this description. A line has a line feed.
    fn cost(&self, unit: Unit, row: &Row<'_>, description: &str) -> usize {
        match self.counts {
            Counts::Texts => unit.of(row.name) + unit.of(description),
            Counts::Line if unit == Unit::Tokens => {
                (self.line(row, description).len() + 1).div_ceil(4)
            }
            Counts::Line | Counts::Joined => unit.of(&self.line(row, description)) + 1,
        }
    }

    /// Returns a skill with this number of characters of its description; without a number the skill is left out.
    fn kept(&self, row: &Row<'_>, length: Option<usize>) -> Kept {
        let Some(length) = length else {
            return Kept {
                shown: Shown::Gone,
                description: String::new(),
                line: String::new(),
            };
        };
        let description: String = row.description.chars().take(length).collect();
        let shown = if description.is_empty() && !row.description.is_empty() {
            Shown::Bare
        } else if row.is_part || description.len() < row.description.len() {
            Shown::Shortened
        } else {
            Shown::Whole
        };
        let line = self.line(row, &description);
        Kept {
            shown,
            description,
            line,
        }
    }

    fn even(&self, unit: Unit, rows: &[Row<'_>], mut room: usize) -> Vec<Option<usize>> {
        let bare: Vec<usize> = rows.iter().map(|row| self.cost(unit, row, "")).collect();
        if bare.iter().sum::<usize>() > room {
            let mut lengths = Vec::new();
            for cost in bare {
                let left = room.checked_sub(cost);
                room = left.unwrap_or(room);
                lengths.push(left.map(|_| 0));
            }
            return lengths;
        }
        room -= bare.iter().sum::<usize>();
        // Tokens are counted a line, in bytes.
        let size = |text: &str| {
            if unit == Unit::Tokens {
                text.len()
            } else {
                unit.of(text)
            }
        };
        let cost = |size: usize| {
            if unit == Unit::Tokens {
                size.div_ceil(4)
            } else {
                size
            }
        };
        let mut lines: Vec<Growing> = Vec::new();
        for row in rows {
            let bare = size(&self.filled(&self.bare, row, ""));
            let mut characters = Vec::new();
            for c in row.description.chars() {
                let mut written = String::new();
                push_escaped(&mut written, c.encode_utf8(&mut [0; 4]), &self.escape);
                characters.push(size(&written));
            }
            if let Some(first) = characters.first_mut() {
                *first += size(&self.filled(&self.line, row, "")).saturating_sub(bare);
            }
            lines.push(Growing {
                size: bare + 1,
                taken: 0,
                characters,
            });
        }
        // Round robin: each description in turn takes its next character, if the room is enough.
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for line in &mut lines {
                let Some(next) = line.characters.get(line.taken) else {
                    continue;
                };
                let more = cost(line.size + next) - cost(line.size);
                if more <= room {
                    room -= more;
                    line.size += next;
                    line.taken += 1;
                    is_changed = true;
                }
            }
        }
        lines.iter().map(|line| Some(line.taken)).collect()
    }

    fn first_fit(&self, unit: Unit, rows: &[Row<'_>], room: usize) -> Vec<Option<usize>> {
        let cost = |row: &Row<'_>, length| {
            let description = if length == 0 { "" } else { &row.description };
            self.cost(unit, row, description)
        };
        let least = |row: &Row<'_>| if row.keeps { usize::MAX } else { 0 };
        let mut used: usize = rows.iter().map(|row| cost(row, least(row))).sum();
        let mut lengths = Vec::new();
        for row in rows {
            let more = cost(row, usize::MAX) - cost(row, least(row));
            let fits = used + more <= room;
            used += if fits { more } else { 0 };
            lengths.push(Some(if fits { usize::MAX } else { least(row) }));
        }
        lengths
    }

    fn stop(&self, unit: Unit, rows: &[Row<'_>], mut room: usize) -> Vec<Option<usize>> {
        let mut lengths = Vec::new();
        for row in rows {
            match room.checked_sub(self.cost(unit, row, &row.description)) {
                Some(left) => room = left,
                None => break,
            }
            lengths.push(Some(usize::MAX));
        }
        lengths
    }
}

/// Writes these characters as entities of XML.
fn push_escaped(line: &mut String, text: &str, escaped: &str) {
    for c in text.chars() {
        match c {
            '&' if escaped.contains(c) => line.push_str("&amp;"),
            '<' if escaped.contains(c) => line.push_str("&lt;"),
            '>' if escaped.contains(c) => line.push_str("&gt;"),
            '"' if escaped.contains(c) => line.push_str("&quot;"),
            '\'' if escaped.contains(c) => line.push_str("&#39;"),
            c => line.push(c),
        }
    }
}
