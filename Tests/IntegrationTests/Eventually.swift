/// Asks for a value until there is one.
///
/// - Throws: what `look` throws, or `CancellationError` when the time limit of the suite is over.
func eventually<Value>(
    _ look: () async throws -> Value?
) async throws -> Value {
    while true {
        if let value = try await look() { return value }
        try await Task.sleep(for: .milliseconds(5))
    }
}
