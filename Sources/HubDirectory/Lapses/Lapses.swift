import HubModel
import HubVocabulary

/// When registrations and installations lapse.
struct Lapses {
    /// Registrations by their time.
    var registrations = ExpiryQueue<RegistrationNumber>()
    /// Installations by their time.
    var installations = ExpiryQueue<InstallationNumber>()
    /// Seconds for which a registration lives after a write over REST that is not an installation's;
    /// nil for ever.
    ///
    /// Source: REST §4.16.
    var registrationLifeSeconds: UInt64?

    /// When a registration that is written over REST now lapses; nil for never.
    func endOfLife(from now: Timestamp) -> Timestamp? {
        registrationLifeSeconds.map { now.adding(seconds: $0) }
    }
}
