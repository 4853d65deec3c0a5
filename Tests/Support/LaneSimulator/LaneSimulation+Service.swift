import HubModel
import HubRelay
import HubVocabulary

/// The service's part: what it does with a request, judged by what its journal allows.
extension LaneSimulation {
    /// What the service does to a request.
    private enum Reaction {
        case take, dead, bad, content, error, deviceBusy, notProcessed, noAnswer
    }

    /// Whether the handle of a registration is dead, or bad.
    static func isDead(_ registration: UInt32) -> Bool { registration % 19 == 3 }
    static func isBad(_ registration: UInt32) -> Bool { registration % 29 == 7 }
    /// Whether a device refuses all content that is rendered for it.
    static func refusesContent(_ registration: UInt32) -> Bool { registration % 23 < 2 }

    mutating func verdict(_ ticket: LaneTicket, seen: Int) -> RelayVerdict {
        let match = SimulatedMatch(sequence: ticket.sequence, registration: ticket.registration)
        if trouble.credentialIsWrong {
            return RelayVerdict(.credential, .invalidCredentials, "wrong")
        }
        if seen < trouble.awayUntil {
            return RelayVerdict(.stall(retryAfter: nil), .pnsUnavailable, "")
        }
        if !heals, chance(120) { return RelayVerdict(.slow(retryAfter: 8), .throttled, "") }
        switch reaction(ticket, seen: seen) {
        case .take:
            violations += journal.take(match)
            return RelayVerdict(.done, .success)
        case .dead:
            violations += journal.refuseDead(match)
            return RelayVerdict(.gone(since: nil), .expiredChannel, "")
        case .bad:
            journal.suspected.insert(match)
            return RelayVerdict(.suspect(mayDelete: true), .badChannel, "")
        case .content: return RelayVerdict(.content, .invalidNotificationFormat, "")
        case .error: return RelayVerdict(.later(seconds: 1, most: 4), .pnsServerError, "")
        case .deviceBusy: return RelayVerdict(.later(seconds: 2, most: 16), .channelThrottled, "")
        case .notProcessed: return RelayVerdict(.again, .pnsUnavailable, "")
        case .noAnswer:
            violations += journal.take(match)
            journal.repeatable.insert(match)
            return .unreachable("cut")
        }
    }

    private mutating func reaction(_ ticket: LaneTicket, seen: Int) -> Reaction {
        if seen < trouble.errorsUntil { return .error }
        if Self.isDead(ticket.registration) { return .dead }
        if trouble.isOtherEnvironment || Self.isBad(ticket.registration) { return .bad }
        if Self.refusesContent(ticket.registration) { return .content }
        guard !heals else { return .take }
        if chance(25) { return .notProcessed }
        if chance(60) { return .noAnswer }
        // A device that is busy on every attempt would end as given up, which no checker counts.
        if ticket.attempt < 3, chance(20) { return .deviceBusy }
        return .take
    }
}
