use skills_runtime::include_skills;

include_skills! { pub mod skill in "ui/yaml-syntax", denny = ["link-broken"] }
include_skills! { mod misspelt in "ui/yaml-syntax", allow = ["link-borken"] }
include_skills! { mod without "ui/yaml-syntax" }
include_skills! { mod unquoted in skills }
include_skills! { mod clients in "ui/yaml-syntax", clients = ["codex"] }
include_skills! { pub forgotten in "ui/yaml-syntax" }
include_skills! { alone in "ui/yaml-syntax" }
include_skills! { mod script in OUT_DIR, "ui/yaml-syntax" }

// The modules exist: their uses are no errors of their own.
fn main() {
    println!("{} {}", skill::CODE_REVIEW.body(), skill::bundle().len());
    println!("{}", forgotten::CODE_REVIEW.body().len() + alone::bundle().len());
    println!("{}", misspelt::bundle().len() + without::bundle().len());
    println!("{}", unquoted::bundle().len() + clients::bundle().len() + script::bundle().len());
}
