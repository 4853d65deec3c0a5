/// What a test send did at each of the registrations that it was for.
///
/// Source: REST §10.
package struct TestOutcome: Sendable {
    /// One registration, or one handle of a direct send.
    package struct Result: Sendable {
        /// Its platform.
        package var platform: Platform
        /// Its handle, as stored; a secret.
        package var handle: [UInt8]
        /// Its external id; nil for a handle that no registration has.
        package var registration: [UInt8]?
        /// What happened.
        package var verdict: TestVerdict

        /// Makes a result.
        package init(
            platform: Platform,
            handle: [UInt8],
            registration: [UInt8]?,
            verdict: TestVerdict
        ) {
            self.platform = platform
            self.handle = handle
            self.registration = registration
            self.verdict = verdict
        }
    }

    /// The notification; nil when there was nobody to send it to.
    package var notification: NotificationName?
    /// At most `CoreLimits.testSendsMax`, in no particular order.
    package var results: [Result]

    /// Makes an outcome.
    package init(notification: NotificationName?, results: [Result]) {
        self.notification = notification
        self.results = results
    }
}

/// What became of a test send at one registration.
package enum TestVerdict: Hashable, Sendable {
    /// Handed to the connection of its device.
    case sent
    /// Held for its device, which is away.
    case held
    /// Its device is away, and the notification lives for no time.
    case missed
    /// The handle belongs to no device of this hub.
    case unknownHandle
    /// The template no longer compiles.
    case templateError
    /// The rendered payload is over the limit.
    case invalidSize(bytes: Int, limit: Int)

    /// Whether the device has it, or will.
    package var isSuccess: Bool {
        switch self {
        case .sent, .held: true
        case .missed, .unknownHandle, .templateError, .invalidSize: false
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
        case .unknownHandle:
            "The Push Notification System handle for the registration is invalid"
        case .templateError: "The template of the registration does not compile"
        case .invalidSize(let bytes, let limit):
            "The notification is too large: at least \(bytes) bytes, \(limit) are allowed"
        }
    }
}
