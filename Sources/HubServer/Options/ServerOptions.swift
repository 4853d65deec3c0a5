package import HubCore
package import HubStore
package import HubTransport

/// What a server is started with; every field has a default but the data folder.
package struct ServerOptions: Sendable {
    /// The folder with keys, certificates and stores; made when missing.
    package var data: String
    /// Address of the REST listener.
    package var restHost = "127.0.0.1"
    /// Port of the REST listener; 0 picks a free one.
    package var restPort = 8_443
    /// Address of the device listener.
    package var deviceHost = "127.0.0.1"
    /// Port of the device listener; 0 picks a free one.
    package var devicePort = 9_443
    /// Who seals the records of devices' connections after the handshake.
    package var deviceRecords = RecordSealing.own
    /// How bytes for devices go to the kernel.
    package var deviceSubmission = Submission.ring
    /// Threads that serve devices; 0 is one per core.
    package var shards = 0
    /// Hubs to make when the folder has none.
    package var hubs = ["hub"]
    /// Names under which clients know the server, besides localhost and the bound addresses.
    package var names: [String] = []
    /// Certificate chain and key for both listeners; nil uses the development authority's.
    package var certificateFile: String?
    /// The private key of `certificateFile`; both or none.
    package var keyFile: String?
    /// Authorities whose client certificates prove devices; nil asks for none.
    package var clientAuthoritiesFile: String?
    /// Whether a bind that others can reach was confirmed.
    ///
    /// Source: README.md, Configuration.
    package var isPublicBindConfirmed = false
    /// Restores the cloud's behaviour for Listen tokens.
    ///
    /// Source: rules C.3.
    package var listenMaySetProtectedTags = false
    /// Addresses at or below which bulk jobs may read and write, besides a folder of their hub.
    ///
    /// Source: REST §13.
    package var jobURLs: [String] = []
    /// Seconds over which devices come back after a drain.
    package var drainSpreadSeconds = 30
    /// Limits of the core.
    package var coreLimits = CoreLimits()
    /// Limits of the hubs' stores.
    package var storeLimits = StoreLimits()
    /// Limits of device sessions.
    package var sessionLimits = SessionLimits()
    /// Limits of the device transport.
    ///
    /// Connections, handshakes and unauthenticated connections are those of the whole server: each
    /// shard gets its part, rounded up. The limit per address holds on each shard, since the kernel
    /// does not spread one address's connections evenly.
    package var transportLimits = TransportLimits.standard
    /// Limits of the REST listener.
    package var restLimits = RESTLimits()
    /// Where the numbers are that operators read.
    package var metrics = MetricRegistry()

    /// The defaults, for a folder.
    package init(data: String) { self.data = data }

    /// Files that all connections, stores and threads may need open at once.
    var openFilesMax: Int { transportLimits.connections + restLimits.connections + 1_024 }

    /// How devices' bytes go to the kernel here, and why not otherwise.
    var submission: String {
        guard deviceSubmission == .ring else { return deviceSubmission.rawValue }
        guard let code = Submission.probeRing() else { return Submission.ring.rawValue }
        return "\(Submission.send.rawValue), no io_uring: errno \(code)"
    }

    /// With `localhost` as the address that both listeners can bind.
    var numeric: ServerOptions {
        var numeric = self
        if restHost == "localhost" { numeric.restHost = "127.0.0.1" }
        if deviceHost == "localhost" { numeric.deviceHost = "127.0.0.1" }
        return numeric
    }
}

extension TransportLimits {
    /// One shard's part of a server's limits.
    func divided(among shards: Int) -> TransportLimits {
        var part = self
        part.connections = (connections + shards - 1) / shards
        part.handshakes = (handshakes + shards - 1) / shards
        part.unauthenticated = (unauthenticated + shards - 1) / shards
        return part
    }
}
