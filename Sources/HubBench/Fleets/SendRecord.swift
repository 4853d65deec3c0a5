import HubClient
import HubSender
import HubVocabulary

/// One send: when it began, when it was answered, and under which name devices receive it.
struct SendRecord: Sendable {
    /// When it should have begun; the same as `sentAt` where nothing was planned.
    var intendedAt: Instant
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
        failure: SenderError?
    ) {
        self.sentAt = sentAt
        intendedAt = sentAt
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
}
