import Foundation
import HubCluster
import HubData
import HubDatabase
import Logging
import struct NIOCore.IOError
import ServiceLifecycle
import Synchronization
import SystemPackage
import UnixSignals

/// A node that waits for the lead: it says so on its REST port, and keeps the devices' closed.
struct Standby: Sendable {
    /// Between two looks whether the node is to end.
    static let pause: Duration = .milliseconds(500)

    private let held: HeldFolder
    private let database: ServerDatabase
    private let options: ServerOptions
    private let logger: Logger

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
    }

    /// Waits until the node leads; false when it is to end instead.
    ///
    /// - Throws: `ServerError` when its port or its certificate cannot be used, or when its
    ///   `cluster.key` does not open the keys of the database.
    func wait(onStandby: @escaping @Sendable (String) -> Void) async throws -> Bool {
        // The first leader of a database may not have kept its keys yet.
        while try !database.takeKeys() {
            if try database.takeLead(within: Self.pause) { return true }
        }
        let files = try BelfryServer.certificate(options, folder: held.folder)
        let listener = RESTListener(
            certificate: try BelfryServer.shown(files),
            host: options.rest.host,
            port: options.rest.port,
            name: options.rest.host,
            limits: options.rest.limits,
            addresses: AddressConnections(limits: options.rest.limits),
            proxies: options.rest.proxies
        )
        try RESTListener.checkPort(options.rest.port, host: options.rest.host)
        let waiting = LeadWait(database)
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        let application = try listener.standby(logger: quiet) { [database] in
            database.leader
        } onRunning: { [options, database] port in
            let text =
                "standby on https://\(options.rest.host):\(port), \(database.leader?.node ?? "") at "
                + "\(database.leader?.address ?? "") leads"
            ServiceManager()?.say(.ready, status: text)
            onStandby(text)
        }
        typealias Part = ServiceGroupConfiguration.ServiceConfiguration
        var services = ServiceGroupConfiguration(
            services: [
                Part(service: application),
                Part(service: waiting, successTerminationBehavior: .gracefullyShutdownGroup),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: quiet
        )
        // Clients that hold a connection do not hold up the hubs.
        services.maximumGracefulShutdownDuration = .seconds(1)
        do {
            try await ServiceGroup(configuration: services).run()
        } catch let error as IOError {
            let reason = "\(Errno(rawValue: error.errnoCode))"
            throw ServerError.listener(name: "REST", reason: reason)
        } catch {
            guard waiting.leads else { throw error }
        }
        return waiting.leads
    }
}

/// Ends when the node leads, or when it is to end.
private final class LeadWait: Service {
    private let database: ServerDatabase
    private let isEnding = Atomic<Bool>(false)
    private let hasLead = Atomic<Bool>(false)

    init(_ database: ServerDatabase) { self.database = database }

    /// Whether the node leads, and is not to end all the same.
    var leads: Bool { hasLead.load(ordering: .acquiring) && !isEnding.load(ordering: .acquiring) }

    func run() async throws {
        try await withGracefulShutdownHandler {
            while !isEnding.load(ordering: .acquiring) {
                ServiceManager()?.say(.watchdog)
                if try await look() { return hasLead.store(true, ordering: .releasing) }
            }
        } onGracefulShutdown: { [self] in
            isEnding.store(true, ordering: .releasing)
        }
    }

    /// Blocks a thread that may be blocked.
    private func look() async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { [database] in
                continuation.resume(with: Result { try database.takeLead(within: Standby.pause) })
            }
        }
    }
}
