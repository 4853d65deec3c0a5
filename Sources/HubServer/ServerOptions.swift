package import HubCore
import HubHTTP
package import HubStore
package import HubTransport
import NIOCore

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

/// What one REST connection may cost, and how long it may be silent.
package struct RESTLimits: Sendable {
    /// Connections at once; more wait in the kernel's queue.
    package var connections = 4_096
    /// Connections of one address at once (IPv6: of one /64); one more is closed before TLS.
    ///
    /// Source: rules C.6.
    package var connectionsPerAddress = 512
    /// Whether connections from this machine count towards the limit per address.
    package var limitsLoopback = false
    /// Bytes of one header field.
    package var headerFieldBytes = 16_384
    /// Bytes of all header fields of a request.
    package var headerListBytes = 32_768
    /// Header fields of a request.
    package var headerFields = 128
    /// Seconds for the TLS handshake.
    package var handshakeSeconds = 10
    /// Seconds without a byte from the peer; also between requests.
    package var silentSeconds = 60
    /// Seconds from the first byte of a request to an answer; a slow body has `silentSeconds` more.
    package var answerSeconds = 60
    /// Seconds a connection may last; HTTP/2 clients are told to come back.
    package var connectionSeconds = 3_600
    /// Seconds a connection has to end after it was asked to; TLS then waits five more for a peer
    /// that does not confirm.
    package var closeSeconds = 3
    /// Seconds after which an orderly end is given up.
    package var shutdownSeconds = 20
    /// Checked tokens that are remembered.
    package static let tokensKept = 4_096

    /// The defaults.
    package init() {}

    /// What each connection has; HTTP ends idle ones in order before these do.
    var times: ConnectionTimes {
        let silence = TimeAmount.seconds(Int64(silentSeconds))
        var times = ConnectionTimes(
            opening: .seconds(Int64(handshakeSeconds)),
            silence: silence,
            request: .seconds(Int64(answerSeconds)) + silence,
            unread: silence
        )
        times.opensWithHandshake = true
        times.pause = silence * 2
        times.closing = .seconds(Int64(closeSeconds))
        return times
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

/// Why a server did not start or had to stop; one readable line for the operator.
package enum ServerError: Error, Sendable, CustomStringConvertible {
    /// The folder or a file in it cannot be used.
    case folder(path: String, reason: String)
    /// Another process holds the folder.
    case folderInUse(path: String)
    /// A file in the folder does not say what it should.
    case brokenFile(path: String, reason: String)
    /// A listener could not be opened.
    case listener(name: String, reason: String)
    /// The certificate or key cannot be used.
    case certificate(reason: String)
    /// The store of a hub cannot be opened.
    case store(hub: String, reason: String)
    /// A hub's name cannot be used.
    case hubName(String)
    /// A bind that others can reach needs confirmation.
    case publicBind(host: String)

    package var description: String {
        switch self {
        case .folder(let path, let reason): "cannot use \(path): \(reason)"
        case .folderInUse(let path): "\(path) is in use by another belfry process"
        case .brokenFile(let path, let reason): "\(path): \(reason)"
        case .listener(let name, let reason): "\(name) listener: \(reason)"
        case .certificate(let reason): "certificate: \(reason)"
        case .store(let hub, let reason): "store of hub '\(hub)': \(reason)"
        case .hubName(let name):
            "'\(name)' is no hub name; use letters, digits, '.', '_' and '-'"
        case .publicBind(let host):
            "\(host) can be reached from other machines; check keys and certificate, then start "
                + "again with --confirm-public-bind"
        }
    }
}
