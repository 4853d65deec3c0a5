import HubVocabulary

/// How far the feed of a hub was applied on a shard.
struct FeedPlace {
    /// The sequence number of its last record, and that record's check value.
    var applied: UInt64
    var check: UInt32
    /// When that was.
    var at: Timestamp
    /// The epoch of its sequence numbers.
    let epoch: UInt64
}
