import HubCore

/// One thing that a client should hear of a push handle.
///
/// Source: REST §12.
struct PnsFeedback {
    /// When it happened.
    var time: Timestamp
    /// One of the words that clients know.
    var error: String
    var platform: Platform
    /// As the registration has it.
    var handle: [UInt8]
    var registration: [UInt8]
    /// Empty for none.
    var installation: [UInt8] = []
    /// Empty where it is about no notification.
    var notification = ""

    /// The document on a line of its own, members in the order that clients read.
    var line: [UInt8] {
        var output = XMLOutput()
        output.isOneLine = true
        output.markup("<PnsFeedback xmlns=\"\(XMLNamespace.connect)\"")
        output.markup(" xmlns:i=\"\(XMLNamespace.instance)\">")
        output.element("FeedbackTime", text: CivilTime(time).isoMilliseconds)
        output.element("NotificationSystemError", text: error)
        output.element("Platform", text: platform.format)
        output.element("PnsHandle", handle)
        output.element("RegistrationId", registration)
        output.element("InstallationId", installation)
        output.element("NotificationId", text: notification)
        output.markup("</PnsFeedback>\n")
        return output.bytes
    }
}

extension PnsFeedback {
    /// What the journal of departures says.
    init(_ departure: DepartureRow) {
        self.init(
            time: departure.time,
            error: Self.word(departure.cause),
            platform: departure.platform,
            handle: departure.handle,
            registration: departure.registration,
            installation: departure.installation ?? []
        )
    }

    /// The word for a cause.
    ///
    /// All but the one for a revoked key say that the registration is gone.
    private static func word(_ cause: DepartureCause) -> String {
        switch cause {
        case .lapsed, .idle: "ExpiredChannel"
        case .unregistered: "BadChannel"
        case .revoked: "InvalidToken"
        }
    }
}
