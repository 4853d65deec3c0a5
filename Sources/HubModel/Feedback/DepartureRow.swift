package import HubVocabulary

/// A row of the journal of departures: one registration that ended by itself.
///
/// Source: REST reference §12.
package struct DepartureRow: Hashable, Sendable {
    /// Its place in the journal, from 1 on and without holes, as long as the journal is not empty.
    package var number: UInt64
    /// When it ended; never before that of the row before.
    package var time: Timestamp
    /// Why.
    package var cause: DepartureCause
    /// The platform of the handle.
    package var platform: Platform
    /// The push handle as REST shows it: a secret.
    package var handle: [UInt8]
    /// The registration's external id.
    package var registration: [UInt8]
    /// The id of the installation that the registration belonged to; nil for none.
    package var installation: [UInt8]?

    /// Makes a row.
    package init(
        number: UInt64,
        time: Timestamp,
        cause: DepartureCause,
        platform: Platform,
        handle: [UInt8],
        registration: [UInt8],
        installation: [UInt8]? = nil
    ) {
        self.number = number
        self.time = time
        self.cause = cause
        self.platform = platform
        self.handle = handle
        self.registration = registration
        self.installation = installation
    }
}
