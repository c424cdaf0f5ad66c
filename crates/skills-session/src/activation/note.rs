//! Writes the notes that stand before an activation and name the reason of the run.

/// Writes the note before a scheduled skill that a person runs by hand. Without the note, a model can
/// read the skill as a request to create a schedule. The bytes of the activation stay the same.
pub fn note_of_run_by_hand(name: &str) -> String {
    format!(
        "This is the existing scheduled skill {name}, run by hand now. It is not a request to create a \
         schedule. Carry out the instructions below and give the result. Do not activate \
         create-schedule, do not run a creation script, and do not add a schedule."
    )
}
