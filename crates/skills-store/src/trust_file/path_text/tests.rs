use super::*;
use proptest::prelude::*;

proptest! {
    #[test]
    fn nothing_is_lost(bytes in prop::collection::vec(any::<u8>(), 0..40), text in "[a\\\\x0-9é]{0,12}") {
        for bytes in [bytes, text.into_bytes()] {
            let path = PathBuf::from(OsString::from_vec(bytes));
            prop_assert_eq!(read(&written(&path)), Some(path));
        }
    }

    #[test]
    fn no_text_breaks_it(text in "[a\\\\x0-9é]{0,12}") {
        let _ = read(&text);
    }
}
