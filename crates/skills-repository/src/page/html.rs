//! HTML output: literals of this crate stay as they are, everything else is escaped.

use crate::page::escape::escape;
use std::fmt::Write as _;

/// An HTML text under construction. A string enters only as a `'static` literal of this crate, or escaped.
#[derive(Debug, Default)]
pub(crate) struct Html {
    out: String,
}

impl Html {
    /// Returns `self`, so that [`html!`] takes an owned value and a reference alike.
    pub(crate) fn this(&mut self) -> &mut Self {
        self
    }

    /// Appends a literal without escaping.
    pub(crate) fn raw(&mut self, html: &'static str) {
        self.out.push_str(html);
    }

    /// Appends rendered HTML.
    pub(crate) fn html(&mut self, html: &Self) {
        self.out.push_str(&html.out);
    }

    pub(crate) fn finish(self) -> String {
        self.out
    }
}

/// A value that can be appended to HTML.
pub(crate) trait Part {
    /// Appends the value, escaped.
    fn put(&self, html: &mut Html);
}

impl Part for str {
    fn put(&self, html: &mut Html) {
        escape(&mut html.out, self);
    }
}

impl Part for String {
    fn put(&self, html: &mut Html) {
        self.as_str().put(html);
    }
}

impl Part for usize {
    fn put(&self, html: &mut Html) {
        // Writing into a `String` cannot fail.
        let _ = write!(html.out, "{self}");
    }
}

impl Part for u64 {
    fn put(&self, html: &mut Html) {
        let _ = write!(html.out, "{self}");
    }
}

/// Writes a coordinate with at most one decimal.
impl Part for f64 {
    fn put(&self, html: &mut Html) {
        let start = html.out.len();
        let _ = write!(html.out, "{self:.1}");
        if html.out.ends_with(".0") {
            html.out.truncate(html.out.len() - 2);
        }
        if html.out.get(start..) == Some("-0") {
            html.out.truncate(start);
            html.out.push('0');
        }
    }
}

impl<P: Part + ?Sized> Part for &P {
    fn put(&self, html: &mut Html) {
        (**self).put(html);
    }
}

/// Writes HTML: literals unchanged, values in parentheses escaped.
///
/// `html!(out, "<td>" (skill.name) "</td>")`
macro_rules! html {
    ($out:expr, $($part:tt)*) => {{
        let out = $out.this();
        $($crate::page::html::part!(out, $part);)*
    }};
}

/// Writes one part of [`html!`].
macro_rules! part {
    ($out:expr, ($value:expr)) => {
        $crate::page::html::Part::put(&$value, $out)
    };
    ($out:expr, $literal:literal) => {
        $out.raw($literal)
    };
}

pub(crate) use {html, part};

/// Formats a number with a comma between thousands.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats a count with its noun: `1 skill`, `2,000 skills`.
pub(crate) fn counted(number: usize, one: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        number => format!("{} {one}s", grouped(number)),
    }
}

/// Formats a number of bytes with a decimal unit.
pub(crate) fn bytes(size: u64) -> String {
    #[expect(
        clippy::cast_precision_loss,
        reason = "one digit after the point is shown"
    )]
    let size_in = |unit: u64| size as f64 / unit as f64;
    match size {
        1 => "1 byte".to_owned(),
        0..1000 => format!("{size} bytes"),
        1000..1_000_000 => format!("{:.1} kB", size_in(1000)),
        _ => format!("{:.1} MB", size_in(1_000_000)),
    }
}
