import HubVocabulary
import HubWire

/// The requests of a connection that the hub has not answered, and the pause that it asked for.
struct RequestBook {
    /// Until when nothing is repeated; nil when no pause was asked for.
    private(set) var retryDue: Instant?
    /// When slots with a lifetime are registered again; nil without any.
    private(set) var renewalDue: Instant?
    /// Receipts that one RECEIPTS may have; 0 when the hub takes none.
    let receiptsPerFrame: Int
    /// Slots whose last request was refused for good: none is repeated in this session. [E-6]
    private var refusedSlots: Set<UInt16> = []
    /// Slots that are removed without the app, in case the hub has them. [T-7]
    private var unknownSlots: Set<UInt16> = []
    private var outstanding: [OutstandingRequest] = []
    private var lastRef: UInt16 = 0
    /// When RECEIPTS were sent last.
    private var reportedAt: Instant?

    init(receiptsPerFrame: Int) { self.receiptsPerFrame = receiptsPerFrame }

    /// Whether the hub may be sent receipts now: one frame of them at a time.
    var mayReport: Bool {
        retryDue == nil
            && !outstanding.contains { if case .receipts = $0.kind { true } else { false } }
    }

    /// When so many receipts that wait may be sent, within the rate of [S-6]; nil at any time.
    func reportDue(waiting count: Int) -> Instant? {
        guard let reportedAt, count > 0, mayReport else { return nil }
        return reportedAt + (count >= receiptsPerFrame ? .milliseconds(100) : .seconds(1))
    }

    /// Notes that RECEIPTS were sent.
    mutating func report(at instant: Instant) { reportedAt = instant }

    /// Notes when a slot is to be registered again; the earliest counts.
    mutating func renew(at instant: Instant) {
        renewalDue = min(renewalDue ?? instant, instant)
    }

    /// Whether slots are to be registered again now.
    mutating func endRenewal(at instant: Instant) -> Bool {
        guard let due = renewalDue, instant >= due else { return false }
        renewalDue = nil
        return true
    }

    /// A request id that is not in use; nil when as many requests as may be are unanswered.
    mutating func nextRef() -> UInt16? {
        guard outstanding.count < WireLimits.outstandingRequestsMax else { return nil }
        repeat {
            lastRef = lastRef == .max ? 1 : lastRef + 1
        } while outstanding.contains { $0.ref == lastRef }
        return lastRef
    }

    /// Notes a request that was sent.
    mutating func add(_ kind: OutstandingRequest.Kind, ref: UInt16) {
        let request = OutstandingRequest(ref: ref, kind: kind)
        if let slot = request.slot {
            refusedSlots.remove(slot)
            unknownSlots.remove(slot)
        }
        outstanding.append(request)
    }

    /// Notes that the hub refused what was wanted of a slot, unless something newer is under way.
    mutating func refuse(_ slot: UInt16) {
        if lastAsked(about: slot) == nil { refusedSlots.insert(slot) }
    }

    /// Whether a slot is as it was refused: only the app, or the next session, asks again.
    func isRefused(_ slot: UInt16) -> Bool { refusedSlots.contains(slot) }

    /// Notes that a slot is probably empty whose removal was just sent.
    mutating func expectNothing(in slot: UInt16) { unknownSlots.insert(slot) }

    /// Whether the app has not asked for the removal of a slot.
    func expectsNothing(in slot: UInt16) -> Bool { unknownSlots.contains(slot) }

    /// Takes the request that an answer is for; nil when there is none.
    mutating func take(_ ref: UInt16) -> OutstandingRequest? {
        guard ref != 0, let index = outstanding.firstIndex(where: { $0.ref == ref }) else {
            return nil
        }
        return outstanding.remove(at: index)
    }

    /// The last request about a slot that the hub has not answered: its state at the end.
    func lastAsked(about slot: UInt16) -> OutstandingRequest.Kind? {
        outstanding.last { $0.slot == slot }?.kind
    }

    /// The hub asked for a pause; the longest counts.
    mutating func pause(until instant: Instant) {
        retryDue = max(retryDue ?? instant, instant)
    }

    /// Whether a pause is over now.
    mutating func endPause(at instant: Instant) -> Bool {
        guard let due = retryDue, instant >= due else { return false }
        retryDue = nil
        return true
    }
}
