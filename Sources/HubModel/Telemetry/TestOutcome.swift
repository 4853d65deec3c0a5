package import HubVocabulary

/// The result of a test send at each of the registrations that it was for.
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
        /// The result there.
        package var verdict: TestVerdict
        /// The registration of a handle that is for a service; nil for one without.
        package var stored: Registration?

        /// Makes a result.
        package init(
            platform: Platform,
            handle: [UInt8],
            registration: [UInt8]?,
            verdict: TestVerdict,
            stored: Registration? = nil
        ) {
            self.platform = platform
            self.handle = handle
            self.registration = registration
            self.verdict = verdict
            self.stored = stored
        }
    }

    /// The notification; nil when the send had no recipient.
    package var notification: NotificationName?
    /// At most `CoreLimits.sends.testSendsMax`, in no particular order.
    package var results: [Result]

    /// Makes an outcome.
    package init(notification: NotificationName?, results: [Result]) {
        self.notification = notification
        self.results = results
    }
}

extension TestOutcome.Result {
    /// Whether the device has it, or will.
    package var isSuccess: Bool { verdict.isSuccess }
}
