import ChildPrograms
import DataSourceContracts
import FoundationEssentials

/// Runs the programs of PostgreSQL's client package, such as `pg_dump`.
///
/// The address is passed in environment variables, which other users cannot read, so no password
/// appears in a list of processes.
struct ClientProgram: Sendable {
    /// The variables of an address, in addition to those of this process.
    let variables: [String: String]

    /// The most bytes of output and errors that are kept.
    private static let outputMax = 1 << 20
    /// The time that a cancelled program has to end by itself.
    private static let grace = Duration.seconds(10)

    init(variables: [String: String]) { self.variables = variables }

    /// Runs a program to its end; a cancelled task ends it.
    ///
    /// - Parameter arguments: the program, found by the search path, and its arguments.
    /// - Returns: its standard output.
    /// - Throws: ``StoreError``: `unavailable` with the program's errors.
    func run(_ arguments: [String]) async throws(StoreError) -> String {
        let inherited = ProcessInfo.processInfo.environment
        var program = ChildProgram(
            arguments,
            environment: inherited.merging(variables) { _, variable in variable }
        )
        program.outputBytesMax = Self.outputMax
        program.errorBytesMax = Self.outputMax
        program.grace = Self.grace
        let name = arguments.first ?? ""
        let result = await program.run()
        switch result.end {
        case .exited(0): return String(decoding: result.output, as: UTF8.self)
        case .exited, .signaled, .timedOut, .cancelled:
            // Of several lines the first names the cause.
            let errors = String(decoding: result.errors, as: UTF8.self)
            let cause = errors.split(separator: "\n").first ?? "it failed without a message"
            throw StoreError(.unavailable, "\(name): \(cause)")
        case .notFound:
            throw StoreError(
                .unavailable,
                "\(name) was not found: install PostgreSQL's client programs, e.g. the package "
                    + "postgresql-client, or add their folder to PATH"
            )
        case .notStarted(let number):
            throw StoreError(.unavailable, "\(name): cannot be started (errno \(number))")
        }
    }
}
