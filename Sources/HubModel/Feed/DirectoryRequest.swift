package import HubVocabulary

/// A shard's message to a hub's directory.
package enum DirectoryRequest: Sendable {
    case attach(AttachRequest)
    /// The connection is gone; ignored when a newer session has taken over.
    case detach(device: DeviceID, sessionGeneration: UInt64)
    /// `reference` comes back with the outcome.
    case device(
        DeviceID,
        sessionGeneration: UInt64,
        ConnectionAddress,
        reference: UInt16,
        DeviceRequest
    )
    /// Acknowledgements and counts of some time; made durable within a second, together.
    case progress(ProgressReport)
    /// A shard fell out of the feed and wants its sessions anew.
    case reload([DeviceReload])
}
