import HubCluster
import HubData
import HubDatabase
import HubDirectory
import HubFront
import HubHTTP
import HubMetrics
import HubREST
import HubRules
import HubTransport
import HubVocabulary
import Logging
import struct NIOCore.IOError
import ServiceLifecycle
import SystemPackage
import UnixSignals

/// A node that waits for the lead, and carries requests to the node that has it.
struct Standby: Sendable {
    /// How the wait ends.
    enum Ending {
        /// The node leads, and its front goes on until the node serves; nil where it has none.
        case leads(StandingFront?)
        /// The node was told to end.
        case ends
    }

    /// The end of the front, or of the wait.
    private enum Outcome: Sendable {
        case leads
        case told
        case failed(any Error)
    }

    private let held: HeldFolder
    private let database: ServerDatabase
    private let options: ServerOptions
    private let logger: Logger
    private let token: ScraperToken

    init(
        _ held: HeldFolder,
        _ database: ServerDatabase,
        _ options: ServerOptions,
        logger: Logger
    ) {
        self.held = held
        self.database = database
        self.options = options
        self.logger = logger
        token = ScraperToken(held.folder, host: Self.host(options))
    }

    /// The name and the port that the node is asked at.
    private static func host(_ options: ServerOptions) -> String {
        "\(BelfryServer.names(options).first ?? "localhost"):\(options.rest.port)"
    }

    /// Waits until the node leads or is to end; SIGHUP has it read its certificate again meanwhile.
    ///
    /// - Throws: `ServerError` when its port or its certificate cannot be used, or when its
    ///   `cluster.key` does not open the keys of the database.
    func wait(
        _ signals: EndSignals,
        onStandby: @escaping @Sendable (String) -> Void
    ) async throws -> Ending {
        // The first leader of a database may not have kept its keys yet.
        while try !database.takeKeys() {
            if try database.takeLead(within: LeadWait.pause) { return .leads(nil) }
        }
        let certificate = try BelfryServer.shown(
            try BelfryServer.certificate(options, folder: held.folder)
        )
        signals.whenHungUp { [logger] in certificate.reload(telling: logger) }
        try RESTListener.checkPort(options.rest.port, host: options.rest.host)
        let front = try NodeFront(
            database,
            keys: FrontKeys { try policies() },
            proxies: options.devices.proxies
        )
        database.followHubs { WarmDirectory(seed: UInt64.random(in: .min ... .max)) }
        let outcome = AsyncStream<Outcome>.makeStream()
        let wait = LeadWait(database, front) {
            ServiceManager()?.say(.watchdog)
        } onLead: {
            outcome.continuation.yield(.leads)
        }
        let group = try services(front, wait, certificate, onStandby: onStandby)
        try await listen(front)
        Task {
            do {
                try await group.run()
                outcome.continuation.yield(.told)
            } catch {
                outcome.continuation.yield(.failed(error))
            }
            await front.close()
        }
        for await outcome in outcome.stream {
            switch outcome {
            case .leads:
                let options = options.rest
                return .leads(
                    StandingFront(group: group, wait: wait, front: front, options: options)
                )
            case .told: return .ends
            case .failed(let error as IOError):
                let reason = "\(Errno(rawValue: error.errnoCode))"
                throw ServerError.listener(name: "REST", reason: reason)
            case .failed(let error): throw error
            }
        }
        return .ends
    }

    private func listen(_ front: NodeFront) async throws {
        do {
            try await front.listen(host: options.devices.host, port: options.devices.port)
        } catch let error as IOError {
            let reason = "\(Errno(rawValue: error.errnoCode))"
            throw ServerError.listener(name: "device", reason: reason)
        }
    }

    /// The front's listener, and the wait for the lead beside it.
    private func services(
        _ front: NodeFront,
        _ wait: LeadWait,
        _ certificate: ListenerCertificate,
        onStandby: @escaping @Sendable (String) -> Void
    ) throws -> ServiceGroup {
        let patience = Int(front.holdSeconds) + 5
        var limits = options.rest.limits
        // A request that is held when the node takes the lead keeps its connection.
        limits.closeSeconds = max(limits.closeSeconds, patience)
        let listener = RESTListener(
            certificate: certificate,
            host: options.rest.host,
            port: options.rest.port,
            name: options.rest.host,
            limits: limits,
            addresses: AddressConnections(limits: limits),
            proxies: options.rest.proxies
        )
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        let application = try listener.front(
            responder(front, certificate),
            logger: quiet
        ) { [options, database] port in
            let devices = options.devices.port
            database.listens(at: BelfryServer.place(options, rest: port, devices: devices))
            let text =
                "standby on https://\(options.rest.host):\(port), \(database.leader?.node ?? "") at "
                + "\(database.leader?.address ?? "") leads"
            ServiceManager()?.say(.ready, status: text)
            onStandby(text)
        }
        typealias Part = ServiceGroupConfiguration.ServiceConfiguration
        var services = ServiceGroupConfiguration(
            services: [Part(service: application), Part(service: wait)],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: quiet
        )
        services.maximumGracefulShutdownDuration = .seconds(patience)
        return ServiceGroup(configuration: services)
    }

    private func responder(
        _ front: NodeFront,
        _ certificate: ListenerCertificate
    ) -> FrontResponder<RESTContext> {
        let files = ServerFiles(folder: held.folder.path, certificate)
        let page = MetricPage(registry: options.metrics, files: files)
        let started = Clock.now.time
        let settings = options.settings
        var configuration = RESTConfiguration(externalHost: Self.host(options))
        configuration.bodyBytesMax = options.coreLimits.sends.requestBodyBytesMax
        configuration.onAnswer = { [logger] event in
            ServerEvents.count(event)
            ServerEvents.log(event, to: logger)
        }
        return FrontResponder(front, configuration) {
            front.measure()
            return page.text([], problems: 0, gauges: [], stored: LatencyHistogram())
        } described: {
            ServerDescription(
                version: Release.version,
                started: started,
                certificateEnd: files.knownCertificateEnd,
                numbersRead: page.lastRead,
                settings: settings
            )
        }
    }

    /// The rules of the folder's keys, which a scraper's token follows.
    private func policies() throws -> AccessPolicies {
        let keys = try HubKeys(folder: held.folder, hubs: [])
        do throws(ServerError) {
            try token.follow(keys.namespace)
        } catch {
            // Others can read the numbers still.
            logger.error("metrics.token is out of date", metadata: ["reason": "\(error)"])
        }
        return try BelfryServer.policies(
            keys,
            names: BelfryServer.names(options),
            options: options
        )
    }
}
