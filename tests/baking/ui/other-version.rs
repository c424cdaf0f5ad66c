// What a macro of another version would write.
const _: () = skills_runtime::__private::schema(0);

fn main() {}
