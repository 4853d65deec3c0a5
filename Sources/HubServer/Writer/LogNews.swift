import HubModel
import HubVocabulary

/// News of a hub's log for those who follow it beside the shards.
enum LogNews: Sendable {
    /// These records are durable since now, and were not when the commit began; no shard has heard
    /// of them.
    case accepted([NotificationRecord], from: Instant)
    /// These records are durable, up to a place.
    case committed([NotificationRecord], through: UInt64)
    /// Administrators purged records up to here.
    case purged(through: UInt64)
}
