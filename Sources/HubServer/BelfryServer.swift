import Foundation
import HubConsole
package import HubData
package import HubDatabase
import HubDelivery
import HubDirectory
package import HubEndpoint
import HubFront
package import HubMetrics
package import HubModel
import HubHTTP
import HubREST
import HubRules
import HubStore
import HubTraces
package import HubTransport
package import HubVocabulary
package import Logging
import struct NIOCore.IOError
import ServiceLifecycle
import Synchronization
import SystemPackage
import UnixSignals

/// A running Belfry: device shards, one writer and log reader per hub, REST.
///
/// `start` returns when both listeners accept; `run` waits for the end and leaves in order.
package final class BelfryServer: Sendable {
    let options: ServerOptions
    private let folder: DataFolder
    let mailboxes: ShardMailboxes
    private let threads: [ReactorThread]
    let roster: HubRoster
    let certificate: CertificateFiles
    let restCertificate: ListenerCertificate
    private let names: [String]
    private let jobPlaces: JobPlaces
    let logger: Logger
    private let services = Mutex<(group: ServiceGroup?, isStopping: Bool)>((nil, false))
    private let steps = (ending: BlockingStep(), closing: BlockingStep())
    /// Reads the word of fronts; nil where the hubs are in files.
    private let carrying: FrontReading?
    /// REST's port, once `connection.json` is written.
    private let announced = Mutex<Int?>(nil)
    /// Where devices connect.
    package let deviceAddress: SocketAddress

    /// Certificate and key as files, for both listeners.
    struct CertificateFiles: Sendable {
        var certificate: String
        var key: String
        /// The authority that clients must trust; nil when it is not in our files.
        var authority: String?
        var clientAuthorities: String?
    }

    /// Holds the folder, and the lead where a database has its hubs; then as below.
    package convenience init(_ given: ServerOptions, logger: Logger) throws(ServerError) {
        let held = try Self.hold(given, logger: logger)
        if let database = held.database, try !database.takeLead(within: .seconds(30)) {
            throw .database(reason: "another node leads its hubs")
        }
        try self.init(given, in: held, logger: logger)
    }

    /// Opens stores and starts every thread; devices are accepted when it returns.
    ///
    /// Whatever was opened or started is closed and ended again when it throws. A front of this
    /// process keeps REST's port until then.
    package init(
        _ given: ServerOptions,
        in held: HeldFolder,
        isFront: Bool = false,
        logger: Logger
    ) throws(ServerError) {
        let options = given.numeric
        self.options = options
        self.logger = logger
        folder = held.folder
        let keys = try HubKeys(folder: folder, hubs: options.hubs)
        names = Self.names(options)
        let policies = try Self.policies(keys, names: names, options: options)
        jobPlaces = try Self.jobPlaces(options)
        certificate = try Self.certificate(options, folder: folder)
        try held.database?.keepKeys()
        carrying = try FrontReading(held.database)
        // First, since it says best what is wrong with the files.
        let tls = try Self.tls(certificate)
        restCertificate = try Self.shown(certificate)
        if !isFront { try RESTListener.checkPort(options.rest.port, host: options.rest.host) }
        let shardCount =
            options.devices.shards > 0
            ? options.devices.shards : ProcessInfo.processInfo.activeProcessorCount
        let listeners = try Self.listeners(options, count: shardCount)
        mailboxes = try Self.mailboxes(shardCount)
        roster = try HubRoster(
            keys,
            policies: policies,
            options: options,
            files: ServerFiles(folder: folder.path, restCertificate),
            places: jobPlaces,
            mailboxes: mailboxes,
            database: held.database,
            logger: logger
        )
        deviceAddress = listeners.address
        do throws(ServerError) {
            threads = try Self.startShards(
                mailboxes,
                hubs: roster.members.map(\.hub),
                policies: policies,
                options: options,
                server: ReactorConfiguration.Server(
                    listeners: listeners,
                    tls: tls,
                    sealing: options.devices.records,
                    submission: options.devices.submission,
                    proxies: options.devices.proxies,
                    fronts: carrying?.trust
                )
            )
        } catch {
            roster.close()
            throw error
        }
        roster.watch { [weak self] in self?.describeAgain() }
    }

    // MARK: Running

    /// Serves until SIGTERM, SIGINT, `stop` or cancellation, then leaves in order: devices are
    /// drained, REST ends, writers answer what waits, stores close.
    ///
    /// `onReady` runs once, when REST accepts too and `connection.json` is written.
    /// - Throws: `ServerError` when REST cannot listen or the description cannot be written.
    package func run(
        onReady: @escaping @Sendable (ConnectionFile) -> Void
    ) async throws {
        // Told to end while the hubs were opened.
        if isStopping { return await leave() }
        // A limit on the size of files is then an error of a write, not the end of the process.
        signal(SIGXFSZ, SIG_IGN)
        let hangup = watchHangup()
        defer { hangup.cancel() }
        var outcome: Result<Void, any Error> = .success(())
        do {
            let group = try serviceGroup(onReady: onReady)
            services.withLock { $0.group = group }
            roster.launcher.database?.whenLost { [weak self] in self?.stop() }
            let serving = Task { try await group.run() }
            // Cancelled services would have to hurry; an orderly end has its own limits.
            try await withTaskCancellationHandler {
                try await serving.value
            } onCancel: {
                stop()
            }
        } catch let error as IOError {
            let reason = "\(Errno(rawValue: error.errnoCode))"
            outcome = .failure(ServerError.listener(name: "REST", reason: reason))
        } catch {
            outcome = .failure(error)
        }
        if let failure = roster.launcher.database?.failure { outcome = .failure(failure) }
        await leave()
        try outcome.get()
    }

    /// Makes `run` leave in order; returns at once.
    package func stop() {
        let group = services.withLock { services in
            services.isStopping = true
            return services.group
        }
        guard let group else { return }
        Task { await group.triggerGracefulShutdown() }
    }

    private var isStopping: Bool { services.withLock { $0.isStopping } }

    private var listener: RESTListener {
        RESTListener(
            certificate: restCertificate,
            host: options.rest.host,
            port: options.rest.port,
            name: names.first ?? "localhost",
            limits: options.rest.limits,
            addresses: roster.addresses,
            proxies: options.rest.proxies
        )
    }

    private func serviceGroup(
        onReady: @escaping @Sendable (ConnectionFile) -> Void
    ) throws -> ServiceGroup {
        let ready = AsyncStream<Int>.makeStream()
        var configuration = restConfiguration
        let console = ConsoleWiring.configuration(
            roster,
            file: folder.file(ConsoleWiring.fileName),
            options: options.rest,
            names: names,
            rest: configuration
        )
        if options.rest.console != .off { configuration.consoleCodes = console.signIns }
        let application = try listener.application(
            service: roster,
            configuration: configuration,
            console: console,
            carrying: carrying,
            logger: restLogger
        ) { port in
            ready.continuation.yield(port)
            ready.continuation.finish()
        }
        let announcer = PortAnnouncer(ports: ready.stream) { [self] port in
            try announce(restPort: port, onReady: onReady)
        }
        // They stop in the reverse order, each when the one behind it has: devices before REST.
        let watched = ServiceManager().map { manager in
            WatchdogService(within: manager.watchdog) {
                manager.say(.watchdog)
            } turn: { [self] in
                // A writer that waits for a database does not hang.
                let limit = roster.launcher.database.map { _ in Duration.seconds(2) }
                _ = await (reports(), roster.gauges(within: limit))
            }
        }
        typealias Part = ServiceGroupConfiguration.ServiceConfiguration
        let beside = upkeep.map { Part(service: $0, successTerminationBehavior: .ignore) }
        var services = ServiceGroupConfiguration(
            services: [
                Part(service: application),
                Part(service: DrainService { [self] in await drain() }),
                Part(service: announcer, successTerminationBehavior: .ignore),
            ] + beside + (watched.map { [Part(service: $0)] } ?? []),
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: restLogger
        )
        let limit = options.rest.limits.shutdownSeconds
        services.maximumGracefulShutdownDuration = .seconds(limit)
        return ServiceGroup(configuration: services)
    }

    /// The rule of the namespace that may do everything; nil when there is none.
    private var root: HubRule? { MetricsToken.rule(among: roster.namespaceRules) }

    var restConfiguration: RESTConfiguration {
        // The port follows when it is bound.
        var configuration = RESTConfiguration(externalHost: names.first ?? "localhost")
        configuration.bodyBytesMax = options.coreLimits.sends.requestBodyBytesMax
        configuration.limitsInForce = roster.limitsInForce
        configuration.jobPlaces = jobPlaces
        if let traces = roster.launcher.traces {
            configuration.trace = { traces.begin(parent: $0, now: Clock.now) }
        }
        configuration.onAnswer = { [logger, roster] event in
            ServerEvents.count(event)
            ServerEvents.trace(event, to: roster.launcher.traces)
            roster.note(event)
            ServerEvents.log(event, to: logger)
        }
        configuration.onAdministration = { [roster, logger] event in
            do {
                try await roster.audit.append { AuditEntry(event, number: $0, now: Clock.now.time) }
            } catch {
                logger.error("a change is not in the audit", metadata: ["reason": "\(error)"])
            }
        }
        configuration.onSendLines = { ServerEvents.count($0) }
        return configuration
    }

    private var restLogger: Logger {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        return quiet
    }

    private func announce(
        restPort port: Int,
        onReady: @Sendable (ConnectionFile) -> Void
    ) throws(ServerError) {
        let description = try describe(restPort: port)
        announced.withLock { $0 = port }
        let devices = Int(deviceAddress.port)
        roster.launcher.database?.listens(at: Self.place(options, rest: port, devices: devices))
        logger.info(
            "listening",
            metadata: [
                "rest": "\(options.rest.host):\(port)",
                "devices": "\(deviceAddress)",
                "threads": "\(threads.count)",
                "connections": "\(ProcessMeter.openFileLimit) at most",
            ]
        )
        logger.debug(
            "device connections",
            metadata: [
                "records": "\(options.devices.records.effective.rawValue)",
                "submission": "\(options.devices.usedSubmission)",
            ]
        )
        ServiceManager()?.say(
            .ready,
            status: "REST on port \(port), devices on port \(deviceAddress.port)"
        )
        onReady(description)
        // A group that has not begun hears nothing.
        if isStopping { stop() }
    }

    /// Hubs or their keys have changed: what programs on this machine read must stay true.
    private func describeAgain() {
        guard let port = announced.withLock({ $0 }) else { return }
        do throws(ServerError) {
            try describe(restPort: port)
        } catch {
            logger.error("connection.json is out of date", metadata: ["reason": "\(error)"])
        }
    }

    /// Writes what programs on this machine read.
    @discardableResult
    private func describe(restPort port: Int) throws(ServerError) -> ConnectionFile {
        let description = connectionDescription(restPort: port)
        try description.write(to: folder.file("connection.json"))
        if let root {
            let host = "\(names.first ?? "localhost"):\(port)"
            let token = MetricsToken.text(of: root, host: host, now: Clock.now.time)
            try DataFolder.write(token, to: folder.file(MetricsToken.fileName))
        }
        return description
    }

    private func connectionDescription(restPort port: Int) -> ConnectionFile {
        let host = names.first ?? "localhost"
        let hubs = roster.members.map(\.stored)
        let hub = hubs.first { $0.name.description == options.hubs.first } ?? hubs.first
        // By the newest key: programs here keep none from falling silent that is to be changed.
        func string(_ rule: HubRule?) -> String {
            guard let rule else { return "" }
            return ConnectionString(
                host: host,
                port: UInt16(port),
                keyName: rule.rule.name,
                key: rule.newestKey
            ).text
        }
        // By the name that a new hub's rule has, otherwise by what it allows.
        func string(_ name: String, _ rights: [AccessRight]) -> String {
            let rules = hub?.description.rules ?? []
            return string(
                rules.first { $0.rule.name == name } ?? rules.first { $0.rule.rights == rights }
            )
        }
        return ConnectionFile(
            hub: hub?.name.description ?? "",
            rest: .init(host: host, port: UInt16(port)),
            devices: .init(host: host, port: UInt16(deviceAddress.port)),
            ca: certificate.authority,
            connectionStrings: .init(
                full: string(AccessRule.fullName, AccessRight.allCases),
                listen: string(AccessRule.listenName, [.listen]),
                send: string(AccessRule.sendName, [.send]),
                namespace: string(root)
            ),
            pid: ProcessInfo.processInfo.processIdentifier
        )
    }

    // MARK: Stopping

    /// GOAWAY to every device; returns when their last acknowledgements are read and every shard's
    /// thread has ended.
    ///
    /// More calls wait for the same end.
    private func drain() async {
        await steps.ending.once { [self] in
            ServiceManager()?.say(.stopping, status: "draining devices")
            roster.launcher.database?.endWaiting()
            for member in roster.members { member.hub.events.close() }
            let deadline = options.devices.sessionLimits.timers.drainMilliseconds + 1_000
            for shard in mailboxes.all {
                shard.insist(on: .drain(deadlineMilliseconds: deadline))
            }
            for thread in threads { thread.join() }
        }
    }

    /// Closes hubs and folder once devices and REST are gone.
    private func leave() async {
        await drain()
        await steps.closing.once { [self] in
            roster.close()
            // One that stays names a port at which nothing answers, as after a crash.
            try? FileManager.default.removeItem(atPath: folder.file("connection.json"))
            roster.launcher.database?.release()
            folder.release()
            logger.info("stopped")
        }
        await exportTraces()
    }

    /// Ends a server that was never run.
    package func close() async { await leave() }

    // MARK: What others ask

    /// Every shard's numbers at about the same moment; a shard that has ended has none.
    package func reports() async -> [ShardReport] { await mailboxes.reports() }

    /// Returns the gauges of each hub's directory; a hub whose writer has ended has none.
    package func gauges() async -> [(hub: HubName, gauges: DirectoryGauges)] {
        await roster.gauges()
    }
}
