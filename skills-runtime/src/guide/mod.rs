//! Two chapters of the guide: skills [in a program](program), and [arguments with types](arguments).
//!
//! The whole guide is the folder `docs/guide` of the repository.

// A package holds its own files only, so the chapters are copies. `tests/structure/guide.rs` compares them, and
// `UPDATE_DOCS=1` writes them. Their programs are run where the skills that they name are: in `bundled-skills`.

pub mod arguments {
    #![doc = include_str!("arguments.md")]
}

pub mod program {
    #![doc = include_str!("program.md")]
}
