import DataSourceContracts
import TestSupport
import Testing

@testable import Repositories

@Suite("Which API generations are in use follows from their answers and data")
struct GenerationStateMachineTests {
    private typealias Machine = GenerationStateMachine

    private static let both = Set(APIGeneration.allCases)
    private static let notFound = DataSourceError(.httpStatus(404), "ticker: HTTP status 404")
    private static let gone = Machine.Answer.gone(notFound)

    private func seconds(_ number: Int) -> Duration { .seconds(number) }

    @Test("three answers in a row that it is gone leave a generation; a good one between does not")
    func goneAnswers() {
        var machine = Machine(Self.both, at: .zero)
        for second in 1...2 { machine.noteData(of: .v2, at: seconds(second)) }
        for answer in [Self.gone, Self.gone, .good, Self.gone, .unclear, Self.gone] {
            machine.note(answer, of: .v1, on: .rest, at: seconds(1))
            #expect(machine.inUse == Self.both)
        }
        machine.note(Self.gone, of: .v1, on: .rest, at: seconds(2))
        #expect(machine.inUse == [.v2])
        #expect(machine.leave(of: .v1) == .init(reason: .gone(Self.notFound), at: seconds(2)))
        // The last one stays, whatever it answers: without another it is an outage.
        for second in 3..<100 { machine.note(Self.gone, of: .v2, on: .rest, at: seconds(second)) }
        #expect(machine.inUse == [.v2])
    }

    @Test("answers that came while nothing flowed do not count")
    func lateFlow() {
        var machine = Machine(Self.both, at: .zero)
        for second in 0..<5 {
            machine.note(Self.gone, of: .v1, on: .rest, at: seconds(second))
            machine.note(Self.gone, of: .v2, on: .rest, at: seconds(second))
        }
        machine.noteData(of: .v1, at: seconds(5))
        for count in 1...3 {
            #expect(machine.inUse == Self.both, "\(count)")
            machine.note(Self.gone, of: .v2, on: .rest, at: seconds(5))
        }
        #expect(machine.inUse == [.v1])
    }

    @Test("good answers of one channel do not excuse the end of another")
    func channels() {
        for (gone, good) in [(.rest, .stream), (.stream, .rest), (.stream, .books)]
            as [(GenerationChannel, GenerationChannel)]
        {
            var machine = Machine(Self.both, at: .zero)
            machine.noteData(of: .v2, at: .zero)
            for count in 1...3 {
                #expect(machine.inUse == Self.both, "\(count)")
                machine.note(Self.gone, of: .v1, on: gone, at: .zero)
                machine.note(.good, of: .v1, on: good, at: .zero)
            }
            #expect(machine.inUse == [.v2])
        }
    }

    @Test("the end of 1.x's order books alone makes 2.x serve them, for ten minutes at a time")
    func endOfBooks() {
        var machine = Machine(Self.both, at: .zero)
        func flow(_ second: Int) {
            for generation in Self.both { machine.noteData(of: generation, at: seconds(second)) }
            machine.advance(to: seconds(second))
        }
        flow(0)
        for _ in 0..<2 { machine.note(Self.gone, of: .v1, on: .books, at: .zero) }
        #expect(machine.use.deepBooks == .v1)
        machine.note(Self.gone, of: .v1, on: .books, at: .zero)
        #expect(machine.use.deepBooks == .v2 && machine.inUse == Self.both)
        #expect(machine.dueProbes(at: seconds(1)).isEmpty, "a probe asks for no book")
        for second in stride(from: 4, to: 600, by: 4) { flow(second) }
        #expect(machine.use.deepBooks == .v2)
        flow(600)
        #expect(machine.use.deepBooks == .v1)
        machine.note(Self.gone, of: .v1, on: .books, at: seconds(601))
        #expect(machine.use.deepBooks == .v2, "one more answer is enough")
        for second in stride(from: 605, through: 1_201, by: 4) { flow(second) }
        machine.note(.good, of: .v1, on: .books, at: seconds(1_201))
        for _ in 0..<2 { machine.note(Self.gone, of: .v1, on: .books, at: seconds(1_201)) }
        #expect(machine.use.deepBooks == .v1)
        // Books that end in both are asked for as before.
        for generation in Self.both {
            for _ in 0..<3 {
                machine.note(Self.gone, of: generation, on: .books, at: seconds(1_201))
            }
        }
        #expect(machine.use.books == .v2 && machine.use.deepBooks == .v1)
    }

    @Test("a generation that pauses for up to 15 s flows on", arguments: [(15, true), (16, false)])
    func pauses(pause: Int, isLeft: Bool) {
        var machine = Machine(Self.both, at: .zero)
        for second in 0..<120 {
            if second % pause == 0 { machine.noteData(of: .v1, at: seconds(second)) }
            machine.advance(to: seconds(second))
        }
        #expect(machine.inUse == (isLeft ? [.v1] : Self.both))
    }

    @Test("a flow that begins makes the probe of a suspected generation due")
    func beginningFlow() {
        var machine = Machine(Self.both, at: .zero)
        machine.note(Self.gone, of: .v2, on: .stream, at: .zero)
        #expect(machine.nextDeadline(at: seconds(1)) == seconds(6))
        let begins = [1, 2, 8].map { machine.noteData(of: .v1, at: seconds($0)) }
        #expect(begins == [true, false, true], "it flows already after 2 s, and paused before 8 s")
        #expect(machine.dueProbes(at: seconds(8)) == [.v2])
        #expect(machine.nextDeadline(at: seconds(8)) == seconds(8))
    }

    @Test("silence for 45 s leaves a generation only while the other one flows")
    func silence() {
        var machine = Machine(Self.both, at: .zero)
        for second in 1...60 {
            machine.noteData(of: .v1, at: seconds(second))
            machine.advance(to: seconds(second))
            #expect(machine.inUse == (second < 46 ? Self.both : [.v1]), "\(second)")
        }
        #expect(machine.leave(of: .v2)?.reason == .silent)

        var quiet = Machine(Self.both, at: .zero)
        for second in 1...600 { quiet.advance(to: seconds(second)) }
        #expect(quiet.inUse == Self.both, "neither flows")
        // After an outage of both the one that returns first does not condemn the other.
        for second in 601...645 {
            quiet.noteData(of: .v1, at: seconds(second))
            quiet.advance(to: seconds(second))
            #expect(quiet.inUse == Self.both, "\(second)")
        }
        quiet.noteData(of: .v1, at: seconds(646))
        quiet.advance(to: seconds(646))
        #expect(quiet.inUse == [.v1])
    }

    @Test("without a network neither is left, whatever the answers")
    func noNetwork() {
        var machine = Machine(Self.both, at: .zero)
        for second in 0..<100 {
            machine.note(
                Self.gone,
                of: second % 2 == 0 ? .v1 : .v2,
                on: .stream,
                at: seconds(second)
            )
        }
        #expect(machine.inUse == Self.both)
    }

    @Test("a generation that is used again gets its role back with its first data")
    func returning() {
        var machine = Machine(Self.both, at: .zero)
        let normal = GenerationUse(
            inUse: Self.both,
            primary: .v2,
            books: .v2,
            deepBooks: .v1
        )
        #expect(machine.use == normal)
        machine.noteData(of: .v1, at: .zero)
        for _ in 0..<3 { machine.note(Self.gone, of: .v2, on: .rest, at: .zero) }
        var onlyFirst = GenerationUse(
            inUse: [.v1],
            primary: .v1,
            books: .v1,
            deepBooks: .v1
        )
        #expect(machine.use == onlyFirst)
        for _ in 0..<2 { machine.noteProbe(.good, of: .v2, at: seconds(600)) }
        onlyFirst.inUse = Self.both
        #expect(machine.use == onlyFirst)
        machine.noteData(of: .v2, at: seconds(601))
        #expect(machine.use == normal)
    }

    @Test("a left generation is probed every ten minutes, and used after two good probes")
    func probes() {
        var machine = Machine(Self.both, at: .zero)
        machine.noteData(of: .v1, at: .zero)
        for _ in 0..<3 { machine.note(Self.gone, of: .v2, on: .rest, at: .zero) }
        var probed: [Int] = []
        for second in 1...2_500 {
            let now = seconds(second)
            machine.noteData(of: .v1, at: now)
            for generation in machine.dueProbes(at: now) {
                #expect(generation == .v2)
                probed.append(second)
                machine.noteProbe(second >= 1_800 ? .good : .unclear, of: generation, at: now)
            }
        }
        #expect(probed == [600, 1_200, 1_800, 1_810])
        #expect(machine.inUse == Self.both)
    }

    @Test("an unknown name counts while the other generation sends, and not once both stopped")
    func unknownNames() {
        let unknown = Machine.Answer.gone(DataSourceError(.unknownHost, "pubwss"))
        for isOtherSending in [true, false] {
            var machine = Machine(Self.both, at: .zero)
            for generation in Self.both { machine.noteData(of: generation, at: .zero) }
            for tenth in 1...40 {
                let now = Duration.milliseconds(100 * tenth)
                if isOtherSending { machine.noteData(of: .v2, at: now) }
                if tenth % 5 == 0 {
                    machine.note(unknown, of: .v1, on: .stream, at: now)
                    machine.note(unknown, of: .v1, on: .rest, at: now)
                    if !isOtherSending { machine.note(unknown, of: .v2, on: .stream, at: now) }
                }
            }
            #expect(machine.inUse == (isOtherSending ? [.v2] : Self.both))
        }
    }

    @Test("an answer that a generation in use is gone is confirmed by probes 400 ms apart")
    func confirmation() {
        for (answer, isLeft) in [(Self.gone, true), (.good, false), (.unclear, false)] {
            var machine = Machine(Self.both, at: .zero)
            machine.noteData(of: .v1, at: .zero)
            machine.note(Self.gone, of: .v2, on: .rest, at: .zero)
            var probed: [Int] = []
            for tenth in 1...30 {
                let now = Duration.milliseconds(100 * tenth)
                machine.noteData(of: .v1, at: now)
                for generation in machine.dueProbes(at: now) {
                    probed.append(tenth)
                    machine.noteProbe(answer, of: generation, at: now)
                }
            }
            #expect(probed == (isLeft ? [4, 8] : [4]))
            #expect(machine.inUse == (isLeft ? [.v1] : Self.both))
        }
        var alone = Machine(Self.both, at: .zero)
        alone.note(Self.gone, of: .v2, on: .rest, at: .zero)
        #expect(alone.dueProbes(at: seconds(1)).isEmpty, "the way to both may be gone")
    }

    @Test("a bad probe after a good one starts over")
    func badProbe() {
        var machine = Machine(Self.both, at: .zero)
        machine.noteData(of: .v1, at: .zero)
        for _ in 0..<3 { machine.note(Self.gone, of: .v2, on: .rest, at: .zero) }
        for (second, isGood) in [(600, true), (610, false), (1_210, true), (1_220, true)] {
            machine.noteData(of: .v1, at: seconds(second))
            #expect(machine.inUse == [.v1])
            #expect(machine.dueProbes(at: seconds(second)) == [.v2], "\(second)")
            machine.noteProbe(isGood ? .good : Self.gone, of: .v2, at: seconds(second))
        }
        #expect(machine.inUse == Self.both)
    }

    @Test("while nothing flows a left generation is probed every ten seconds")
    func urgentProbes() {
        var machine = Machine(Self.both, at: .zero)
        machine.noteData(of: .v1, at: .zero)
        for _ in 0..<3 { machine.note(Self.gone, of: .v2, on: .rest, at: .zero) }
        machine.noteData(of: .v1, at: seconds(100))
        #expect(machine.dueProbes(at: seconds(105)).isEmpty)
        #expect(machine.dueProbes(at: seconds(106)) == [.v2])
        machine.noteProbe(.unclear, of: .v2, at: seconds(106))
        #expect(machine.dueProbes(at: seconds(115)).isEmpty)
        #expect(machine.dueProbes(at: seconds(116)) == [.v2])
    }

    @Test(
        "one generation is always in use, and every deadline lies ahead unless a probe is due",
        arguments: 1...40 as ClosedRange<UInt64>
    )
    func property(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var now = Duration.zero
        var machine = Machine(Self.both, at: now)
        var suspects: Set<APIGeneration> = []
        for _ in 0..<2_000 {
            let generation: APIGeneration = Bool.random(using: &random) ? .v1 : .v2
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                machine.note(Self.gone, of: generation, on: .rest, at: now)
                suspects.insert(generation)
            case 1: machine.note(.good, of: generation, on: .rest, at: now)
            case 2, 3: machine.noteData(of: generation, at: now)
            case 4:
                let isGood = Bool.random(using: &random)
                machine.noteProbe(isGood ? .good : .unclear, of: generation, at: now)
                if machine.leave(of: generation) == nil { suspects.remove(generation) }
            default: now += .milliseconds(Int.random(in: 0...30_000, using: &random))
            }
            machine.advance(to: now)
            #expect(!machine.inUse.isEmpty)
            let deadline = machine.nextDeadline(at: now)
            #expect(machine.dueProbes(at: now).isEmpty ? deadline > now : deadline == now)
            let left = Self.both.subtracting(machine.inUse)
            #expect(Set(machine.dueProbes(at: now)).isSubset(of: left.union(suspects)))
            for generation in Self.both {
                #expect((machine.leave(of: generation) == nil) == !left.contains(generation))
            }
        }
    }

    @Test("what says that a generation is gone", arguments: APIGeneration.allCases)
    func answers(generation: APIGeneration) {
        func answer(_ code: DataSourceError.Code) -> Machine.Answer {
            Machine.Answer(DataSourceError(code, "x"), of: generation)
        }
        func isGone(_ code: DataSourceError.Code) -> Bool { answer(code).isGone }
        #expect(Machine.Answer(nil, of: generation) == .good)
        for code in [.httpStatus(404), .httpStatus(410), .unknownHost] as [DataSourceError.Code] {
            #expect(isGone(code), "\(code)")
        }
        // A proxy or a block of this client may say so over REST.
        var forbidden = DataSourceError(.httpStatus(403), "x")
        #expect(Machine.Answer(forbidden, of: generation) == .unclear)
        forbidden.isOfHandshake = true
        #expect(Machine.Answer(forbidden, of: generation).isGone)
        let ended = DataSourceError.Code.refused(status: "5100", message: "Bad Request")
        #expect(isGone(ended) == (generation == .v1))
        for message in ["No Route matched with those values", "no Route matched"] {
            #expect(isGone(.refused(status: "not_found", message: message)))
        }
        // A refusal of one market is an answer of a service that serves.
        #expect(answer(.refused(status: "404", message: "Code not found")) == .good)
        #expect(answer(.refused(status: "not_found", message: "Code not found")) == .good)
        #expect(answer(.refused(status: "5500", message: "Invalid Parameter")) == .good)
        for code in [
            .httpStatus(429), .httpStatus(500), .rateLimited(retryAfter: .seconds(1)), .timedOut,
            .unreachable, .disconnected, .malformed, .proxy, .untrusted, .cancelled, .ended,
        ] as [DataSourceError.Code] {
            #expect(answer(code) == .unclear, "\(code)")
        }
    }
}
