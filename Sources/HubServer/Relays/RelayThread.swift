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

    /// Requests of a lane have their answers, or none.
    func trace(_ replies: [RelayReply], of lane: LaneName) {
        guard let traces else { return }
        let now = Clock.now.instant
        for reply in replies {
            let status: Int? =
                if case .success(let given) = reply.answer { given.status } else { nil }
            traces.relayed(
                reply.ticket.sequence,
                of: lane.hub,
                to: lane.platform,
                status: status,
                from: now.before(reply.took),
                until: now
            )
        }
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

    /// A lane in a place of its own, where nothing copies its bitmaps.
    private final class Place {
        var lane: RelayLane

        init(_ lane: RelayLane) { self.lane = lane }
    }

    private func run() {
        var random = SystemRandomNumberGenerator()
        var tokens = AppleTokens(seed: random.next())
        var lanes: [LaneName: Place] = [:]
        var lives: UInt64 = 0
        while true {
            let now = Clock.now.instant
            let next = lanes.values.map(\.lane.due).min()
            let wait = next.map { $0.milliseconds(since: now) } ?? 60_000
            let orders = queue.take(waiting: Int(min(max(wait, 1), 60_000)))
            if orders.isEmpty, queue.isClosed { return }
            for order in orders { take(order, &lanes, &lives) }
            let time = Clock.now.instant
            for (name, place) in lanes where !place.lane.mail.isEmpty || place.lane.due <= time {
                guard place.lane.turn(&tokens, self) else { continue }
                lanes[name] = nil
                _ = names.withLock { $0.remove(name) }
                place.lane.loop.end()
                for told in place.lane.stop?.told ?? [] { told() }
            }
        }
    }

    private func take(
        _ order: RelayOrder,
        _ lanes: inout [LaneName: Place],
        _ lives: inout UInt64
    ) {
        switch order {
        case .open(var lane):
            lives += 1
            lane.begin(life: lives, self)
            lanes[lane.name] = Place(lane)
        case .mail(let address, let mail):
            guard let place = lanes[address.name], place.lane.life == address.life else { return }
            place.lane.mail.append(mail)
        case .word(let name, let mail, let missing):
            guard let place = lanes[name] else { return missing() }
            place.lane.mail.append(mail)
        case .mailOfHub(let hub, let mail):
            for (name, place) in lanes where name.hub == hub { place.lane.mail.append(mail) }
        case .close(let name, let told):
            guard let place = lanes[name] else { return told() }
            place.lane.close(told, now: Clock.now.instant)
        }
    }
}

extension Instant {
    fileprivate func before(_ time: Duration) -> Instant {
        let (seconds, rest) = time.components
        let passed = UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(max(0, rest)) / 1_000_000_000
        return Instant(nanoseconds: nanoseconds - min(nanoseconds, passed))
    }
}
