import Concurrency
import DataSourceContracts
import Glibc
import Synchronization

/// Looks up the addresses of hosts, with a limit of time.
///
/// The system's resolver cannot be interrupted, and waits for 20 s and more when the servers that
/// it asks do not answer, such as those of a container engine while it gives a name another
/// address.
/// Each lookup therefore runs on a thread of its own. One that takes too long is left behind, and
/// the next one asks anew.
///
/// Bound: `lookupsMax` lookups that were left behind; beyond it, none is started.
final class HostLookup: Sendable {
    /// The numeric addresses of a host, or why there are none.
    typealias Answer = Result<[String], Failure>

    /// Why a host has no address.
    struct Failure: Error, Hashable {
        /// The reason in the resolver's words.
        let reason: String
    }

    /// One lookup: its thread stores the answer, then signals the event.
    private final class Lookup: Sendable {
        let answer = Mutex<Answer?>(nil)
        let event: EventDescriptor

        init(_ event: EventDescriptor) { self.event = event }
    }

    /// The most lookups that may be under way at once.
    static let lookupsMax = 4

    private let makeEvent: @Sendable () -> EventDescriptor?
    private let resolve: @Sendable (String) -> Answer
    private let underway = Atomic(0)

    /// Makes a lookup.
    ///
    /// - Parameters:
    ///   - resolve: returns the addresses of a host; may block.
    ///   - makeEvent: makes the event of an answer; nil without a file descriptor.
    init(
        resolve: @escaping @Sendable (String) -> Answer = HostLookup.askSystem,
        makeEvent: @escaping @Sendable () -> EventDescriptor? = { EventDescriptor() }
    ) {
        self.makeEvent = makeEvent
        self.resolve = resolve
    }

    /// The parameters of an attempt to connect, with the addresses of its host.
    ///
    /// Blocks the calling thread. Sockets of this machine and given addresses need no lookup.
    ///
    /// - Parameters:
    ///   - attempt: keywords and values for libpq, of one host.
    ///   - location: the server, for errors.
    ///   - deadline: the end of the attempt.
    ///   - cancellation: ends the wait.
    /// - Returns: the parameters; libpq tries the addresses in order and looks up nothing.
    /// - Throws: ``StoreError`` with `unavailable`.
    func addresses(
        for attempt: [String: String],
        at location: String,
        until deadline: Deadline,
        cancelledBy cancellation: EventDescriptor
    ) throws(StoreError) -> [String: String] {
        guard let host = attempt["host"], !host.isEmpty, !host.hasPrefix("/"),
            !host.hasPrefix("@"), attempt["hostaddr", default: ""].isEmpty
        else { return attempt }
        guard underway.add(1, ordering: .relaxed).newValue <= Self.lookupsMax else {
            underway.subtract(1, ordering: .relaxed)
            throw Self.unresolved(host, "\(Self.lookupsMax) lookups have no answer yet", location)
        }
        guard let event = makeEvent() else {
            underway.subtract(1, ordering: .relaxed)
            throw Self.unresolved(host, "no file descriptor is left", location)
        }
        let lookup = Lookup(event)
        BlockingExecutor(label: "hoga.postgresql.lookup").start { [self] in
            let answer = resolve(host)
            underway.subtract(1, ordering: .relaxed)
            lookup.answer.withLock { $0 = answer }
            lookup.event.signal()
        }
        var entries = [
            SocketPoll.entry(for: cancellation), SocketPoll.entry(for: lookup.event),
        ]
        repeat {
            SocketPoll.wait(&entries, for: deadline.remaining)
        } while entries.allSatisfy { $0.revents == 0 } && !deadline.hasPassed
        switch lookup.answer.withLock({ $0 }) {
        case nil: throw Self.unresolved(host, "no answer in time", location)
        case .failure(let failure): throw Self.unresolved(host, failure.reason, location)
        case .success(let addresses):
            var attempt = attempt
            // Certificates and passwords are those of the name.
            attempt["host"] = addresses.map { _ in host }.joined(separator: ",")
            attempt["hostaddr"] = addresses.joined(separator: ",")
            return attempt
        }
    }

    private static func unresolved(
        _ host: String,
        _ reason: String,
        _ location: String
    ) -> StoreError {
        StoreError(
            .unavailable,
            "\(location): the host name '\(host)' was not resolved, \(reason): check the name, "
                + "and that this machine's name servers answer"
        )
    }

    /// Asks the system's resolver; blocks.
    static func askSystem(_ host: String) -> Answer {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(host, nil, &hints, &list)
        guard status == 0 else {
            return .failure(Failure(reason: unsafe String(cString: gai_strerror(status))))
        }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [String] = []
        var next = unsafe list
        while let candidate = unsafe next {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            if unsafe getnameinfo(
                candidate.pointee.ai_addr,
                candidate.pointee.ai_addrlen,
                &text,
                socklen_t(text.count),
                nil,
                0,
                NI_NUMERICHOST
            ) == 0 {
                let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
                addresses.append(String(decoding: bytes, as: UTF8.self))
            }
            unsafe next = candidate.pointee.ai_next
        }
        return addresses.isEmpty
            ? .failure(Failure(reason: "it has no address")) : .success(addresses)
    }
}
