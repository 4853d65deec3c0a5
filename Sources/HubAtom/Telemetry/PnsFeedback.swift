package import HubModel
import HubRules
import HubVocabulary

/// One thing that a client should hear of a push handle.
///
/// Source: REST §12.
package struct PnsFeedback {
    /// When it happened.
    private let time: Timestamp
    /// One of the words that clients know.
    private let error: String
    private let platform: Platform
    /// As the registration has it.
    private let handle: [UInt8]
    private let registration: [UInt8]
    /// Empty for none.
    private var installation: [UInt8] = []
    /// Empty where it is about no notification.
    private var notification = ""

    /// The document on a line of its own, members in the order that clients read.
    package var line: [UInt8] {
        var output = XMLOutput(isOneLine: true)
        output.markup("<PnsFeedback xmlns=\"\(XMLNamespace.connect)\"")
        output.markup(" xmlns:i=\"\(XMLNamespace.instance)\">")
        output.element("FeedbackTime", text: CivilTime(time).isoMilliseconds)
        output.element("NotificationSystemError", text: error)
        output.element("Platform", text: platform.format)
        output.element("PnsHandle", OwnHandle.spelled(handle, platform: platform))
        output.element("RegistrationId", registration)
        output.element("InstallationId", installation)
        output.element("NotificationId", text: notification)
        output.markup("</PnsFeedback>\n")
        return output.bytes
    }
}

extension PnsFeedback {
    /// Feedback of a row of the journal of departures.
    package init(_ departure: DepartureRow) {
        self.init(
            time: departure.time,
            error: Self.word(departure.cause),
            platform: departure.platform,
            handle: departure.handle,
            registration: departure.registration,
            installation: departure.installation ?? []
        )
    }

    /// Feedback of a failed delivery, in the words of its outcomes.
    package init(_ failure: DeliveryFailure, of notification: NotificationName) {
        self.init(
            time: failure.time,
            error: Self.word(failure.kind),
            platform: failure.platform,
            handle: failure.handle,
            registration: failure.registration,
            installation: failure.installation ?? [],
            notification: NotificationAddress.text(notification.id, notification.sequence ?? 0)
        )
    }

    private static func word(_ kind: DeliveryFailure.Kind) -> String {
        switch kind {
        case .dropped: "Dropped"
        case .unknownHandle: "BadChannel"
        case .refused(let outcome): outcome.name
        case .templateError: "InvalidNotificationFormat"
        case .invalidSize: "InvalidNotificationSize"
        }
    }

    /// The word for a cause.
    ///
    /// All but the one for a revoked key say that the registration is gone.
    private static func word(_ cause: DepartureCause) -> String {
        switch cause {
        case .lapsed, .idle, .expiredChannel: "ExpiredChannel"
        case .unregistered, .badChannel: "BadChannel"
        case .revoked: "InvalidToken"
        }
    }
}
