//! Pages of a list, and their cursors.

// A cursor belongs to one state of the catalog. After a change the cursor is an error, never a page of another list.

use crate::listing::invalid;
use rmcp::ErrorData;
use rmcp::model::PaginatedRequestParams;

/// Maximum number of items on a page.
pub(crate) const PAGE: usize = 100;
/// Bytes after which a page ends: the item that reaches them is its last.
const PAGE_BYTES: usize = 512 * 1024;
const NOT_OF_THIS_LIST: &str = "the cursor is not one of this list; list again without a cursor";

/// Creates the requested page, and the cursor of the next one. `of` returns the item at an index with its size in bytes, or `None` if the index has no
/// item. A cursor belongs to one revision of the list: after a change it is an error.
pub(crate) fn page<T>(
    request: Option<&PaginatedRequestParams>,
    revision: u64,
    length: usize,
    mut of: impl FnMut(usize) -> Option<(T, usize)>,
) -> Result<(Vec<T>, Option<String>), ErrorData> {
    let cursor = request.and_then(|request| request.cursor.as_deref());
    let start = cursor.map_or(Ok(0), |cursor| start(cursor, revision, length))?;
    let (mut items, mut bytes) = (Vec::new(), 0);
    for index in start..length {
        if items.len() >= PAGE || bytes >= PAGE_BYTES {
            return Ok((items, Some(format!("{revision}.{index}"))));
        }
        if let Some((item, size)) = of(index) {
            items.push(item);
            bytes += size;
        }
    }
    Ok((items, None))
}

/// Rejects a cursor for a list that has only one page.
pub(crate) fn only_page(request: Option<&PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor.as_ref()) {
        None => Ok(()),
        Some(_) => Err(invalid(NOT_OF_THIS_LIST)),
    }
}

fn start(cursor: &str, revision: u64, length: usize) -> Result<usize, ErrorData> {
    let parsed = cursor
        .split_once('.')
        .and_then(|(of, start)| Some((of.parse::<u64>().ok()?, start.parse::<usize>().ok()?)))
        // The exact form only: `01.5` parses too, and was never given out.
        .filter(|(of, start)| format!("{of}.{start}") == cursor);
    match parsed {
        Some((of, start)) if of == revision && start <= length => Ok(start),
        Some((of, _)) if of != revision => Err(invalid(
            "the skills have changed since the cursor was given; list again without a cursor",
        )),
        _ => Err(invalid(NOT_OF_THIS_LIST)),
    }
}
