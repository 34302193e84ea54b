/// A library that is part of the program, or that it loads.
///
/// Sources: the copyright files of the Debian 12 packages, the license of the Swift toolchain and
/// the head of the chart library, as of 2026-11-26. A test compares ``linkNames`` with the
/// manifest.
public enum LinkedLibrary: String, Sendable, Hashable, CaseIterable {
    /// HTTP, and the byte stream below WebSockets.
    case libcurl
    /// JSON parser.
    case simdjson
    /// WebSocket framing.
    case wslay
    /// HTTP request parser.
    case httpParser = "http-parser"
    /// Terminal control.
    case ncurses
    /// Hashes and random bytes.
    case libcrypto = "OpenSSL libcrypto"
    /// Compression of HTTP bodies.
    case libdeflate
    /// Compression of WebSocket messages.
    case zlib
    /// The shared store.
    case libpq
    /// The embedded store.
    case sqlite = "SQLite"
    /// Charts of the page.
    case lightweightCharts = "TradingView Lightweight Charts"
    /// The standard library with Synchronization and concurrency.
    case swift = "Swift standard library"
    /// Queues and signals.
    case dispatch = "Swift Dispatch"
    /// Files and the environment.
    case foundation = "Swift Foundation"
    /// The C library.
    case glibc = "GNU C Library"
    /// The C++ library, under simdjson and its C face.
    case libstdcxx = "libstdc++"

    /// The display name.
    public var name: String { rawValue }

    /// The linker's names without `lib`; empty for libraries that the compiler links itself.
    public var linkNames: [String] {
        switch self {
        case .libcurl: ["curl"]
        case .simdjson: ["simdjson"]
        case .wslay: ["wslay"]
        case .httpParser: ["http_parser"]
        case .ncurses: ["ncursesw", "tinfo"]
        case .libcrypto: ["crypto"]
        case .libdeflate: ["deflate"]
        case .zlib: ["z"]
        case .libpq: ["pq"]
        case .sqlite: ["sqlite3"]
        case .lightweightCharts, .swift, .dispatch, .foundation, .glibc, .libstdcxx: []
        }
    }

    /// The license's SPDX expression.
    public var license: String {
        switch self {
        case .libcurl: "curl"
        case .simdjson, .libcrypto, .lightweightCharts: "Apache-2.0"
        case .wslay, .httpParser, .libdeflate: "MIT"
        case .glibc: "LGPL-2.1-or-later"
        case .ncurses: "X11-distribute-modifications-variant"
        case .libpq: "PostgreSQL"
        case .sqlite: "blessing"
        case .zlib: "Zlib"
        case .swift, .dispatch, .foundation: "Apache-2.0 WITH Swift-exception"
        case .libstdcxx: "GPL-3.0-or-later WITH GCC-exception-3.1"
        }
    }

    /// The copyright holder; nil for public domain.
    var holder: String? {
        switch self {
        case .libcurl: "Daniel Stenberg"
        case .simdjson: "Daniel Lemire, Geoff Langdale"
        case .wslay: "Tatsuhiro Tsujikawa"
        case .httpParser: "Igor Sysoev, Joyent, Inc. and other Node contributors"
        case .ncurses: "Free Software Foundation, Thomas E. Dickey"
        case .libcrypto: "The OpenSSL Project Authors"
        case .libdeflate: "Eric Biggers"
        case .zlib: "Jean-loup Gailly, Mark Adler"
        case .libpq: "PostgreSQL Global Development Group, University of California"
        case .sqlite: nil
        case .lightweightCharts: "TradingView, Inc."
        case .swift, .dispatch, .foundation: "Apple Inc., the Swift project authors"
        case .glibc, .libstdcxx: "Free Software Foundation"
        }
    }

    /// The location of the full license text.
    var licenseLocation: String {
        switch self {
        case .libcurl: "/usr/share/doc/libcurl4/copyright"
        case .simdjson: "/usr/share/doc/libsimdjson14/copyright"
        case .wslay: "/usr/share/doc/libwslay1/copyright"
        case .httpParser: "/usr/share/doc/libhttp-parser2.9/copyright"
        case .ncurses: "/usr/share/doc/libncursesw6/copyright"
        case .libcrypto: "/usr/share/doc/libssl3/copyright"
        case .libdeflate: "/usr/share/doc/libdeflate0/copyright"
        case .zlib: "/usr/share/doc/zlib1g/copyright"
        case .libpq: "/usr/share/doc/libpq5/copyright"
        case .sqlite: "/usr/share/doc/libsqlite3-0/copyright"
        case .lightweightCharts: "https://www.apache.org/licenses/LICENSE-2.0"
        case .swift, .dispatch, .foundation: "https://swift.org/LICENSE.txt"
        case .glibc: "/usr/share/doc/libc6/copyright"
        case .libstdcxx: "/usr/share/doc/libstdc++6/copyright"
        }
    }
}
