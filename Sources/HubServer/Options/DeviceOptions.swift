package import HubTransport
package import HubVocabulary
import SystemPackage

/// Where and how devices are served.
package struct DeviceOptions: Sendable {
    /// The address that is listened at.
    package var host = "127.0.0.1"
    /// 0 picks a free port.
    package var port = 9_443
    /// Balancers, which say in front of each connection for whom it is.
    package var proxies: [AddressBlock] = []
    /// Who seals the records of connections after the handshake.
    package var records = RecordSealing.own
    /// How bytes go to the kernel.
    package var submission = Submission.ring
    /// Threads that serve devices; 0 is one per core.
    package var shards = 0
    /// Limits of sessions.
    package var sessionLimits = SessionLimits()
    /// Limits of the transport.
    ///
    /// Connections, handshakes and unauthenticated connections are those of the whole server: each
    /// shard gets its part, rounded up. The limit per address holds on each shard, since the kernel
    /// does not spread one address's connections evenly.
    package var transportLimits = TransportLimits.standard

    /// How bytes go to the kernel here, and why not otherwise.
    var usedSubmission: String {
        guard submission == .ring else { return submission.rawValue }
        guard let code = Submission.probeRing() else { return Submission.ring.rawValue }
        return "\(Submission.send.rawValue), no io_uring: \(Errno(rawValue: code))"
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
