//! The reasons for which several programs drop a skill.

use skills_lint::DropReason;

pub(super) const NO_FRONT_MATTER: DropReason = DropReason {
    what: "the two lines `---` are not found",
    key: "",
    works: "write `---` and nothing else as the first line, and on the line after the fields",
};
pub(super) const NOT_YAML: DropReason = DropReason {
    what: "the front matter is not read",
    key: "",
    works: "put values with colons, quotes or brackets into quotes, and write each key once",
};
pub(super) const NO_NAME: DropReason = DropReason {
    what: "the name is not read",
    key: "name",
    works: "write the name as a text",
};
pub(super) const NO_DESCRIPTION: DropReason = DropReason {
    what: "the description is not read",
    key: "description",
    works: "write the description as a text",
};
