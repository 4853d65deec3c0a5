import HubClient
import HubSender
import HubVocabulary

/// One send: when it began, when it was answered, and under which name devices receive it.
struct SendRecord: Sendable {
    /// When it should have begun; the same as `sentAt` where nothing was planned.
    let intendedAt: Instant
    let sentAt: Instant
    let answeredAt: Instant
    let id: NotificationIdentifier?
    let payloadBytes: Int
    let failure: SenderError?

    init(
        sentAt: Instant,
        answeredAt: Instant,
        id: NotificationIdentifier?,
        payloadBytes: Int,
        failure: SenderError?,
        intendedAt: Instant? = nil
    ) {
        self.sentAt = sentAt
        self.intendedAt = intendedAt ?? sentAt
        self.answeredAt = answeredAt
        self.id = id
        self.payloadBytes = payloadBytes
        self.failure = failure
    }

    init(sending notification: OutgoingNotification, with sender: SenderClient) async {
        payloadBytes = notification.body.count
        sentAt = .now
        intendedAt = sentAt
        do throws(SenderError) {
            let sent = try await sender.send(notification)
            answeredAt = .now
            id = sent.identifier
            failure = sent.identifier == nil ? .answerMalformed(reason: "unknown id") : nil
        } catch {
            answeredAt = .now
            id = nil
            failure = error
        }
    }

    /// The same send, which should have begun then; nil where nothing was planned.
    ///
    /// A record of its own: Swift 6.3 reads a wrong value where a record that an async call returned is
    /// changed in place and returned again, in optimized builds.
    func intended(at due: Instant?) -> SendRecord {
        SendRecord(
            sentAt: sentAt,
            answeredAt: answeredAt,
            id: id,
            payloadBytes: payloadBytes,
            failure: failure,
            intendedAt: due
        )
    }
}
