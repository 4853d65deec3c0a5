import HubModel
import HubVocabulary

extension Installation {
    /// Whether its time is over.
    func isExpired(_ now: Timestamp) -> Bool { expires.map { $0 <= now } ?? false }
}
