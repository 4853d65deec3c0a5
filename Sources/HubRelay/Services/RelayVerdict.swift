package import HubModel
import HubVocabulary

/// The meaning of a service's answer, or of a refusal before any request was made.
package struct RelayVerdict: Error, Hashable, Sendable {
    /// Bytes of a reason at most.
    private static let reasonBytesMax = 64

    /// The lane's next step.
    package let action: RelayAction
    /// The word under which it is counted, if it ends here.
    package let outcome: RelayOutcome
    /// The service's own reason, without control characters, at most 64 bytes.
    package let reason: String

    /// Makes a verdict; a reason may be a stranger's text.
    package init(_ action: RelayAction, _ outcome: RelayOutcome, _ reason: String = "") {
        self.action = action
        self.outcome = outcome
        guard !reason.isEmpty else {
            self.reason = ""
            return
        }
        var shown = PlainText.shown(Array(reason.utf8).span)
        while shown.utf8.count > Self.reasonBytesMax { shown.removeLast() }
        self.reason = shown
    }

    /// No connection could be made, or it ended without an answer.
    package static func unreachable(_ reason: String) -> RelayVerdict {
        RelayVerdict(.stall(retryAfter: nil), .pnsUnreachable, reason)
    }

    /// The meaning where a registration chooses its host: one that is away or wants less holds up
    /// that registration alone, and no other.
    package var ofOneHost: RelayVerdict {
        let pause: UInt64
        switch action {
        case .stall(let seconds), .slow(let seconds): pause = seconds ?? 300
        // A subscription may belong to another key; the next attempt carries a new token.
        case .renew where outcome == .invalidCredentials: pause = 60
        default: return self
        }
        let seconds = min(max(pause, 60), 14_400)
        return RelayVerdict(.later(seconds: seconds, most: 14_400), outcome, reason)
    }

    /// Whether it is about the content, and not about one device or the credential.
    var isAboutContent: Bool {
        switch action {
        case .content, .malformed:
            outcome == .invalidNotificationFormat || outcome == .invalidNotificationSize
        case .done, .gone, .suspect, .renew, .keepOlderToken, .credential, .later, .slow, .stall,
            .again:
            false
        }
    }

    /// The meaning of a status that no table names.
    static func other(_ answer: RelayAnswer, _ reason: String, now: Timestamp) -> RelayVerdict {
        let shown = reason.isEmpty ? "status \(answer.status)" : reason
        return switch answer.status {
        case 200..<300: RelayVerdict(.done, .success)
        case 429:
            RelayVerdict(.slow(retryAfter: answer.retryAfter(now: now)), .throttled, shown)
        case 500..<600:
            RelayVerdict(.stall(retryAfter: answer.retryAfter(now: now)), .pnsServerError, shown)
        default: RelayVerdict(.content, .unknownError, shown)
        }
    }
}
