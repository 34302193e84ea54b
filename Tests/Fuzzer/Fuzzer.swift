import CLibFuzzer
import Fuzzing
import Glibc

/// Runs libFuzzer with the arguments of the command line on a target.
///
/// `HOGA_FUZZ_TARGET` names the target. A finding ends the process like a crash, so that libFuzzer
/// keeps the input.
///
/// With `compare NAME` it answers each line of the standard input, an input in hexadecimal, with
/// one line; with `serve` it prints the port of an HTTP server and serves until the input ends.
@main
struct Fuzzer {
    private static let target = unsafe getenv("HOGA_FUZZ_TARGET")
        .flatMap { unsafe FuzzTarget(rawValue: String(cString: $0)) }

    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        switch words.first {
        case "targets": for target in FuzzTarget.allCases { print(target.rawValue) }
        case "compare":
            guard let opinion = words.dropFirst().first.flatMap(SecondOpinion.init) else {
                exit(64)
            }
            while let line = readLine() {
                print(opinion.line(about: bytes(line)))
                fflush(nil)
            }
        case "serve":
            try SecondOpinion.serve { port in
                print(port)
                fflush(nil)
                while readLine() != nil {}
            }
        default: fuzz()
        }
    }

    private static func fuzz() {
        guard target != nil else {
            print("HOGA_FUZZ_TARGET must name a target; 'Fuzzer targets' lists them")
            exit(64)
        }
        var count = CommandLine.argc
        // libFuzzer may exchange the arguments, so it gets a pointer to their pointer.
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
            unsafe CommandLine.unsafeArgv
        exit(unsafe LLVMFuzzerRunDriver(&count, &arguments, judgeInput))
    }

    /// Judges an input.
    fileprivate static func judge(_ bytes: [UInt8]) {
        do throws(FuzzFinding) {
            try target?.judge(bytes)
        } catch {
            fatalError("\(target?.rawValue ?? ""): \(error)")
        }
    }

    private static func bytes(_ line: String) -> [UInt8] {
        let digits = Array(line.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).map { place in
            UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16) ?? 0
        }
    }
}

/// Called by libFuzzer with each input, whose memory is its own.
///
/// Has the name that the linker looks for where libFuzzer's own `main` is not dropped.
@_cdecl("LLVMFuzzerTestOneInput")
func judgeInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    Fuzzer.judge(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
