package import HubModel
package import HubVocabulary

/// An order of a shard to its owner.
package enum ShardAction: Sendable {
    /// To the directory of a hub.
    case directory(HubName, DirectoryRequest)
    /// Read the records that a session's device missed; answered by `ShardMessage.page`.
    case readLog(HubName, LogQuery)
    /// The session that asked for a read of the log has ended: the answer is not needed.
    case forgetRead(HubName, DeviceID, sessionGeneration: UInt64)
    /// A followed notification is a step further on its way.
    case followed(HubName, DeliveryStep)
    /// The connection no longer counts as unauthenticated.
    case authenticated(ConnectionID)
    /// Close it: after what was written is flushed, or at once.
    case close(ConnectionID, afterFlush: Bool)
}
