/// Limits of a namespace: its hubs, their access rules and tokens.
package struct NamespaceLimits: Equatable, Sendable {
    /// Bytes of an `Authorization` header or a device's token.
    ///
    /// Device SDKs sign whole URLs with query, so this is generous.
    package var tokenBytesMax = 8_192
    /// Seconds for which a token is still taken after its expiry, for slow clocks.
    ///
    /// Source: REST reference §3.4.
    package var tokenSkewSeconds: UInt64 = 60
    /// Access rules of one hub, and of the namespace.
    ///
    /// Source: REST reference §3.5.
    package var accessRulesMax = 12
    /// Characters of an access rule's name and of a key.
    ///
    /// Source: REST reference §3.5.
    package var accessTextMax = 256
    /// Hubs of one namespace; each has two threads, its files and a part of every shard.
    package var hubsMax = 100
    /// Hubs of one page of a list.
    package var pageHubsMax = 100
    /// Characters that administrators may note with a hub.
    ///
    /// Source: REST reference §15.
    package var hubMetadataMax = 1_024

    /// The defaults.
    package init() {}
}
