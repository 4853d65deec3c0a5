/// The result of a test send at one registration.
package enum TestVerdict: Hashable, Sendable {
    /// Handed to the connection of its device.
    case sent
    /// Held for its device, which is away.
    case held
    /// Its device is away, and the notification lives for no time.
    case missed
    /// The handle belongs to no device of this hub.
    case unknownHandle
    /// The handle is for the platform's service, which was not asked yet.
    case forService
    /// The answer of the platform's service, when it was asked.
    case service(RelayTrialAnswer)
    /// The template no longer compiles.
    case templateError
    /// The rendered payload is over the limit.
    case invalidSize(bytes: Int, limit: Int)

    /// Whether the device has it, or will.
    package var isSuccess: Bool {
        switch self {
        case .sent, .held, .service(.taken): true
        case .missed, .unknownHandle, .forService, .service, .templateError, .invalidSize: false
        }
    }

    /// One sentence, in the words that clients show.
    ///
    /// Source: REST §10.
    package var text: String {
        let sent = "The Notification was successfully sent to the Push Notification System"
        return switch self {
        case .sent: sent
        case .held: "\(sent); its device is not connected and gets it when it is"
        case .missed:
            "The device of the registration is not connected, and the notification lives for no time"
        case .service(.taken): sent
        case .service(.refused(let outcome, let reason)):
            "The Push Notification System refuses it: \(outcome.name)"
                + (reason.isEmpty ? "" : ", \(reason)")
        case .service(.unanswered(let reason)):
            "The Push Notification System gives no answer"
                + (reason.isEmpty ? "" : ": \(reason)")
        case .unknownHandle, .forService, .service(.untestable), .service(.noRelay):
            "The Push Notification System handle for the registration is invalid"
        case .templateError: "The template of the registration does not compile"
        case .invalidSize(let bytes, let limit):
            "The notification is too large: at least \(bytes) bytes, \(limit) are allowed"
        }
    }
}
