import Foundation
import HubVocabulary
import Synchronization

/// Where a server's requests are judged, one after the other.
final class RequestJudge: Sendable {
    /// The outcome for one request.
    struct Decision {
        /// Nil when the request gets none.
        var answer: FakeAnswer?
        /// The fault that connection and stream play.
        var fault: FakeFault?
    }

    private struct State {
        var service: any FakeService
        var script: FaultScript
        var connections = 0
    }

    let streams: (first: Int, then: Int)
    private let journal: FakeJournal
    private let state: Mutex<State>

    init(_ service: any FakeService, _ script: FaultScript, _ journal: FakeJournal) {
        streams = service.streams
        self.journal = journal
        state = Mutex(State(service: service, script: script))
    }

    /// The number of a new connection.
    func connect() -> Int {
        state.withLock { state in
            state.connections += 1
            return state.connections
        }
    }

    /// Judges a request and writes it down.
    func take(_ request: FakeRequest) -> Decision {
        let now = Timestamp(milliseconds: UInt64(Date().timeIntervalSince1970 * 1_000))
        return state.withLock { state in
            let handle = state.service.handle(request)
            let fault = state.script.next(handle: handle)
            let answer = Self.answer(request, fault, &state.service, now: now)
            let entry = FakeJournal.Entry(
                request: request,
                handle: handle,
                text: state.service.text(request),
                answer: answer,
                fault: fault
            )
            journal.note(entry, service: state.service.name, now: now)
            return Decision(answer: answer, fault: fault)
        }
    }

    /// The answer that a fault leaves; the service judges each request that it processes.
    private static func answer(
        _ request: FakeRequest,
        _ fault: FakeFault?,
        _ service: inout any FakeService,
        now: Timestamp
    ) -> FakeAnswer? {
        switch fault {
        case .refuse, .goAway: return nil
        case .answer(let word, let detail):
            let answer = service.answer(request, now: now)
            guard let scripted = service.answer(word: word, detail: detail) else { return answer }
            // A client that is refused itself hears of no handle.
            return [401, 403].contains(answer.status) ? answer : scripted
        case .reset, .drop, .silence:
            _ = service.answer(request, now: now)
            return nil
        case .huge:
            return FakeAnswer(200, body: Array(repeating: UInt8(ascii: " "), count: 10_485_760))
        case .wide:
            let filler = String(repeating: "a", count: 100)
            return FakeAnswer(200, headers: (0..<1_000).map { ("x-filler-\($0)", filler) })
        case nil, .freeze, .slow, .streams: return service.answer(request, now: now)
        }
    }
}
