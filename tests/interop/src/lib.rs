//! Tests only: the project's output, parsed with the types of other crates.
