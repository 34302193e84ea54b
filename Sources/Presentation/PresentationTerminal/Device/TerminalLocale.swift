import Glibc

/// The C library's character locale, which decides character widths.
enum TerminalLocale {
    /// Selects the environment's locale, else C.UTF-8: in the C locale 가 and ▲ have no width, and
    /// ncurses draws escapes for them.
    ///
    /// The fallback is silent because widths are correct then. `hoga doctor` reports the locale.
    static func adopt() throws(TerminalError) {
        for name in ["", "C.UTF-8", "en_US.UTF-8"] {
            if unsafe setlocale(LC_CTYPE, name) != nil, isUnicode { return }
        }
        throw .noUnicodeLocale
    }

    /// The character set of the environment's locale; nil if it is not installed.
    static func codeset() -> String? {
        guard unsafe setlocale(LC_CTYPE, "") != nil else { return nil }
        return present
    }

    private static var isUnicode: Bool { present == "UTF-8" }

    private static var present: String? {
        unsafe nl_langinfo(nl_item(CODESET)).map { unsafe String(cString: $0) }
    }
}
