//! The hosts from which an archive may be fetched.

use crate::install::url::{named, usage};
use skills_store::{Error, ErrorKind};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, ToSocketAddrs as _};

/// The port of https.
const HTTPS: u16 = 443;
/// The address at which a cloud has the credentials of its machines, beside that in the link-local range of IPv4.
const METADATA: Ipv6Addr = Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254);

/// The addresses that a fetch may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Not this machine, and not its link: a lock or a server chose the host.
    Public,
    /// This machine too: the user named it.
    Loopback,
}

impl Reach {
    /// Returns the reach of a URL that the user wrote.
    pub(crate) fn of_user(url: &str) -> Self {
        let is_own = Place::of(url).is_ok_and(|place| {
            place.is_local_name()
                || place.addresses().is_ok_and(|addresses| {
                    !addresses.is_empty() && addresses.iter().all(|address| is_loopback(*address))
                })
        });
        if is_own { Self::Loopback } else { Self::Public }
    }

    /// Rejects an address that the fetch may not reach.
    fn check(self, place: &Place, address: IpAddr) -> Result<(), Error> {
        let refused = is_of_link(address) || is_loopback(address) && self == Self::Public;
        if !refused {
            return Ok(());
        }
        let what = if is_of_link(address) {
            "a link-local address"
        } else {
            "this machine"
        };
        let message = format!("{} is {what}, from which no archive is fetched", place.host);
        Err(Error::new(ErrorKind::Refused, message)
            .help("download the archive yourself, then install from the file"))
    }
}

/// The host and the port of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The host in small letters; an address of IPv6 stands in brackets.
    pub(crate) host: String,
    pub(crate) port: u16,
}

impl Place {
    /// Parses the host of an https URL. Texts that programs read in different ways are refused.
    ///
    /// # Errors
    ///
    /// The messages repeat no user, no password, and nothing after the host.
    pub(crate) fn of(url: &str) -> Result<Self, Error> {
        let bad = |what: &str| {
            let help = "write it as in `https://example.org/skills.zip`";
            usage(format!("the URL of the archive {what}"), help)
        };
        let rest = url
            .strip_prefix("https://")
            .ok_or_else(|| bad("does not begin with https://"))?;
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"\"\\<>^`{|}".contains(&byte);
        if !url.bytes().all(is_plain) {
            return Err(bad("holds a character that must be written with `%`"));
        }
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let authority = rest.get(..end).unwrap_or_default();
        if authority.contains('@') {
            return Err(bad("holds a user or a password"));
        }
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => {
                let number = port
                    .parse()
                    .ok()
                    .filter(|_| port.bytes().all(|b| b.is_ascii_digit()));
                (host, number.ok_or_else(|| bad("has an invalid port"))?)
            }
            _ => (authority, HTTPS),
        };
        let host = host.to_ascii_lowercase();
        if !is_host(&host) {
            return Err(bad(&format!("has no valid host: '{}'", named(&host))));
        }
        Ok(Self { host, port })
    }

    /// Returns the address that the host is, if it is not a name.
    fn literal(&self) -> Option<IpAddr> {
        let bare = self
            .host
            .strip_prefix('[')
            .and_then(|host| host.strip_suffix(']'));
        bare.unwrap_or(&self.host).parse().ok()
    }

    /// Returns whether the host is a name of this machine by RFC 6761, whatever a lookup says.
    fn is_local_name(&self) -> bool {
        let name = self.host.strip_suffix('.').unwrap_or(&self.host);
        name == "localhost" || name.ends_with(".localhost")
    }

    /// Returns whether the host is a name, which is looked up.
    pub(crate) fn is_name(&self) -> bool {
        self.literal().is_none()
    }

    /// Returns the addresses of the host.
    fn addresses(&self) -> io::Result<Vec<IpAddr>> {
        if let Some(address) = self.literal() {
            return Ok(vec![address]);
        }
        let found = (self.host.as_str(), self.port).to_socket_addrs()?;
        Ok(found.map(|address| address.ip()).collect())
    }

    /// Returns the addresses to connect to, after a check of each. Empty for an address, and for a name that only a proxy
    /// can look up.
    pub(crate) fn checked(&self, reach: Reach) -> Result<Vec<IpAddr>, Error> {
        self.checked_with(reach, &Self::addresses)
    }

    fn checked_with(
        &self,
        reach: Reach,
        addresses: &dyn Fn(&Self) -> io::Result<Vec<IpAddr>>,
    ) -> Result<Vec<IpAddr>, Error> {
        if self.is_local_name() {
            reach.check(self, Ipv4Addr::LOCALHOST.into())?;
        }
        // A proxy may know a name that this machine does not.
        let Ok(found) = addresses(self) else {
            return Ok(Vec::new());
        };
        for address in &found {
            reach.check(self, *address)?;
        }
        Ok(if self.literal().is_some() {
            Vec::new()
        } else {
            found
        })
    }
}

/// Returns whether a text is a name of letters, digits, `-` and `.`, an address of IPv4 with four numbers, or an address of
/// IPv6 in brackets. Of the other forms of IPv4, such as `127.1` and `0x7f000001`, none is.
fn is_host(host: &str) -> bool {
    if let Some(bare) = host.strip_prefix('[') {
        return bare
            .strip_suffix(']')
            .is_some_and(|bare| bare.parse::<Ipv6Addr>().is_ok());
    }
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    let last = host
        .strip_suffix('.')
        .unwrap_or(host)
        .rsplit('.')
        .next()
        .unwrap_or_default();
    let is_number = last.bytes().all(|byte| byte.is_ascii_digit()) || last.starts_with("0x");
    !last.is_empty()
        && !host.starts_with(['-', '.'])
        && host.bytes().all(is_plain)
        && (!is_number || host.parse::<Ipv4Addr>().is_ok())
}

/// Returns the address of IPv4 that an address of IPv6 stands for.
fn inner(address: IpAddr) -> IpAddr {
    let IpAddr::V6(six) = address else {
        return address;
    };
    let octets = six.octets();
    let of_end = match six.segments() {
        // Mapped, compatible, translated (NAT64).
        [0, 0, 0, 0, 0, 0xffff | 0, ..]
            if six != Ipv6Addr::LOCALHOST && six != Ipv6Addr::UNSPECIFIED =>
        {
            octets.get(12..)
        }
        [0x64, 0xff9b, 0, 0, 0, 0, ..] => octets.get(12..),
        // 6to4.
        [0x2002, ..] => octets.get(2..6),
        _ => None,
    };
    let four = of_end.and_then(|bytes| <[u8; 4]>::try_from(bytes).ok());
    four.map_or(address, |four| Ipv4Addr::from(four).into())
}

/// Returns whether an address is this machine. The unspecified address reaches this machine too.
fn is_loopback(address: IpAddr) -> bool {
    match inner(address) {
        IpAddr::V4(address) => address.is_loopback() || address.octets().first() == Some(&0),
        IpAddr::V6(address) => address.is_loopback() || address.is_unspecified(),
    }
}

/// Returns whether an address is only valid on the link of this machine, where clouds keep credentials.
fn is_of_link(address: IpAddr) -> bool {
    match inner(address) {
        IpAddr::V4(address) => {
            address.is_link_local() || address.is_broadcast() || address.is_multicast()
        }
        IpAddr::V6(address) => {
            address.is_unicast_link_local() || address.is_multicast() || address == METADATA
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        for (url, host, port) in [
            ("https://A.example/b.zip", "a.example", 443),
            ("https://a.example:8443/b.zip", "a.example", 8443),
            ("https://127.0.0.1/b.zip", "127.0.0.1", 443),
            ("https://[::1]:1/b.zip", "[::1]", 1),
            ("https://a.example?x", "a.example", 443),
            ("https://x7.example./b.zip", "x7.example.", 443),
        ] {
            let host = host.to_owned();
            assert_eq!(Place::of(url).unwrap(), Place { host, port }, "{url}");
        }
        for url in [
            "https:///b.zip",
            "https://:1/b.zip",
            "https://-a/b.zip",
            "https://a:b/c",
            "https://a:/c",
            "https://a:65536/c",
            "https://a:+1/c",
            "https://2130706433/x",
            "https://127.1/x",
            "https://0x7f.0.0.1/x",
            "https://0x7f000001/x",
            "https://0177.0.0.1/x",
            "https://127.0.0.1./x",
            "https://[fe80::1%25eth0]/x",
            "https://[::1/x",
            "https://a_b.1/x",
            "https://a\\@127.0.0.1/x",
            "https://a b/x",
            "https://ä.example/x",
            "https://a/\"x",
            "https://./x",
            "http://a/x",
        ] {
            assert!(Place::of(url).is_err(), "{url}");
        }
        let error = Place::of("https://me:secret@a.example/x?token=secret").unwrap_err();
        assert!(!error.report().to_string().contains("secret"));
    }

    fn is_refused(url: &str, reach: Reach) -> bool {
        let none = |place: &Place| {
            place
                .literal()
                .map(|it| vec![it])
                .ok_or_else(|| io::ErrorKind::NotFound.into())
        };
        Place::of(url)
            .and_then(|place| place.checked_with(reach, &none))
            .is_err()
    }

    #[test]
    fn addresses() {
        for host in [
            "127.0.0.1",
            "127.9.9.9",
            "0.0.0.0",
            "0.1.2.3",
            "[::1]",
            "[::]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[::127.0.0.1]",
            "[64:ff9b::7f00:1]",
            "[2002:7f00:1::]",
        ] {
            let url = format!("https://{host}/x.zip");
            assert!(is_refused(&url, Reach::Public), "{host}");
            assert!(!is_refused(&url, Reach::Loopback), "{host}");
            assert_eq!(Reach::of_user(&url), Reach::Loopback, "{host}");
        }
        for host in [
            "169.254.169.254",
            "[fe80::1]",
            "[::ffff:169.254.169.254]",
            "[64:ff9b::a9fe:a9fe]",
            "[fd00:ec2::254]",
            "255.255.255.255",
            "224.0.0.1",
            "[ff02::1]",
        ] {
            let url = format!("https://{host}/x.zip");
            assert!(is_refused(&url, Reach::Public), "{host}");
            assert!(is_refused(&url, Reach::Loopback), "{host}");
        }
        for host in ["192.0.2.1", "10.0.0.1", "[2001:db8::1]"] {
            let url = format!("https://{host}/x.zip");
            assert!(!is_refused(&url, Reach::Public), "{host}");
            assert_eq!(Reach::of_user(&url), Reach::Public, "{host}");
        }
    }

    #[test]
    fn names_of_this_machine() {
        for (host, is_own) in [
            ("localhost", true),
            ("LocalHost.", true),
            ("a.localhost", true),
            ("notlocalhost", false),
            ("localhost.example", false),
        ] {
            let url = format!("https://{host}/x.zip");
            assert_eq!(is_refused(&url, Reach::Public), is_own, "{host}");
            assert!(!is_refused(&url, Reach::Loopback), "{host}");
        }
    }

    #[test]
    fn every_address_of_a_name_counts() {
        let place = Place::of("https://a.example/x.zip").unwrap();
        let two = |text: &str| [Ipv4Addr::new(192, 0, 2, 1).into(), text.parse().unwrap()].to_vec();
        for (second, is_fine) in [
            ("192.0.2.2", true),
            ("127.0.0.1", false),
            ("169.254.1.1", false),
            ("::1", false),
        ] {
            let found = place.checked_with(Reach::Public, &|_| Ok(two(second)));
            assert_eq!(found.ok(), is_fine.then(|| two(second)), "{second}");
        }
    }
}
