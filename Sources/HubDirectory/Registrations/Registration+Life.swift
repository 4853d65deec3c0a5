package import HubModel
package import HubVocabulary

extension Registration {
    /// Whether its time is over.
    package func isExpired(_ now: Timestamp) -> Bool { expires.map { $0 <= now } ?? false }
}
