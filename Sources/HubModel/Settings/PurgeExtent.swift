package import HubVocabulary

/// How far a purge goes.
package enum PurgeExtent: Hashable, Sendable {
    /// Everything at or below this place that is in the log now.
    case through(UInt64)
    /// Everything that was accepted before this time.
    case before(Timestamp)
}
