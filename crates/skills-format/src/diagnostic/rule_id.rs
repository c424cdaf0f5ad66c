//! The ids of findings.

use std::fmt;

/// Defines the enum, its texts and its lists from one list of ids.
macro_rules! rule_ids {
    (
        rules { $($rule:ident = $rule_text:literal,)* }
        others { $($other:ident = $other_text:literal,)* }
    ) => {
        /// The id of a finding: the id of a lint rule, or of a fault that only loading and baking report.
        ///
        /// Code that acts on a kind of finding names a variant, so that a misspelt id does not
        /// compile. See [`Diagnostic::is`](crate::Diagnostic::is).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum RuleId {
            $(#[doc = concat!("`", $rule_text, "`")] $rule,)*
            $(#[doc = concat!("`", $other_text, "`; not a rule of a check")] $other,)*
        }

        impl RuleId {
            /// The ids of the lint rules, in the order of the rules page.
            pub const RULES: &[Self] = &[$(Self::$rule,)*];

            /// The ids that only loading and baking report, in alphabetical order.
            pub const OTHERS: &[Self] = &[$(Self::$other,)*];

            /// Returns the id as text: `name-form`.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$rule => $rule_text,)*
                    $(Self::$other => $other_text,)*
                }
            }
        }
    };
}

rule_ids! {
    rules {
        FrontmatterMissing = "frontmatter-missing",
        FrontmatterUnterminated = "frontmatter-unterminated",
        YamlSyntax = "yaml-syntax",
        DuplicateKey = "duplicate-key",
        NotUtf8 = "not-utf8",
        TooLarge = "too-large",
        TextForm = "text-form",
        HiddenText = "hidden-text",
        FenceUnclosed = "fence-unclosed",
        SkillFileName = "skill-file-name",
        Unreadable = "unreadable",
        NameMissing = "name-missing",
        NameForm = "name-form",
        NameMismatch = "name-mismatch",
        DescriptionMissing = "description-missing",
        DescriptionLength = "description-length",
        DescriptionCut = "description-cut",
        FieldType = "field-type",
        CompatibilityLength = "compatibility-length",
        MetadataValue = "metadata-value",
        FieldTypo = "field-typo",
        UnknownField = "unknown-field",
        AllowedToolsForm = "allowed-tools-form",
        DispatchForm = "dispatch-form",
        UnknownTool = "unknown-tool",
        DescriptionMarkup = "description-markup",
        RestraintLost = "restraint-lost",
        NeededSkill = "needed-skill",
        OpenaiYaml = "openai-yaml",
        SchemaForm = "schema-form",
        ReservedName = "reserved-name",
        ConfusableName = "confusable-name",
        BodyEmpty = "body-empty",
        BodyLength = "body-length",
        PositionalPlaceholder = "positional-placeholder",
        Unfinished = "unfinished",
        HomePath = "home-path",
        UnpinnedCommand = "unpinned-command",
        RemoteExec = "remote-exec",
        AuthorizedKey = "authorized-key",
        Secret = "secret",
        SchemaPlaceholder = "schema-placeholder",
        LinkBroken = "link-broken",
        LinkEscape = "link-escape",
        LinkSibling = "link-sibling",
        LinkDepth = "link-depth",
        LinkCase = "link-case",
        LinkForm = "link-form",
        LinkPlugin = "link-plugin",
        AnchorBroken = "anchor-broken",
        ScriptMissing = "script-missing",
        ScriptMode = "script-mode",
        SkillFileMissing = "skill-file-missing",
        FileUnused = "file-unused",
        FileTooLarge = "file-too-large",
        SkillTooLarge = "skill-too-large",
        PathCaseCollision = "path-case-collision",
        PathForm = "path-form",
        Symlink = "symlink",
        ClientDrops = "client-drops",
        ClientName = "client-name",
        ClientField = "client-field",
        ClientPlaceholder = "client-placeholder",
        RestraintPartial = "restraint-partial",
        RestraintUnsupported = "restraint-unsupported",
        ShellInjection = "shell-injection",
        BundleEmpty = "bundle-empty",
        BundleTooLarge = "bundle-too-large",
        DuplicateName = "duplicate-name",
        AliasCollision = "alias-collision",
        CommandCollision = "command-collision",
        CatalogBudget = "catalog-budget",
        LockStale = "lock-stale",
        PowersWidened = "powers-widened",
        StaleBundle = "stale-bundle",
        ConfigForm = "config-form",
        ManifestForm = "manifest-form",
        ManifestPath = "manifest-path",
        ManifestName = "manifest-name",
        DescriptionTrigger = "description-trigger",
        AmbiguousScalar = "ambiguous-scalar",
        NestedSkill = "nested-skill",
        UnusedSuppression = "unused-suppression",
    }
    others {
        AmbiguousName = "ambiguous-name",
        ConstantName = "constant-name",
        FileName = "file-name",
        IgnoreForm = "ignore-form",
        LimitReached = "limit-reached",
        LinkRepeated = "link-repeated",
        McpLimits = "mcp-limits",
        NotAFile = "not-a-file",
        SameName = "same-name",
        Sealed = "sealed",
        Shadowed = "shadowed",
        SourceName = "source-name",
        StateDamaged = "state-damaged",
        StateNewer = "state-newer",
        TriggerForm = "trigger-form",
        TriggerMiss = "trigger-miss",
        TrustChanged = "trust-changed",
        Untrusted = "untrusted",
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for RuleId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
