use skills_runtime::__private as generated;

// What the macro writes when it reads three bytes and rustc reads four.
static FILES: [generated::DirEntry<'static>; 1] = [generated::file("a.md", b"four", 3)];

fn main() {
    assert_eq!(FILES.len(), 1);
}
