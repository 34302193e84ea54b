import FoundationEssentials

/// A temporary folder for a test.
final class RecordingFolder {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appending(path: "hoga-recording-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true
        )
    }

    deinit {
        // Left behind if removal fails: it is the system's folder for temporary files.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file and returns its path.
    func write(_ name: String, _ text: String) throws -> String {
        let file = path + "/" + name
        let folder = file[..<(file.lastIndex(of: "/") ?? file.endIndex)]
        try FileManager.default.createDirectory(
            atPath: String(folder),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: URL(filePath: file))
        return file
    }
}

/// Makes the lines of a recording.
enum RecordedText {
    /// A time years ago, in milliseconds after the first one.
    static func time(_ milliseconds: Int) -> String {
        func padded(_ value: Int, _ digits: Int) -> String {
            String(String(value + 1_000_000).suffix(digits))
        }
        let minute = 13 * 60 + 47 + milliseconds / 60_000
        return "2022-03-01T\(padded(minute / 60, 2)):\(padded(minute % 60, 2)):"
            + "\(padded(milliseconds / 1_000 % 60, 2)).\(padded(milliseconds % 1_000, 3))000+09:00"
    }

    static func frame(_ milliseconds: Int, _ text: String) -> String {
        #"{"at":"\#(time(milliseconds))","kind":"frame","text":"\#(escaped(text))"}"#
    }

    static func rest(
        _ milliseconds: Int,
        _ path: String,
        _ body: String,
        status: Int = 200
    ) -> String {
        #"{"at":"\#(time(milliseconds))","kind":"rest","path":"\#(path)","status":\#(status),"#
            + #""body":"\#(escaped(body))"}"#
    }

    static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }

    static func message(_ number: Int) -> String {
        #"{"type":"transaction","content":{"list":[{"contPrice":"\#(number)"}]}}"#
    }
}
