//! The skills that the program ships have no findings of `skills check`.

skills_repository::test!("skills");
