//! The type of an attack.

use std::error::Error;

/// The result of an attack. The error describes the broken promise.
pub type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

/// One attack.
#[derive(Clone, Copy, Debug)]
pub struct Attack {
    path: &'static str,
    /// Runs the attack in a temporary folder.
    pub run: fn() -> Outcome,
}

impl Attack {
    pub(crate) const fn new(path: &'static str, run: fn() -> Outcome) -> Self {
        Self { path, run }
    }

    /// Returns the name `THEME::FUNCTION`.
    pub fn name(&self) -> &'static str {
        self.path
            .split_once("::")
            .map_or(self.path, |(_, name)| name)
    }
}

/// Lists the attacks of a file in `ATTACKS`.
macro_rules! attacks {
    ($($attack:ident),* $(,)?) => {
        pub(crate) const ATTACKS: &[crate::attack::Attack] = &[$(
            crate::attack::Attack::new(
                concat!(module_path!(), "::", stringify!($attack)),
                $attack,
            )
        ),*];
    };
}

/// Returns an error with a message when a condition does not hold.
macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            return Err(format!($($message)+).into());
        }
    };
}

/// Returns one of two numbers: of a sample, or with `SKILLS_ALL_ATTACKS=1`, as every night, of the whole attack.
pub(crate) fn sample_or_all(sample: usize, all: usize) -> usize {
    if std::env::var_os("SKILLS_ALL_ATTACKS").is_some() {
        all
    } else {
        sample
    }
}

/// Prints why an attack is impossible on this system. The attack then passes.
#[expect(clippy::unnecessary_wraps, reason = "the attack ends with it")]
pub(crate) fn skipped(reason: &str) -> Outcome {
    #[expect(clippy::print_stderr, reason = "a skipped test prints its reason")]
    {
        eprintln!("skipped: {reason}");
    }
    Ok(())
}
