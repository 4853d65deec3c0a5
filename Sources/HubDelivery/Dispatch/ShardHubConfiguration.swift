package import HubModel
package import HubVocabulary

/// The facts about a hub that a shard needs before the first device connects.
package struct ShardHubConfiguration: Sendable {
    /// The hub.
    package var name: HubName
    /// Derives handles and device keys.
    package var secret: HubSecret
    /// The log as of the first feed item.
    package var bounds: LogBounds
    /// The check value of the record at the head.
    package var headCheck: UInt32
    /// Revoked devices' present key generations.
    package var keyGenerations: [DeviceID: UInt32]
    /// Largest rendered payload.
    package var payloadBytesMax: Int
    /// How long the log is kept for absent devices, seconds; told in WELCOME.
    package var retentionSeconds: UInt32
    /// Notifications kept for one absence of a device.
    package var deviceCap: Int
    /// The place through which an operator purged records; 0 for none.
    package var purgedThrough: UInt64

    /// Makes a configuration.
    package init(
        name: HubName,
        secret: HubSecret,
        bounds: LogBounds,
        headCheck: UInt32,
        keyGenerations: [DeviceID: UInt32] = [:],
        payloadBytesMax: Int = 8_192,
        retentionSeconds: UInt32 = 604_800,
        deviceCap: Int = CoreLimits.standard.devices.deviceCap,
        purgedThrough: UInt64 = 0
    ) {
        self.name = name
        self.secret = secret
        self.bounds = bounds
        self.headCheck = headCheck
        self.keyGenerations = keyGenerations
        self.payloadBytesMax = payloadBytesMax
        self.retentionSeconds = retentionSeconds
        self.deviceCap = deviceCap
        self.purgedThrough = purgedThrough
    }

    /// An empty hub in the place of one that is closed.
    init(closing hub: HubShard) {
        self.init(
            name: hub.name,
            secret: hub.secret,
            bounds: LogBounds(epoch: hub.feed.epoch, first: 1, head: 0, epochs: []),
            headCheck: 0
        )
    }
}
