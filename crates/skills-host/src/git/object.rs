//! Parses what git prints about objects.

/// A file of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TreeItem {
    pub(crate) mode: String,
    pub(crate) id: String,
    /// The size in bytes, if the list has sizes (`-l`).
    pub(crate) size: u64,
    pub(crate) path: Vec<u8>,
}

/// Returns whether a text is the complete id of an object.
pub(crate) fn is_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Parses the output of `ls-tree -r -t -z`, without the folders.
pub(crate) fn tree_items(output: &[u8]) -> Vec<TreeItem> {
    let lines = output.split(|byte| *byte == 0);
    let items = lines.filter_map(tree_item);
    items.filter(|item| item.mode != "040000").collect()
}

fn tree_item(line: &[u8]) -> Option<TreeItem> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let (head, path) = line.split_at_checked(tab)?;
    let head = std::str::from_utf8(head).ok()?;
    let mut words = head.split(' ');
    let (mode, _, id) = (words.next()?, words.next()?, words.next()?);
    let size = words.next_back().and_then(|size| size.parse().ok());
    Some(TreeItem {
        mode: mode.to_owned(),
        id: id.to_owned(),
        size: size.unwrap_or_default(),
        path: path.get(1..)?.to_vec(),
    })
}

/// Parses the output of `cat-file --batch`: for each object a line with the size, the bytes, and a line feed.
pub(crate) fn contents(mut output: &[u8], count: usize) -> Option<Vec<Vec<u8>>> {
    let mut all = Vec::with_capacity(count);
    for _ in 0..count {
        let end = output.iter().position(|byte| *byte == b'\n')?;
        let (head, rest) = output.split_at_checked(end)?;
        let size: usize = std::str::from_utf8(head)
            .ok()?
            .rsplit(' ')
            .next()?
            .parse()
            .ok()?;
        let rest = rest.get(1..)?;
        all.push(rest.get(..size)?.to_vec());
        output = rest.get(size + 1..)?;
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_prints_is_read() {
        assert_eq!(
            contents(b"a blob 2\nx\n\nb blob 0\n\n", 2),
            Some(vec![b"x\n".to_vec(), Vec::new()])
        );
        assert_eq!(contents(b"a missing\n", 1), None);
        let sized = tree_items(b"100644 blob 12ab      17\ta\0");
        assert_eq!(sized[0].size, 17);
        let items = tree_items(b"040000 tree 12ab\ta b\x00100644 blob 12ab\ta b/\xff\0");
        let [item] = items.as_slice() else {
            panic!("{items:?}");
        };
        assert_eq!(
            (item.mode.as_str(), item.path.as_slice()),
            ("100644", &b"a b/\xff"[..])
        );
    }
}
