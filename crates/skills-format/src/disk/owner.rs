//! Decides whether only this user can change what stands at a path.
//!
//! On Unix, the owner and the permission bits decide, and on Linux an access control list. Root counts as this
//! user, since root can change everything. The access control lists of macOS are not read. On Windows, whose
//! lists of permissions std does not read, nothing here is known to be private: see [`in_profile`].

#![expect(clippy::disallowed_methods, reason = "asks who may change a path")]

use std::fmt;
use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

/// The reason why other users may be able to change the item at a path.
#[derive(Debug)]
#[non_exhaustive]
pub enum Exposed {
    /// The path is a link.
    Link,
    /// The owner is another user.
    Foreign,
    /// The group has write permission, and other users are or can become members.
    Group,
    /// Every user has write permission, or a user that an access control list names.
    Others,
    /// The system's error.
    Io(io::Error),
}

impl fmt::Display for Exposed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Link => f.write_str("is a link"),
            Self::Foreign => f.write_str("belongs to another user"),
            Self::Group => f.write_str("can be written by its group"),
            Self::Others => f.write_str("can be written by other users"),
            Self::Io(error) => write!(f, "cannot be looked at: {error}"),
        }
    }
}

impl From<io::Error> for Exposed {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Checks who may change paths, for this user. The lists of users and groups are read once.
#[derive(Debug, Default)]
pub struct Guard {
    #[cfg(unix)]
    groups: std::cell::OnceCell<unix::Groups>,
}

impl Guard {
    /// Checks that a file or folder belongs to this user, and that no other user can write it. A link is not
    /// followed: its own owner counts. Returns the metadata of the item itself.
    ///
    /// # Errors
    ///
    /// The reason why another user may be able to change it.
    pub fn private(&self, path: &Path) -> Result<Metadata, Exposed> {
        let metadata = fs::symlink_metadata(path)?;
        #[cfg(unix)]
        {
            unix::check_owner(&metadata, &[unix::user()])?;
            // The permission bits of a link mean nothing.
            if !metadata.is_symlink() {
                self.check_writers(path, &metadata)?;
            }
        }
        Ok(metadata)
    }

    /// Checks that no other user can replace an item of this folder: the folder belongs to this user or to root, is
    /// not a link, and no other user can write it. In a folder with the sticky bit, such as `/tmp`, other users can
    /// write, but replace only their own items.
    ///
    /// # Errors
    ///
    /// The reason why another user may be able to replace an item.
    pub fn holds(&self, path: &Path) -> Result<(), Exposed> {
        let metadata = fs::symlink_metadata(path)?;
        if metadata.is_symlink() {
            return Err(Exposed::Link);
        }
        #[cfg(unix)]
        {
            unix::check_owner(&metadata, &[unix::user(), 0])?;
            if !unix::is_sticky(&metadata) {
                self.check_writers(path, &metadata)?;
            }
        }
        Ok(())
    }
}

#[cfg(unix)]
mod unix {
    use super::{Exposed, Guard};
    use std::fs::{self, Metadata};
    use std::os::unix::fs::MetadataExt as _;
    use std::path::Path;

    const STICKY: u32 = 0o1000;
    const GROUP: u32 = 0o020;
    const OTHERS: u32 = 0o002;

    pub(super) fn user() -> u32 {
        rustix::process::geteuid().as_raw()
    }

    pub(super) fn is_sticky(metadata: &Metadata) -> bool {
        metadata.mode() & STICKY != 0
    }

    pub(super) fn check_owner(metadata: &Metadata, owners: &[u32]) -> Result<(), Exposed> {
        if owners.contains(&metadata.uid()) {
            Ok(())
        } else {
            Err(Exposed::Foreign)
        }
    }

    impl Guard {
        pub(super) fn check_writers(
            &self,
            path: &Path,
            metadata: &Metadata,
        ) -> Result<(), Exposed> {
            let mode = metadata.mode();
            if mode & OTHERS != 0 {
                return Err(Exposed::Others);
            }
            if mode & GROUP == 0 {
                return Ok(());
            }
            // With a list, the bits of the group are the list's mask: any user can stand in it.
            if has_list(path) {
                return Err(Exposed::Others);
            }
            let groups = self.groups.get_or_init(Groups::read);
            if groups.is_of_one(metadata.gid(), user()) {
                Ok(())
            } else {
                Err(Exposed::Group)
            }
        }
    }

    /// The texts of `/etc/group` and `/etc/passwd`.
    #[derive(Debug)]
    pub(super) struct Groups {
        pub(super) groups: String,
        pub(super) users: String,
    }

    impl Groups {
        /// Reads the files. If one cannot be read, no group is known to be private.
        fn read() -> Self {
            let text = |path| fs::read_to_string(path).ok();
            let both = text("/etc/group").zip(text("/etc/passwd"));
            let (groups, users) = both.unwrap_or((String::new(), String::new()));
            Self { groups, users }
        }

        /// Returns whether a group is the private group of a user. Where the umask is 002, as on Ubuntu and Fedora,
        /// the files of a user can be written by a group of which only this user is a member. A group that is not
        /// listed, as those of a directory service, can have any member.
        pub(super) fn is_of_one(&self, group: u32, user: u32) -> bool {
            let users: Vec<_> = self.users.lines().filter_map(User::of).collect();
            let named = |name: &str| users.iter().any(|it| it.name == name && it.id == user);
            let lists = self.groups.lines().filter_map(|line| {
                let mut fields = line.split(':');
                let id: u32 = fields.nth(2)?.parse().ok()?;
                (id == group).then(|| fields.next().unwrap_or_default())
            });
            let lists: Vec<&str> = lists.collect();
            let mut members = lists.iter().flat_map(|list| list.split(','));
            let mut primary = users.iter().filter(|it| it.group == group);
            !lists.is_empty()
                && members.all(|member| member.is_empty() || named(member))
                && primary.all(|it| it.id == user)
        }
    }

    struct User<'t> {
        name: &'t str,
        id: u32,
        group: u32,
    }

    impl<'t> User<'t> {
        fn of(line: &'t str) -> Option<Self> {
            let mut fields = line.split(':');
            Some(Self {
                name: fields.next()?,
                id: fields.nth(1)?.parse().ok()?,
                group: fields.next()?.parse().ok()?,
            })
        }
    }

    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn has_list(path: &Path) -> bool {
        use rustix::io::Errno;
        let list = rustix::fs::lgetxattr(path, "system.posix_acl_access", &mut [0_u8; 0]);
        !matches!(list, Err(Errno::NODATA | Errno::NOTSUP))
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn has_list(_: &Path) -> bool {
        false
    }
}

/// Returns whether a folder is below the folder of the user's profile, which Windows keeps from other users unless
/// a person shares a part of it. Links of both paths are resolved. Elsewhere on a disk every user may write.
pub fn in_profile(folder: &Path, profile: Option<&Path>) -> bool {
    let resolved = |path: &Path| fs::canonicalize(path).ok();
    match (resolved(folder), profile.and_then(resolved)) {
        (Some(folder), Some(profile)) => folder != profile && folder.starts_with(profile),
        _ => false,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    fn mode(path: &Path, mode: u32) -> io::Result<()> {
        fs::set_permissions(path, fs::Permissions::from_mode(mode))
    }

    #[test]
    fn what_others_can_write_is_not_private() -> io::Result<()> {
        let dir = tempfile::tempdir()?;
        let file = dir.path().join("file");
        fs::write(&file, "")?;
        mode(&file, 0o644)?;
        assert!(
            Guard::default().private(&file).is_ok() && Guard::default().holds(dir.path()).is_ok()
        );
        mode(&file, 0o646)?;
        assert!(matches!(
            Guard::default().private(&file),
            Err(Exposed::Others)
        ));
        mode(dir.path(), 0o757)?;
        assert!(matches!(
            Guard::default().private(dir.path()),
            Err(Exposed::Others)
        ));
        assert!(matches!(
            Guard::default().holds(dir.path()),
            Err(Exposed::Others)
        ));
        mode(dir.path(), 0o1777)?;
        assert!(
            Guard::default().holds(dir.path()).is_ok(),
            "the sticky bit protects items"
        );
        assert!(
            Guard::default().private(dir.path()).is_err(),
            "others can add items"
        );
        let link = dir.path().join("link");
        symlink(&file, &link)?;
        assert!(matches!(Guard::default().holds(&link), Err(Exposed::Link)));
        assert!(matches!(
            Guard::default().private(&dir.path().join("x")),
            Err(Exposed::Io(_))
        ));
        Ok(())
    }

    #[test]
    fn what_belongs_to_another_user_is_not_private() -> io::Result<()> {
        // As root the file is given away, otherwise `/` is another user's.
        let dir = tempfile::tempdir()?;
        let file = dir.path().join("file");
        fs::write(&file, "")?;
        let path = match std::os::unix::fs::lchown(&file, Some(12_345), None) {
            Ok(()) => &*file,
            Err(_) => Path::new("/"),
        };
        assert!(matches!(
            Guard::default().private(path),
            Err(Exposed::Foreign)
        ));
        assert!(
            Guard::default().holds(Path::new("/")).is_ok(),
            "root counts as this user"
        );
        Ok(())
    }

    #[test]
    fn a_group_of_one_user_is_this_user() {
        let users = "root:x:0:0::/:\nsam:x:1000:1000::/home/sam:\nada:x:1001:1001::/:\n";
        let of_one = |groups: &str, users: &str| {
            let (groups, users) = (groups.to_owned(), users.to_owned());
            unix::Groups { groups, users }.is_of_one(1000, 1000)
        };
        assert!(of_one("sam:x:1000:\nada:x:1001:\n", users));
        assert!(of_one("sam:x:1000:sam\n", users));
        assert!(!of_one("sam:x:1000:sam,ada\n", users), "a second member");
        assert!(!of_one("sam:x:1000:ghost\n", users), "an unknown member");
        assert!(!of_one("ada:x:1001:\n", users), "an unknown group");
        assert!(!of_one("sam:x:1000:\nother:x:1000:ada\n", users));
        let shared = format!("{users}eve:x:1002:1000::/:\n");
        assert!(
            !of_one("sam:x:1000:\n", &shared),
            "the first group of another user"
        );
    }

    #[test]
    fn a_profile_holds_what_is_below_it() -> io::Result<()> {
        let dir = tempfile::tempdir()?;
        let inside = dir.path().join("a");
        fs::create_dir(&inside)?;
        assert!(in_profile(&inside, Some(dir.path())));
        assert!(!in_profile(dir.path(), Some(&inside)));
        assert!(!in_profile(dir.path(), Some(dir.path())));
        assert!(!in_profile(&inside, None));
        symlink("/", dir.path().join("link"))?;
        assert!(!in_profile(&dir.path().join("link"), Some(dir.path())));
        Ok(())
    }
}
