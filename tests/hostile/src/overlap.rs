//! Many long descriptions, compared with each other.

use crate::attack::Outcome;
use crate::case::Case;
use std::fmt::Write as _;
use std::time::Duration;

attacks![long_descriptions_are_compared_in_linear_time];

/// The numbers of skills, and the number of words of each skill.
const SKILLS: (usize, usize) = (15, 60);
const WORDS: usize = 1_500;
/// Maximum cost of more skills, as a multiple of the fewer: 4 is linear in their words, 16 quadratic.
const MOST: u32 = 8;
/// Times below this are noise.
const NOISE: Duration = Duration::from_millis(100);
/// Number of measurements before the command counts as too slow.
const TRIES: usize = 6;

/// The time of `overlap` is linear in the words of the descriptions, although all descriptions are similar.
fn long_descriptions_are_compared_in_linear_time() -> Outcome {
    let case = Case::new()?;
    for number in 0..SKILLS.1 {
        let mut words = String::new();
        for word in 0..WORDS {
            write!(words, "w{} ", word + number * 5)?;
        }
        let text = format!("---\nname: s{number}\ndescription: {words}\n---\nGo.\n");
        if number < SKILLS.0 {
            case.write(format!("project/few/s{number}/SKILL.md"), &text)?;
        }
        case.write(format!("project/many/s{number}/SKILL.md"), &text)?;
    }
    let (mut few, mut many) = (Duration::MAX, Duration::MAX);
    for _ in 0..TRIES {
        for (folder, least) in [("few", &mut few), ("many", &mut many)] {
            let ran = case.run(&["overlap", folder])?;
            ran.expect(0)?;
            ensure!(
                ran.stdout.contains("with similar descriptions"),
                "no pairs: {}",
                ran.shown()
            );
            *least = ran.computing.min(*least);
        }
        if many <= few.max(NOISE) * MOST {
            return Ok(());
        }
    }
    Err(format!("{few:?} for a quarter of the skills, which take {many:?}").into())
}
