import Foundation
import HubCore
import HubREST
import HubStore
package import HubTransport
import Hummingbird
package import Logging
import ServiceLifecycle
import Synchronization
import UnixSignals

/// A running Belfry: device shards, one writer and log reader per hub, REST.
///
/// `start` returns when both listeners accept; `run` waits for the end and leaves in order.
package final class BelfryServer: Sendable {
    private let options: ServerOptions
    private let folder: DataFolder
    private let policies: AccessPolicies
    private let mailboxes: ShardMailboxes
    private let threads: [ReactorThread]
    private let hubs: [ShardHub]
    private let certificate: CertificateFiles
    private let restCertificate: RESTCertificate
    private let keys: HubKeys
    private let names: [String]
    private let logger: Logger
    private let restPort = Mutex<Int?>(nil)
    private let isDraining = Mutex(false)
    /// Where devices connect.
    package let deviceAddress: SocketAddress

    /// Certificate and key as files, for both listeners.
    struct CertificateFiles: Sendable {
        var certificate: String
        var key: String
        /// What clients trust; the development authority, or the certificate's own file.
        var authority: String
        var clientAuthorities: String?
    }

    /// Opens the folder and stores and starts every thread; devices are accepted when it returns.
    package init(_ options: ServerOptions, logger: Logger) throws(ServerError) {
        self.options = options
        self.logger = logger
        try Self.checkBind(options)
        folder = try DataFolder(path: options.data)
        keys = try HubKeys(folder: folder, hubs: options.hubs)
        names = Self.names(options)
        policies = try Self.policies(keys, names: names, options: options)
        certificate = try Self.certificate(options, folder: folder)
        restCertificate = try RESTCertificate(
            certificateFile: certificate.certificate,
            keyFile: certificate.key
        )
        let tls = try Self.tls(certificate)
        try RESTListener.checkPort(options.restPort, host: options.restHost)
        let shardCount =
            options.shards > 0 ? options.shards : ProcessInfo.processInfo.activeProcessorCount
        let listeners = try Self.listeners(options, count: shardCount)
        mailboxes = try Self.mailboxes(shardCount)
        hubs = try Self.openHubs(
            keys,
            folder: folder,
            options: options,
            mailboxes: mailboxes,
            logger: logger
        )
        deviceAddress = listeners.address
        threads = try Self.startShards(
            mailboxes,
            hubs: hubs,
            policies: policies,
            options: options,
            server: ReactorConfiguration.Server(listeners: listeners, tls: tls)
        )
    }

    // MARK: Running

    /// Serves until a signal or cancellation, then drains and stops.
    ///
    /// `onReady` runs once, when REST accepts too and `connection.json` is written.
    package func run(
        onReady: @escaping @Sendable (ConnectionDescription) -> Void
    ) async throws {
        do {
            try await serve(onReady: onReady)
        } catch {
            // The process must not end under running threads.
            await drain()
            stop()
            throw error
        }
        stop()
    }

    private func serve(
        onReady: @escaping @Sendable (ConnectionDescription) -> Void
    ) async throws {
        let ready = AsyncStream<Int>.makeStream()
        let service = ServerService(server: self)
        var configuration = RESTConfiguration(
            externalHost: "\(options.restHost):\(options.restPort)"
        )
        configuration.bodyBytesMax = options.coreLimits.requestBodyBytesMax
        configuration.limits = options.coreLimits
        configuration.onAnswer = ServerEvents.count
        let listener = RESTListener(
            certificate: restCertificate,
            host: options.restHost,
            port: options.restPort
        )
        let application = try listener.application(
            service: service,
            configuration: configuration,
            logger: restLogger
        ) { port in
            ready.continuation.yield(port)
            ready.continuation.finish()
        }
        let announcer = Announcer(ports: ready.stream) { [self] port in
            try announce(restPort: port, onReady: onReady)
        }
        let drainer = DrainService { [self] in await drain() }
        var group = ServiceGroupConfiguration(
            services: [
                .init(service: drainer),
                .init(service: application),
                .init(service: announcer, successTerminationBehavior: .ignore),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: restLogger
        )
        group.maximumGracefulShutdownDuration = .seconds(20)
        group.maximumCancellationDuration = .seconds(3)
        let hangup = watchHangup()
        defer { hangup.cancel() }
        try await ServiceGroup(configuration: group).run()
    }

    private var restLogger: Logger {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        return quiet
    }

    private func announce(
        restPort port: Int,
        onReady: @Sendable (ConnectionDescription) -> Void
    ) throws(ServerError) {
        restPort.withLock { $0 = port }
        let description = connectionDescription(restPort: port)
        try description.write(to: folder.file("connection.json"))
        logger.info(
            "listening",
            metadata: [
                "rest": "\(options.restHost):\(port)",
                "devices": "\(deviceAddress)",
                "shards": "\(threads.count)",
            ]
        )
        onReady(description)
    }

    private func connectionDescription(restPort port: Int) -> ConnectionDescription {
        let host = names.first ?? "localhost"
        let hub = keys.hubs[0]
        func string(_ name: String) -> String {
            guard let rule = hub.rules.first(where: { $0.name == name }) else { return "" }
            return ConnectionString(
                host: host,
                port: UInt16(port),
                rule: rule.name,
                key: rule.primaryKey
            ).text
        }
        return ConnectionDescription(
            hub: hub.name.description,
            rest: .init(host: host, port: port),
            devices: .init(host: host, port: Int(deviceAddress.port)),
            ca: certificate.authority,
            connectionStrings: .init(
                full: string(AccessRule.fullName),
                listen: string(AccessRule.listenName),
                send: string(AccessRule.sendName)
            ),
            pid: Int(ProcessInfo.processInfo.processIdentifier)
        )
    }

    /// Reads certificate and key again on SIGHUP; connections that stand are not touched.
    private func watchHangup() -> any DispatchSourceSignal {
        signal(SIGHUP, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
        source.setEventHandler { [self] in reloadCertificate() }
        source.resume()
        return source
    }

    /// Shows the certificate that the files hold now; on an error the old one stays.
    package func reloadCertificate() {
        do throws(ServerError) {
            let tls = try Self.tls(certificate)
            try restCertificate.replace(
                certificateFile: certificate.certificate,
                keyFile: certificate.key
            )
            for shard in mailboxes.all { _ = shard.mailbox.post(.certificate(tls)) }
            logger.notice("certificate reloaded")
        } catch {
            logger.error(
                "certificate not reloaded, the old one stays",
                metadata: [
                    "reason": "\(error)"
                ]
            )
        }
    }

    // MARK: Stopping

    /// GOAWAY to every device; returns when their last acknowledgements are read.
    private func drain() async {
        let first = isDraining.withLock { draining in
            defer { draining = true }
            return !draining
        }
        guard first else { return }
        let deadline = options.sessionLimits.drainMilliseconds + 1_000
        for shard in mailboxes.all {
            _ = shard.mailbox.post(
                .drain(
                    spreadMilliseconds: UInt32(options.drainSpreadSeconds) * 1_000,
                    deadlineMilliseconds: deadline
                )
            )
        }
        let threads = threads
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                for thread in threads { thread.join() }
                continuation.resume()
            }
        }
    }

    private func stop() {
        for hub in hubs {
            hub.reader.stop()
            hub.writer.stop()
        }
        try? FileManager.default.removeItem(atPath: folder.file("connection.json"))
        logger.info("stopped")
    }

    // MARK: What others ask

    /// Every shard's numbers at about the same moment.
    package func reports() async -> [ShardReport] {
        var reports: [ShardReport] = []
        for shard in mailboxes.all {
            let report: ShardReport? = await withCheckedContinuation { continuation in
                let posted = shard.mailbox.post(.inspect { continuation.resume(returning: $0) })
                if posted != .posted { continuation.resume(returning: nil) }
            }
            if let report { reports.append(report) }
        }
        return reports
    }

    func authorize(_ request: AccessRequest) throws(Refusal) -> AccessGrant {
        try policies.authorize(request, now: Clock.now.time)
    }

    /// One line for each hub whose store refused its last commit, or that stands still.
    var problems: [String] { hubs.compactMap(\.writer.problem) }

    func submit(
        _ command: HubCommand,
        to hub: HubName,
        reply: @escaping @Sendable (Result<HubReply, Refusal>) -> Void
    ) {
        guard let found = hubs.first(where: { $0.configuration.name == hub }) else {
            reply(.failure(.hubNotFound(name: hub.description)))
            return
        }
        found.writer.submit(command, reply: reply)
    }
}

/// The server as REST sees it.
struct ServerService: HubService {
    let server: BelfryServer

    func authorize(_ request: AccessRequest) throws(Refusal) -> AccessGrant {
        try server.authorize(request)
    }

    func submit(
        _ command: HubCommand,
        to hub: HubName,
        reply: @escaping @Sendable (Result<HubReply, Refusal>) -> Void
    ) {
        server.submit(command, to: hub, reply: reply)
    }

    var now: Timestamp { Clock.now.time }

    var problems: [String] { server.problems }
}
