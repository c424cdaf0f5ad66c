//! Functions that start programs, and the text or the list that they are given.

use crate::powers::code::arguments::{inside, shell_code, split, word};
use crate::powers::code::calls::Call;
use crate::powers::code::script::Script;
use crate::powers::code::skeleton::{MARK, Text};
use crate::powers::command::{self, Input};
use crate::powers::reader::Reader;
use crate::powers::tables::has;
use crate::powers::tables::programs::{WORDS, is_known};
use crate::powers::word::{Word, begins_with_program, program};

/// The maximum number of calls with one name whose values are read. Every value is read by then: a further call would only
/// add its line, and read all texts of the name again.
const MAX_CALLS: usize = 16;

impl Script<'_> {
    /// Reads what a call starts.
    pub(super) fn run(&self, call: &Call<'_>, reader: &mut Reader<'_>) {
        let first = call.first;
        let list = first.strip_prefix('[').or_else(|| first.strip_prefix("&["));
        if let Some(list) = list {
            self.run_list(list, call, reader);
        } else if let Some((text, length)) = self.skeleton.text_at(first) {
            self.run_text(text, first.get(length..).unwrap_or_default(), call, reader);
        // `runCommand({ ping: 1 })` of a database is no program.
        } else if !first.is_empty() && call.function != "runCommand(" {
            self.run_name(call, reader);
        }
    }

    fn run_list(&self, list: &str, call: &Call<'_>, reader: &mut Reader<'_>) {
        let words = self.words(inside(list, '[', ']'), call.line);
        self.command_of(&words, call, reader);
    }

    /// Reads a written text, and the code that follows the text in the same argument.
    fn run_text(&self, text: &Text, after: &str, call: &Call<'_>, reader: &mut Reader<'_>) {
        // `'lruc'[::-1]`: the written text is not what runs.
        if after.trim_start().starts_with(['[', '.']) {
            reader.unreadable(&self.shown_call(call), call.line);
        }
        // Of text that is joined with values, the written part is read.
        if !after.is_empty() || text.value.trim().contains([' ', '\n']) {
            return command::inner("shell", &shell_code(text), reader);
        }
        let mut words = vec![word(text)];
        for rest in split(call.all).into_iter().skip(1).map(str::trim) {
            match rest.strip_prefix('[') {
                Some(list) => words.extend(self.words(inside(list, '[', ']'), call.line)),
                None if rest.starts_with(MARK) => words.extend(self.words(rest, call.line)),
                None => {}
            }
        }
        self.command_of(&words, call, reader);
    }

    /// Reads the values of a name.
    fn run_name(&self, call: &Call<'_>, reader: &mut Reader<'_>) {
        let Some(values) = self.assigned.get(call.first) else {
            return reader.unreadable(&self.shown_call(call), call.line);
        };
        let calls = values.calls.get() + 1;
        values.calls.set(calls);
        let mut is_read = false;
        for code in &values.code {
            let split = code
                .strip_prefix("shlex.split(")
                .or_else(|| code.strip_prefix("hlex.split("));
            if let Some(list) = code.strip_prefix('[') {
                is_read = true;
                if calls <= MAX_CALLS {
                    self.run_list(list, call, reader);
                }
            } else if let Some((text, _)) = self.skeleton.text_at(split.unwrap_or(code)) {
                is_read = true;
                if calls <= MAX_CALLS {
                    let code = Word {
                        line: call.line,
                        ..shell_code(text)
                    };
                    command::inner("shell", &code, reader);
                }
            }
        }
        if !is_read || values.has_more {
            reader.unreadable(&self.shown_call(call), call.line);
        }
    }

    fn command_of(&self, words: &[Word], call: &Call<'_>, reader: &mut Reader<'_>) {
        match words.first() {
            Some(first) if !first.is_computed => command::read(words, Input::Open, reader),
            Some(first) => reader.unreadable(&self.shown_call(call), first.line),
            None => {}
        }
    }

    /// Reads lists of texts that begin with a known program, in any place: `["git", "push"]`.
    pub(super) fn lists(&self, reader: &mut Reader<'_>) {
        let code = &self.skeleton.code;
        for (at, _) in code.match_indices('[') {
            let rest = code.get(at + 1..).unwrap_or_default();
            let Some((first, _)) = self.skeleton.text_at(rest.trim_start()) else {
                continue;
            };
            // `["open", url]` is a list of words more often than a command.
            let name = program(&first.value);
            if is_known(&name) && !has(WORDS, &name) {
                let words = self.words(inside(rest, '[', ']'), first.line);
                if words.len() > 1 {
                    command::read(&words, Input::Open, reader);
                }
            }
        }
    }

    /// Reads `` $`command` `` of zx and Bun.
    pub(super) fn templates(&self, reader: &mut Reader<'_>) {
        for (at, _) in self.skeleton.code.match_indices('$') {
            let rest = self.skeleton.code.get(at + 1..).unwrap_or_default();
            if let Some((text, _)) = self.skeleton.text_at(rest) {
                command::inner("shell", &shell_code(text), reader);
            }
        }
    }

    /// Reads the commands in backquotes of Ruby, Perl and PHP. The skeleton does not keep the kind of a quotation mark,
    /// so a text that begins with a program counts.
    pub(super) fn backquotes(&self, reader: &mut Reader<'_>) {
        for text in self.skeleton.texts.iter().filter(|text| !text.is_comment) {
            if text.value.contains(' ') && begins_with_program(&text.value) {
                command::inner("shell", &shell_code(text), reader);
            }
        }
    }
}
