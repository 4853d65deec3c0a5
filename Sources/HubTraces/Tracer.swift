package import HubModel
package import HubVocabulary
import Synchronization

/// Decides which requests are traced, and keeps spans until they are exported; for any thread.
package final class Tracer: Sendable {
    private struct Place: Hashable {
        var hub: HubName
        var sequence: UInt64
    }

    private struct Traced {
        let request: RequestTrace
        /// When it was durable.
        let accepted: Instant
        var relays = 0
    }

    private struct State {
        var waiting: [Span] = []
        var dropped = 0
        var notifications: [Place: Traced] = [:]
        /// The same, the oldest first.
        var order: [Place] = []
    }

    private let ratio: Double
    private let state = Mutex(State())
    private let random = Mutex(RandomPool(drawnFrom: SystemRandomNumberGenerator()))

    /// Traces this share of the requests whose caller does not decide.
    package init(ratio: Double) { self.ratio = ratio }

    /// Begins the trace of a request, or goes on with its caller's; nil for one that is not traced.
    package func begin(parent header: [UInt8]?, now: Now) -> RequestTrace? {
        if let parent = header.flatMap(TraceParent.init) {
            guard parent.isSampled else { return nil }
            let id = (parent.high, parent.low)
            return RequestTrace(id: id, span: newID(), parent: parent.span, now: now)
        }
        guard random.withLock({ Double.random(in: 0..<1, using: &$0) }) < ratio else { return nil }
        return RequestTrace(id: (newID(), newID()), span: newID(), parent: nil, now: now)
    }

    /// A request is answered.
    package func answered(_ trace: RequestTrace, _ request: TracedRequest, at end: Instant) {
        var facts: [(name: String, value: Span.Value)] = [
            ("http.response.status_code", .number(request.status)),
            ("belfry.tracking", .text(request.tracking)),
        ]
        if let hub = request.hub { facts.append(("belfry.hub", .text("\(hub)"))) }
        add(
            Span(
                of: trace,
                request.operation,
                until: end,
                facts,
                hasFailed: request.status >= 500
            )
        )
    }

    /// Records of a hub are durable; call it before shards and relays hear of them.
    package func committed(
        _ records: [NotificationRecord],
        of hub: HubName,
        from start: Instant,
        until end: Instant
    ) {
        for record in records {
            guard let trace = record.draft.trace else { continue }
            keep(Traced(request: trace, accepted: end), Place(hub: hub, sequence: record.sequence))
            let facts: [(name: String, value: Span.Value)] = [
                ("belfry.hub", .text("\(hub)")),
                ("belfry.notification", .text(record.id.text)),
                ("belfry.sequence", .number(Int(clamping: record.sequence))),
            ]
            add(Span(below: trace, id: newID(), "commit", from: start, until: end, facts))
        }
    }

    /// A shard tells a step of a delivery.
    package func heard(_ step: DeliveryStep, of hub: HubName) {
        guard let trace = step.trace else { return }
        let name: String
        let start: Instant
        var facts: [(name: String, value: Span.Value)] = [
            ("belfry.sequence", .number(Int(clamping: step.sequence)))
        ]
        let accepted = accepted(step.sequence, of: hub) ?? trace.began
        switch step.kind {
        case .selected(let registrations):
            (name, start) = ("fan out", accepted)
            facts.append(("belfry.registrations", .number(registrations)))
        case .sent(let device):
            (name, start) = ("send", accepted)
            facts.append(("belfry.device", .text("\(device.text)")))
        case .acknowledged(let device, let sent):
            (name, start) = ("acknowledge", sent)
            facts.append(("belfry.device", .text("\(device.text)")))
        }
        add(Span(below: trace, id: newID(), name, from: start, until: step.at, facts))
    }

    /// A push service has answered a request for a notification, or has not: then there is no
    /// status.
    package func relayed(
        _ sequence: UInt64,
        of hub: HubName,
        to platform: Platform,
        status: Int?,
        from start: Instant,
        until end: Instant
    ) {
        let place = Place(hub: hub, sequence: sequence)
        let request = state.withLock { state -> RequestTrace? in
            guard let known = state.notifications[place],
                known.relays < TraceLimits.relaysPerNotification
            else { return nil }
            state.notifications[place]?.relays += 1
            return known.request
        }
        guard let request else { return }
        var facts: [(name: String, value: Span.Value)] = [
            ("belfry.platform", .text(platform.format)),
            ("belfry.sequence", .number(Int(clamping: sequence))),
        ]
        if let status { facts.append(("http.response.status_code", .number(status))) }
        add(
            Span(
                below: request,
                id: newID(),
                "relay",
                .client,
                from: start,
                until: end,
                facts,
                hasFailed: status.map { $0 >= 400 } ?? true
            )
        )
    }

    // MARK: Export

    /// Takes the spans that wait the longest, and how many were dropped since the last call.
    func take(_ most: Int) -> (spans: [Span], dropped: Int) {
        state.withLock { state in
            let taken = Array(state.waiting.prefix(most))
            state.waiting.removeFirst(taken.count)
            defer { state.dropped = 0 }
            return (taken, state.dropped)
        }
    }

    /// Takes spans back that could not be exported; those without room are dropped.
    func takeBack(_ spans: [Span]) {
        state.withLock { state in
            let room = TraceLimits.spansWaiting - state.waiting.count
            state.waiting.insert(contentsOf: spans.suffix(room), at: 0)
            state.dropped += max(0, spans.count - room)
        }
    }

    private func add(_ span: Span) {
        state.withLock { state in
            guard state.waiting.count < TraceLimits.spansWaiting else {
                state.dropped += 1
                return
            }
            state.waiting.append(span)
        }
    }

    private func keep(_ traced: Traced, _ place: Place) {
        state.withLock { state in
            state.notifications[place] = traced
            state.order.append(place)
            guard state.order.count > TraceLimits.notifications else { return }
            state.notifications[state.order.removeFirst()] = nil
        }
    }

    private func accepted(_ sequence: UInt64, of hub: HubName) -> Instant? {
        state.withLock { $0.notifications[Place(hub: hub, sequence: sequence)]?.accepted }
    }

    private func newID() -> UInt64 {
        random.withLock { UInt64.random(in: 1...UInt64.max, using: &$0) }
    }
}

extension DeviceID {
    /// Its digits, as commands and pages show it.
    fileprivate var text: String { HexText.digits(high) + HexText.digits(low) }
}
