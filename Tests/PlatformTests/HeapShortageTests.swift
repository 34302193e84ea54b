import HeapMemory
import Testing

@Suite("Without memory the program ends with a message")
struct HeapShortageTests {
    @Test("the status is that of an internal error, and standard error names the shortage")
    func end() async throws {
        let result = try await #require(
            processExitsWith: .exitCode(70),
            observing: [\.standardErrorContent]
        ) {
            HeapMemory.prepareForShortage()
            HeapMemory.endForShortage()
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("hoga: out of memory: raise the memory limit of this process\n"))
    }
}
