/// News of a hub's log for those who follow it beside the shards.
enum LogNews: Sendable {
    /// Records up to here are durable.
    case committed(through: UInt64)
    /// Administrators purged records up to here.
    case purged(through: UInt64)
}
