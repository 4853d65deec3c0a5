import AsyncHTTPClient
import NIOCore
import NIOSSL
import Synchronization

/// The connections to one host at one address, which was judged when it was looked up.
final class WebHost: Sendable {
    /// Answers that come in pieces may pause so long.
    private static let pauseSeconds: Int64 = 20
    private static let connectionsMax = 16

    /// An HTTP client that ends with the last host that uses it.
    private final class Owned: Sendable {
        let client: HTTPClient

        init(_ client: HTTPClient) { self.client = client }

        deinit {
            let client = client
            // Only a second shutdown fails, and it changes nothing.
            Task.detached { try? await client.shutdown() }
        }
    }

    let address: SocketAddress
    let origin: String
    let lookedUp: ContinuousClock.Instant
    let lastUse = Atomic<UInt64>(0)
    private let owned: Owned

    var client: HTTPClient { owned.client }

    /// Whether both have the same connections.
    func hasConnections(of other: WebHost) -> Bool { owned === other.owned }

    /// Connects to `address` and asks for `name` in TLS.
    init(name: String, address: SocketAddress, secured: TLSConfiguration, connect: Duration) {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: secured,
            redirectConfiguration: .disallow,
            timeout: .init(
                connect: TimeAmount(connect),
                read: .seconds(Self.pauseSeconds),
                write: .seconds(Self.pauseSeconds)
            ),
            decompression: .disabled
        )
        configuration.dnsOverride = [name: address.ipAddress ?? name]
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            Self.connectionsMax
        configuration.connectionPool.retryConnectionEstablishment = false
        owned = Owned(HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration))
        self.address = address
        let port = address.port ?? 443
        origin = "https://\(name)" + (port == 443 ? "" : ":\(port)")
        lookedUp = .now
    }

    /// The same connections after their name was looked up again.
    init(_ other: WebHost, lookedUp: ContinuousClock.Instant) {
        owned = other.owned
        address = other.address
        origin = other.origin
        self.lookedUp = lookedUp
    }
}
