import HubParcel
import HubTransport
import HubVocabulary
import HubWire
import Testing

@testable import HubClient

/// Each input in each phase: none is forgotten, and none is taken where it has no meaning.
@Suite("Phases of a session")
struct LinkPhaseTests {
    enum Phase: CaseIterable {
        case idle, opening, ready, leaving, closing

        init(_ phase: borrowing LinkPhase) {
            switch phase {
            case .idle: self = .idle
            case .opening: self = .opening
            case .ready: self = .ready
            case .leaving: self = .leaving
            case .closing: self = .closing
            }
        }
    }

    enum Input: CaseIterable {
        case deliver, fatalError, goaway, partOfFrame, longTime, shortTime
        case stored, notStored, question, end, finish, finishUnstored
    }

    /// The phase that follows, in the order of `Phase.allCases`.
    static let table: [(input: Input, next: [Phase])] = [
        (.deliver, [.idle, .leaving, .ready, .leaving, .closing]),
        (.fatalError, [.idle, .leaving, .leaving, .leaving, .closing]),
        (.goaway, [.idle, .leaving, .leaving, .leaving, .closing]),
        (.partOfFrame, [.idle, .opening, .ready, .leaving, .closing]),
        (.longTime, [.idle, .leaving, .ready, .leaving, .closing]),
        (.shortTime, [.idle, .opening, .ready, .leaving, .closing]),
        (.stored, [.idle, .opening, .ready, .leaving, .closing]),
        (.notStored, [.idle, .leaving, .leaving, .leaving, .closing]),
        (.question, [.idle, .opening, .ready, .leaving, .closing]),
        (.end, [.idle, .leaving, .leaving, .leaving, .closing]),
        (.finish, [.idle, .opening, .ready, .closing, .closing]),
        (.finishUnstored, [.idle, .opening, .ready, .leaving, .closing]),
    ]

    /// A session in a phase, with everything stored and said.
    final class Session {
        var phase = LinkPhase.idle
        var core = SessionCore(
            configuration: LinkSession.Configuration(hub: "news"),
            state: DeviceState(),
            seed: 3
        )
        var inflater = ParcelInflater()
        /// How often a question found a link.
        var answers = 0

        init(_ wanted: Phase) {
            core.now = Now(
                instant: Instant(nanoseconds: 1_000),
                time: Timestamp(milliseconds: HubScript.wallStart)
            )
            if wanted == .idle { return }
            phase.open(OpeningLink(at: core.now.instant))
            if wanted == .opening { return }
            receive(HubScript.welcome())
            if wanted != .ready { phase.end(.networkChanged) }
            core.needsCommit = false
            if wanted == .closing { phase.finishInput(&core) }
            core.output = []
            core.actions = []
        }

        func receive(_ bytes: [UInt8]) { phase.receive(bytes.span, &core, &inflater) }

        func take(_ input: Input) {
            switch input {
            case .deliver: receive(HubScript.deliver(after: 0, [.init(sequence: 4)]))
            case .fatalError:
                var bytes: [UInt8] = []
                ErrorFrame(.takenOver).encode(into: &bytes)
                receive(bytes)
            case .goaway:
                var bytes: [UInt8] = []
                GoawayFrame(reason: .drain, minDelay: 0, spread: 0)
                    .encode(into: &bytes)
                receive(bytes)
            case .partOfFrame: receive(Array(HubScript.welcome().prefix(5)))
            case .longTime: wait(86_400)
            case .shortTime: wait(1)
            case .stored: phase.committed(&core)
            case .notStored: phase.commitFailed()
            case .question: phase.whenReady { _ in answers += 1 }
            case .end: phase.end(.closedByApp)
            case .finish: phase.finishInput(&core)
            case .finishUnstored:
                core.needsCommit = true
                phase.finishInput(&core)
            }
        }

        private func wait(_ seconds: UInt64) {
            core.now.instant = core.now.instant + .seconds(seconds)
            core.now.time = core.now.time.adding(seconds: seconds)
            phase.tick(&core)
        }
    }

    @Test("every input leads from every phase to the one that the table says")
    func product() {
        #expect(Set(Self.table.map(\.input)) == Set(Input.allCases))
        for (input, next) in Self.table {
            for (phase, expected) in zip(Phase.allCases, next) {
                let session = Session(phase)
                session.take(input)
                let found = Phase(session.phase)
                #expect(found == expected, "\(input) in \(phase)")
                // Only a session that is accepted stores, and only one that is leaving ends.
                let stores = input == .deliver && phase == .ready
                #expect(session.core.messages.count == (stores ? 1 : 0), "\(input) in \(phase)")
                let asks = input == .question && phase == .ready
                #expect(session.answers == (asks ? 1 : 0), "\(input) in \(phase)")
                let closes = session.core.actions.contains { action in
                    if case .close = action { true } else { false }
                }
                #expect(closes == (input == .finish && phase == .leaving), "\(input) in \(phase)")
            }
        }
    }

    @Test("the first reason to leave counts, but for what cannot be stored")
    func reasons() {
        for (input, departure) in [
            (Input.end, Departure.networkChanged), (.goaway, .networkChanged),
            (.notStored, .storeFailed),
        ] {
            let session = Session(.leaving)
            session.take(input)
            session.take(.finish)
            #expect(session.core.actions == [.close(departure)], "\(input)")
        }
    }

    @Test("deadlines end with the phase that has them")
    func deadlines() {
        for phase in Phase.allCases {
            let session = Session(phase)
            session.take(.partOfFrame)
            let deadline = session.phase.nextDeadline(session.core)
            let reads = phase == .opening || phase == .ready
            #expect((deadline != nil) == reads, "\(phase)")
            let openedAt = session.phase.openedAt
            let wasAccepted = phase != .idle && phase != .opening
            #expect((openedAt != nil) == wasAccepted, "\(phase)")
        }
    }

    @Test("a session is opened only without a connection")
    func opensOnce() async {
        await #expect(processExitsWith: .failure) {
            let session = Session(.ready)
            session.phase.open(OpeningLink(at: session.core.now.instant))
        }
    }
}
