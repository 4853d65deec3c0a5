import Foundation
import HubConsole
import HubData
import HubFront
import HubHTTP
import HubMetrics
import HubREST
import HubRules
import HubTransport
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore

/// REST on TLS with `h2` and `http/1.1` on one port.
///
/// Source: Decisions/RESTOnTLS, rules E.
struct RESTListener {
    /// The certificate of new connections; replaced on SIGHUP.
    let certificate: ListenerCertificate
    /// A numeric address.
    let host: String
    /// 0 lets the kernel choose.
    let port: Int
    /// The name under which clients know the server, for `Location` without a usable `Host`.
    let name: String
    let limits: RESTLimits
    /// How many connections each address has.
    let addresses: AddressConnections
    /// Balancers, which say in front of each connection for whom it is.
    let proxies: [AddressBlock]

    /// The application; `onRunning` gets the bound port before the first request is read.
    func application(
        service: some HubService,
        configuration: RESTConfiguration,
        console: ConsoleConfiguration,
        carrying: FrontReading?,
        logger: Logger,
        onRunning: @escaping @Sendable (Int) -> Void
    ) throws -> some ApplicationProtocol {
        let yielded = ServerEvents.countYieldedConnection
        let front = RESTResponder(
            Self.responder(service, configuration, console),
            places: RequestPlaces(limit: limits.streams, onYield: yielded),
            carrying: carrying
        )
        let name = name
        return try application(
            front,
            showing: carrying?.certificate,
            node: carrying?.certificate.name,
            logger: logger
        ) { bound in
            var known = configuration
            known.externalHost = "\(name):\(bound)"
            front.use(Self.responder(service, known, console))
            onRunning(bound)
        }
    }

    /// The application of a node that carries requests to the one that leads.
    func front(
        _ responder: FrontResponder<RESTContext>,
        logger: Logger,
        onRunning: @escaping @Sendable (Int) -> Void
    ) throws -> some ApplicationProtocol {
        let yielded = ServerEvents.countYieldedConnection
        let places = RequestPlaces(limit: limits.streams, onYield: yielded)
        return try application(
            RESTResponder(responder, places: places),
            showing: nil,
            // One that takes this node for the leader sees by its certificate that it is none.
            node: NodeCertificate.name,
            logger: logger,
            onRunning: onRunning
        )
    }

    private func application(
        _ responder: some HTTPResponder<RESTContext>,
        showing other: NamedCertificate?,
        node: String?,
        logger: Logger,
        onRunning: @escaping @Sendable (Int) -> Void
    ) throws -> some ApplicationProtocol {
        let yielded = ServerEvents.countYieldedConnection
        let places = ConnectionPlaces(placeLimits, onYield: yielded)
        let tls = certificate.configuration(beside: other)
        let channel = channelConfiguration
        let limits = limits
        let addresses = addresses
        let rules = ProxyRules(proxies, node: node) { channel, address in
            let isAdmitted = addresses.admit(channel, at: address)
            if !isAdmitted { ServerEvents.countRefusedConnection() }
            return isAdmitted
        } refused: {
            ServerEvents.countRefusedHeader()
        }
        let ended = EndedConnections()
        return Application(
            responder: responder,
            server: HTTPServerBuilder { responder in
                let guarded = GuardedChannel(
                    try HTTP2UpgradeChannel(
                        tlsConfiguration: tls,
                        configuration: channel,
                        responder: responder
                    ),
                    times: limits.times,
                    places: places
                ) { channel in
                    try limits.buffers.limit(channel)
                    if try !rules.guards(channel) {
                        addresses.admit(channel, onRefused: ServerEvents.countRefusedConnection)
                    }
                    channel.closeFuture.whenComplete { _ in ended.add(on: channel.eventLoop) }
                }
                return LoopChannel(ProxiedChannel(guarded, rules))
            },
            configuration: applicationConfiguration(logger),
            onServerRunning: { onRunning($0.localAddress?.port ?? 0) },
            logger: logger
        )
    }

    private func applicationConfiguration(_ logger: Logger) -> ApplicationConfiguration {
        ApplicationConfiguration(
            address: .hostname(host, port: port),
            serverName: "belfry",
            backlog: 1_024,
            // Without it, connections of the last run keep a new one from the port for a minute;
            // Linux still refuses a port on which another socket listens.
            reuseAddress: true,
            availableConnectionsDelegate: MaximumAvailableConnections(
                limits.connections,
                logger: logger
            )
        )
    }

    /// The console in front of the hub's responder.
    private static func responder(
        _ service: some HubService,
        _ configuration: RESTConfiguration,
        _ console: ConsoleConfiguration
    ) -> ConsoleResponder<RESTContext> {
        ConsoleResponder(
            HubResponder(service: service, configuration: configuration),
            console.with(configuration)
        )
    }

    /// Connections give way a little before new ones would have to wait.
    private var placeLimits: PlaceTable<ObjectIdentifier>.Limits {
        var places = PlaceTable<ObjectIdentifier>.Limits(connections: limits.connections / 8 * 7)
        places.blocked = limits.blockedConnections
        places.unreadBytes = limits.unreadBytes
        return places
    }

    private var channelConfiguration: HTTP2UpgradeChannel.Configuration {
        var stream = HTTP1Channel.Configuration(idleTimeout: .seconds(Int64(limits.silentSeconds)))
        stream.httpDecoder.maxHeaderFieldSize = limits.headerFieldBytes
        stream.httpDecoder.maxHeaderListSize = limits.headerListBytes
        stream.httpDecoder.maxHeaderFieldCount = limits.headerFields
        // The initialiser drops some of these. Source: rules E.
        var upgrade = HTTP2UpgradeChannel.Configuration()
        upgrade.streamConfiguration = stream
        upgrade.idleTimeout = .seconds(limits.silentSeconds)
        upgrade.gracefulCloseTimeout = .seconds(limits.closeSeconds)
        upgrade.maxAgeTimeout = .seconds(limits.connectionSeconds)
        return upgrade
    }

    /// Refuses a port that another process holds with one readable line, before anything starts.
    static func checkPort(_ port: Int, host: String) throws(ServerError) {
        guard port != 0 else { return }
        do throws(TransportError) {
            let address = try SocketAddress(numeric: host, port: UInt16(clamping: port))
            _ = try Listeners(at: address, count: 1)
        } catch {
            throw .listener(name: "REST", reason: error.description)
        }
    }
}
