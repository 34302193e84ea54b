import Glibc

/// The locale that the C library takes characters and their widths from.
enum TerminalLocale {
    /// Takes the environment's locale, or C.UTF-8 if that one is not installed or has no UTF-8: in
    /// the C locale 가 and ▲ have no width, and ncurses would draw them as escapes.
    ///
    /// Nobody is told of it: only widths are taken from there, and they are right then. What is
    /// wrong with the locale is told by `hoga doctor`.
    static func adopt() throws(TerminalError) {
        for name in ["", "C.UTF-8", "en_US.UTF-8"] {
            if unsafe setlocale(LC_CTYPE, name) != nil, isUnicode { return }
        }
        throw .noUnicodeLocale
    }

    /// What the environment's locale calls its characters; nil where no such locale is installed.
    static func codeset() -> String? {
        guard unsafe setlocale(LC_CTYPE, "") != nil else { return nil }
        return present
    }

    private static var isUnicode: Bool { present == "UTF-8" }

    private static var present: String? {
        unsafe nl_langinfo(nl_item(CODESET)).map { unsafe String(cString: $0) }
    }
}
