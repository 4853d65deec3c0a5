import Foundation
import HubCore
import HubREST
import HubTransport
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import Synchronization

/// REST on TLS with `h2` and `http/1.1` on one port.
///
/// Source: design §5.13, rules E.
struct RESTListener {
    /// The certificate of new connections; replaced on SIGHUP.
    let certificate: RESTCertificate
    let host: String
    let port: Int

    /// A silent peer must not hold up the end of the process.
    private static let idle = Duration.seconds(60)
    private static let gracefulClose = Duration.seconds(3)
    private static let limits = ConnectionGuard.Limits(
        handshake: .seconds(10),
        ending: .seconds(5)
    )

    /// The application; `onRunning` gets the bound port.
    func application(
        service: some HubService,
        configuration: RESTConfiguration,
        logger: Logger,
        onRunning: @escaping @Sendable (Int) -> Void
    ) throws -> some ApplicationProtocol {
        var upgrade = HTTP2UpgradeChannel.Configuration()
        upgrade.idleTimeout = Self.idle
        upgrade.gracefulCloseTimeout = Self.gracefulClose
        upgrade.maxAgeTimeout = Duration.seconds(3_600)
        upgrade.streamConfiguration.idleTimeout = TimeAmount(Self.idle)
        let (tls, settings) = (try certificate.configuration(), upgrade)
        return Application(
            responder: HubResponder<BasicRequestContext>(
                service: service,
                configuration: configuration
            ),
            server: HTTPServerBuilder { responder in
                GuardedUpgrade(
                    upgrade: try HTTP2UpgradeChannel(
                        tlsConfiguration: tls,
                        configuration: settings,
                        responder: responder
                    ),
                    limits: Self.limits
                )
            },
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                serverName: "belfry",
                backlog: 1_024,
                // Without it, connections of the last run keep a new one from the port for a minute;
                // Linux still refuses a port on which another socket listens.
                reuseAddress: true
            ),
            onServerRunning: { channel in onRunning(channel.localAddress?.port ?? 0) },
            logger: logger
        )
    }
}

/// The certificate that REST shows; `replace` takes effect with the next connection.
final class RESTCertificate: Sendable {
    private struct Loaded {
        var chain: [NIOSSLCertificate]
        var key: NIOSSLPrivateKey
    }

    private let loaded: Mutex<Loaded>

    init(certificateFile: String, keyFile: String) throws(ServerError) {
        loaded = Mutex(try Self.load(certificateFile, keyFile))
    }

    /// Reads the files again; on an error the old certificate stays.
    func replace(certificateFile: String, keyFile: String) throws(ServerError) {
        let fresh = try Self.load(certificateFile, keyFile)
        loaded.withLock { $0 = fresh }
    }

    private static func load(
        _ certificateFile: String,
        _ keyFile: String
    ) throws(ServerError) -> Loaded {
        do {
            return Loaded(
                chain: try NIOSSLCertificate.fromPEMFile(certificateFile),
                key: try NIOSSLPrivateKey(file: keyFile, format: .pem)
            )
        } catch {
            throw .certificate(reason: "\(certificateFile), \(keyFile): \(error)")
        }
    }

    /// TLS 1.2 and later; the certificate is asked for with each connection.
    func configuration() throws -> TLSConfiguration {
        let first = loaded.withLock { $0 }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: first.chain.map { .certificate($0) },
            privateKey: .privateKey(first.key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.sslContextCallback = { [self] _, promise in
            let now = loaded.withLock { $0 }
            var override = NIOSSLContextConfigurationOverride()
            override.certificateChain = now.chain.map { .certificate($0) }
            override.privateKey = .privateKey(now.key)
            promise.succeed(override)
        }
        return configuration
    }
}

extension RESTListener {
    /// Refuses a port that another process holds with one readable line, before anything starts.
    static func checkPort(_ port: Int, host: String) throws(ServerError) {
        guard port != 0 else { return }
        do throws(TransportError) {
            _ = try Listeners(
                at: try SocketAddress(
                    numeric: host == "localhost" ? "127.0.0.1" : host,
                    port: UInt16(port)
                ),
                count: 1
            )
        } catch {
            throw .listener(name: "REST", reason: error.description)
        }
    }
}
