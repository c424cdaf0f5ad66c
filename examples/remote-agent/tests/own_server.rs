//! The example against the server of this project, over HTTP.

use bundled_skills::SKILLS;
use example_remote_agent::Remote;
use skills_runtime::Catalog;
use skills_server::SkillsServer;
use skills_server::http::HttpOptions;
use std::ffi::OsString;
use tempfile::TempDir;
use tokio::net::TcpListener;

#[tokio::test]
async fn a_skill_starts_when_a_person_approved_it() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
    let server = SkillsServer::new("other", "1.0.0", catalog);
    tokio::spawn(async move { server.serve_http(listener, &HttpOptions::default()).await });
    let target = [OsString::from(format!("http://{address}/mcp"))];
    let home = TempDir::new().expect("a folder");
    let kept = home.path().join("approvals.json");

    let mut remote = Remote::connect("acme", &target, &kept)
        .await
        .expect("connected");
    assert_eq!((remote.skills().len(), remote.declined().len()), (13, 0));
    assert!(remote.skills().iter().all(|(_, is_approved)| !is_approved));
    let refused = remote
        .start("code-review", "")
        .await
        .expect_err("not approved");
    assert!(refused.to_string().contains("is not trusted"), "{refused}");
    remote.approve("code-review").expect("kept");
    let text = remote
        .start("code-review", "the parser")
        .await
        .expect("started");
    assert!(
        text.contains("mcp:acme") && text.contains("the parser"),
        "{text}"
    );
    assert!(remote.start("none", "").await.is_err() && remote.approve("none").is_err());
    remote.end().await.expect("ended");

    // The approval is kept, of this skill alone, and of this label alone.
    let remote = Remote::connect("acme", &target, &kept)
        .await
        .expect("connected");
    let approved: Vec<String> = remote
        .skills()
        .iter()
        .filter(|(_, is_approved)| *is_approved)
        .map(|(skill, _)| skill.name.clone())
        .collect();
    assert_eq!(approved, ["code-review"]);
    let other = Remote::connect("other", &target, &kept)
        .await
        .expect("connected");
    assert!(other.skills().iter().all(|(_, is_approved)| !is_approved));
    assert!(other.start("code-review", "").await.is_err());
}
