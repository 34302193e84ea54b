import Concurrency
import Glibc
import Testing

@Suite("An event descriptor ends a wait for file descriptors", .tags(.threads))
struct EventDescriptorTests {
    /// Whether poll(2) finds the descriptor readable at once.
    private static func isReadable(_ event: EventDescriptor) -> Bool {
        var entry = pollfd(fd: event.descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, 0) == 1
    }

    @Test("signals before a wait end it once, and clearing forgets them all")
    func signals() throws {
        let event = try #require(EventDescriptor())
        #expect(!Self.isReadable(event))
        event.signal()
        event.signal()
        #expect(Self.isReadable(event))
        event.clear()
        #expect(!Self.isReadable(event))
        event.clear()
        #expect(!Self.isReadable(event), "clearing never blocks")
    }

    @Test("a signal from another thread ends a wait that has begun")
    func otherThread() async throws {
        let event = try #require(EventDescriptor())
        let executor = BlockingExecutor(label: "hoga.test.wait")
        async let ready = executor.run {
            var entry = pollfd(fd: event.descriptor, events: Int16(POLLIN), revents: 0)
            return unsafe poll(&entry, 1, 60_000)
        }
        event.signal()
        #expect(await ready == 1)
    }
}
