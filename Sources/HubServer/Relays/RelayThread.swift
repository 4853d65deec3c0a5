import Foundation
import HubModel
import HubRelay
import HubTraces
import HubTransport
import HubVocabulary
import Synchronization

/// The thread of all lanes; begins with the first, so that a server without credentials has none.
final class RelayThread: Sendable {
    private let queue = WorkQueue<RelayOrder>(capacity: 1 << 20)
    private let thread = Mutex<ReactorThread?>(nil)
    /// The lanes that are there.
    private let names = Mutex<Set<LaneName>>([])
    let onNews: @Sendable (LaneName, RelayNews) -> Void
    private let traces: Tracer?

    init(traces: Tracer?, onNews: @escaping @Sendable (LaneName, RelayNews) -> Void) {
        self.traces = traces
        self.onNews = onNews
    }

    /// A request of a lane has its answer, or none.
    func trace(
        _ ticket: LaneTicket,
        of lane: LaneName,
        _ answer: Result<RelayAnswer, RelayVerdict>,
        since began: Instant
    ) {
        let status: Int? = if case .success(let given) = answer { given.status } else { nil }
        traces?.relayed(
            ticket.sequence,
            of: lane.hub,
            to: lane.platform,
            status: status,
            from: began,
            until: Clock.now.instant
        )
    }

    /// Begins a lane.
    ///
    /// - Throws: `.unavailable` when the system has no thread left.
    func open(_ lane: RelayLane) throws(StoreError) {
        do throws(TransportError) {
            try thread.withLock { thread throws(TransportError) in
                guard thread == nil else { return }
                thread = try ReactorThread(name: "relays") { [self] in run() }
            }
        } catch { throw .unavailable(reason: error.description) }
        _ = names.withLock { $0.insert(lane.name) }
        _ = queue.add(.open(lane), isVital: true)
    }

    /// Gives a lane its mail; nothing when that lane has ended.
    func post(_ mail: RelayMail, to lane: LaneAddress) {
        _ = queue.add(.mail(lane, mail), isVital: true)
    }

    /// Has the service of a lane asked.
    func tryOut(_ trial: RelayTrial, on lane: LaneName) async -> RelayTrialAnswer {
        await withCheckedContinuation { continuation in
            let awaited = AwaitedTrial(trial) { continuation.resume(returning: $0) }
            tell(.trial(awaited), to: lane) { continuation.resume(returning: .noRelay) }
        }
    }

    /// Has a lane give up what waits up to a place; nil when there is no such lane.
    ///
    /// - Throws: `.storeUnavailable` while the store does not take the order.
    func skip(
        through place: UInt64,
        on lane: LaneName
    ) async throws(Refusal) -> RelaySkip? {
        let answer: Result<RelaySkip?, Refusal> = await withCheckedContinuation { continuation in
            let awaited = AwaitedSkip(through: place) { continuation.resume(returning: $0) }
            tell(.skip(awaited), to: lane) { continuation.resume(returning: .success(nil)) }
        }
        return try answer.get()
    }

    private func tell(
        _ mail: RelayMail,
        to lane: LaneName,
        missing: @escaping @Sendable () -> Void
    ) {
        // Without a thread no one takes the order.
        guard has(lane), queue.add(.word(lane, mail, missing: missing), isVital: true) else {
            return missing()
        }
    }

    /// Gives mail to every lane of a hub; costs a look where the hub has none.
    func post(_ mail: RelayMail, toLanesOf hub: HubName) {
        guard names.withLock({ $0.contains { $0.hub == hub } }) else { return }
        _ = queue.add(.mailOfHub(hub, mail), isVital: true)
    }

    /// Whether a lane is there.
    func has(_ lane: LaneName) -> Bool { names.withLock { $0.contains(lane) } }

    /// Ends a lane: its requests get their answers, its last report goes to the writer; blocks.
    func close(_ lane: LaneName) {
        guard has(lane) else { return }
        let ended = DispatchSemaphore(value: 0)
        guard queue.add(.close(lane, { ended.signal() }), isVital: true) else { return }
        ended.wait()
    }

    /// Ends every lane of a hub; blocks.
    func closeLanes(of hub: HubName) {
        let lanes = names.withLock { $0.filter { $0.hub == hub } }
        for lane in lanes { close(lane) }
    }

    /// Ends the thread, once all lanes are closed.
    func stop() {
        queue.close()
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }

    // MARK: The thread

    private func run() {
        var random = SystemRandomNumberGenerator()
        var tokens = AppleTokens(seed: random.next())
        var lanes: [LaneName: RelayLane] = [:]
        var lives: UInt64 = 0
        while true {
            let now = Clock.now.instant
            let next = lanes.values.map(\.due).min()
            let wait = next.map { $0.milliseconds(since: now) } ?? 60_000
            let orders = queue.take(waiting: Int(min(max(wait, 1), 60_000)))
            if orders.isEmpty, queue.isClosed { return }
            for order in orders { take(order, &lanes, &lives) }
            let time = Clock.now.instant
            // A view of the keys would keep a second reference to each lane, and copy its bitmaps.
            for name in Array(lanes.keys) {
                guard var lane = lanes.removeValue(forKey: name) else { continue }
                if lane.mail.isEmpty, lane.due > time {
                    lanes[name] = lane
                    continue
                }
                if lane.turn(&tokens, self) {
                    _ = names.withLock { $0.remove(name) }
                    lane.loop.end()
                    for told in lane.stop?.told ?? [] { told() }
                } else {
                    lanes[name] = lane
                }
            }
        }
    }

    private func take(
        _ order: RelayOrder,
        _ lanes: inout [LaneName: RelayLane],
        _ lives: inout UInt64
    ) {
        switch order {
        case .open(var lane):
            lives += 1
            lane.life = lives
            lanes[lane.name] = lane
        case .mail(let address, let mail):
            guard lanes[address.name]?.life == address.life else { return }
            lanes[address.name]?.mail.append(mail)
        case .word(let name, let mail, let missing):
            guard lanes[name] != nil else { return missing() }
            lanes[name]?.mail.append(mail)
        case .mailOfHub(let hub, let mail):
            for name in lanes.keys where name.hub == hub { lanes[name]?.mail.append(mail) }
        case .close(let name, let told):
            guard lanes[name] != nil else { return told() }
            lanes[name]?.close(told, now: Clock.now.instant)
        }
    }
}
