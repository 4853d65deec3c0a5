package import HubVocabulary
package import HubWire

/// A message to a shard about one hub; messages come in the order in which the directory sent them.
package enum ShardMessage: Sendable {
    case feed(FeedItem)
    case attached(AttachReply)
    /// The session cannot be opened now.
    case attachRefused(ConnectionAddress, ErrorNumber, retryAfterMilliseconds: UInt32)
    /// Another connection took the device over.
    case takenOver(ConnectionAddress, sessionGeneration: UInt64, sameInstance: Bool)
    case outcome(ConnectionAddress, reference: UInt16, DeviceOutcome)
    /// Feed items were left out: every session must be loaded anew; the head at that time, with
    /// the check value of its record.
    case feedLost(head: UInt64, check: UInt32)
    /// An operator decided otherwise, or purged.
    case settings(HubSettings)
    /// An answer to `ShardAction.readLog`.
    case page(LogPage)
    /// The devices whose keys were revoked and their present generation.
    case revoked(DeviceID, generation: UInt32)
}
