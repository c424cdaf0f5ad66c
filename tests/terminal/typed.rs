//! Tests the list below the prompt for a skill with typed arguments.

use crate::Test;
use crate::tmux::{Start, Terminal};

pub(crate) const TESTS: &[Test] = &[("the values of a typed argument complete", values)];

const SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "environment": {"enum": ["staging", "production"], "description": "Where the build goes."},
    "dry-run": {"type": "boolean", "default": false, "description": "Print what would be done."}
  },
  "required": ["environment"]
}"#;

fn values() {
    let terminal = Terminal::new();
    let skill = "home/.agents/skills/deploy";
    terminal.write(
        &format!("{skill}/SKILL.md"),
        "---\nname: deploy\ndescription: Deploys. Use when asked to deploy.\narguments: [environment, dry-run]\n---\n\
         Deploy to $environment. Dry run: $dry-run.\n",
    );
    terminal.write(&format!("{skill}/arguments.schema.json"), SCHEMA);
    terminal.start(&Start {
        size: (80, 24),
        arguments: "chat --no-bundled",
        variables: "",
    });
    terminal.ends("\n>");
    // The values that the schema lists, then the names.
    terminal.text("/deploy ");
    terminal.ends(
        "\
> /deploy
  staging         Where the build goes.
  production      Where the build goes.
  --environment=  Where the build goes.
  --dry-run       Print what would be done.",
    );
    terminal.text("pro");
    terminal.ends("> /deploy pro\n  production  Where the build goes.");
    terminal.keys(&["Tab"]);
    terminal.ends("\n> /deploy production");
    terminal.text("--d");
    terminal.ends("\n  --dry-run  Print what would be done.");
    terminal.keys(&["Tab", "Enter"]);
    terminal.shows("Deploy to production. Dry run: true.");
    // By name, and in a mention.
    terminal.text("$deploy --environment=s");
    terminal.ends("\n  --environment=staging  Where the build goes.");
    terminal.keys(&["Tab", "Enter"]);
    terminal.shows("Deploy to staging. Dry run: false.");
    // A value that nobody lists starts nothing.
    terminal.text("/deploy stagng");
    terminal.hides("  staging  Where");
    terminal.keys(&["Enter"]);
    terminal.shows("you mean 'staging'?); it takes staging or production.");
}
