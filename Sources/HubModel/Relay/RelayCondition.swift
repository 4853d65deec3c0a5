package import HubVocabulary

/// A lane's numbers and its credential's state, as the lane tells them about once a second.
package struct RelayCondition: Hashable, Sendable {
    /// Requests that the service took or refused, since the server began.
    package var answers: UInt64 = 0
    /// The same a second, over the last five seconds or more.
    package var rate = 0.0
    /// Notifications for one device each that wait in the records that are being sent.
    package var waiting = 0
    /// When the oldest record that is being sent was accepted; nil when there is none.
    package var oldest: Timestamp?
    /// The service's word on the credential.
    package var credential = CredentialState.untried
    /// When the client certificate ends; nil for a credential without one.
    package var certificateEnd: Timestamp?

    /// The age of the oldest record that is being sent; 0 when there is none.
    package func oldestSeconds(now: Timestamp) -> Int {
        let accepted = (oldest ?? now).milliseconds
        return Int((now.milliseconds - min(now.milliseconds, accepted)) / 1_000)
    }

    /// The condition of a lane that has done nothing yet.
    package init() {}
}
