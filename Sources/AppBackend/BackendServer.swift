import Foundation
package import HubClient
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
package import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import Synchronization
import UnixSignals

/// A running app backend: its database, its key, HTTPS, and its client of the hub.
package final class BackendServer: Sendable {
    private let options: BackendOptions
    private let folder: BackendFolder
    private let store: BackendStore
    private let sender: SenderClient
    private let responder: BackendResponder
    private let departures: Departures
    private let authority: String?
    private let tls: TLSConfiguration
    private let logger: Logger
    private let group = Mutex<ServiceGroup?>(nil)

    /// Opens the folder, the database, the key, the certificate and the hub's description.
    ///
    /// - Parameters:
    ///   - options: where everything is.
    ///   - environment: may hold the key of secure payloads.
    ///   - logger: told what goes wrong, never a secret.
    ///   - onRequest: told of each request to the hub.
    /// - Throws: `BackendError`.
    package init(
        _ options: BackendOptions,
        environment: [String: String] = [:],
        logger: Logger,
        onRequest: (@Sendable (SentRequest) -> Void)? = nil
    ) throws(BackendError) {
        self.options = options
        self.logger = logger
        let limits = options.limits
        folder = try BackendFolder(path: options.data)
        store = try BackendStore(path: options.databaseFile)
        try BackendUsers.protect(options)
        guard !options.keyFile.hasPrefix(options.data + "/") else {
            throw .key(reason: "must be outside of the database's folder")
        }
        let cipher = try PayloadCipher(
            file: options.keyFile,
            environment: environment,
            isNew: try !store.hasKey()
        )
        try store.recognise(cipher)
        tls = try Self.tls(options)
        let address: HubAddress
        do {
            let file = try ConnectionFile(dataFolder: options.hubData)
            authority = file.ca
            address = try HubAddress(file)
            sender = try SenderClient(
                file,
                retries: Self.retries(limits),
                onRequest: onRequest
            )
        } catch {
            throw .hub(reason: "\(error)")
        }
        departures = Departures(store: store, sender: sender)
        let messages = MessageDesk(store: store, sender: sender, limits: limits)
        responder = BackendResponder(
            gate: try AccessGate(store, limits: limits),
            logins: LoginDesk(store: store, hub: address, departures: departures, limits: limits),
            registrations: RegistrationDesk(
                store: store,
                sender: sender,
                departures: departures,
                limits: limits
            ),
            messages: messages,
            content: ContentDesk(
                store: store,
                sender: sender,
                cipher: cipher,
                messages: messages,
                limits: limits
            ),
            logger: logger
        )
    }

    static func retries(_ limits: BackendLimits) -> RetryPolicy {
        RetryPolicy(patience: .seconds(limits.hubPatienceSeconds))
    }

    private static func tls(_ options: BackendOptions) throws(BackendError) -> TLSConfiguration {
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(options.certificateFile)
            let key = try NIOSSLPrivateKey(file: options.certificateKeyFile, format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(key)
            )
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            return configuration
        } catch {
            throw .certificate(
                reason: "\(options.certificateFile), \(options.certificateKeyFile): \(error)"
            )
        }
    }

    /// Serves until SIGTERM, SIGINT, `stop` or cancellation.
    ///
    /// `onReady` runs once, when requests are accepted and `backend.json` is written.
    /// - Throws: `BackendError` when it cannot listen.
    package func run(
        onReady: @escaping @Sendable (BackendDescription) -> Void
    ) async throws {
        var outcome: Result<Void, any Error> = .success(())
        do {
            let group = try serviceGroup(onReady: onReady)
            self.group.withLock { $0 = group }
            let serving = Task { try await group.run() }
            try await withTaskCancellationHandler {
                try await serving.value
            } onCancel: {
                stop()
            }
        } catch let error as IOError {
            outcome = .failure(
                BackendError.listener(
                    reason: "\(options.host):\(options.port), errno \(error.errnoCode)"
                )
            )
        } catch {
            outcome = .failure(error)
        }
        folder.removeDescription()
        await sender.close()
        store.close()
        try outcome.get()
    }

    /// Makes `run` leave in order; returns at once.
    package func stop() {
        guard let group = group.withLock({ $0 }) else { return }
        Task { await group.triggerGracefulShutdown() }
    }

    private func serviceGroup(
        onReady: @escaping @Sendable (BackendDescription) -> Void
    ) throws -> ServiceGroup {
        var channel = HTTP1Channel.Configuration(
            idleTimeout: .seconds(options.limits.silentSeconds)
        )
        channel.httpDecoder.maxHeaderListSize = options.limits.bodyBytesMax
        let application = Application(
            responder: responder,
            server: try .tls(.http1(configuration: channel), tlsConfiguration: tls),
            configuration: ApplicationConfiguration(
                address: .hostname(options.host, port: options.port),
                serverName: "belfry-backend",
                reuseAddress: true,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    options.limits.connectionsMax,
                    logger: logger
                )
            ),
            onServerRunning: { [self] channel in
                announce(port: channel.localAddress?.port ?? 0, onReady)
            },
            logger: logger
        )
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: application),
                .init(
                    service: Farewells(departures: departures, limits: options.limits),
                    successTerminationBehavior: .ignore
                ),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(options.limits.silentSeconds)
        return ServiceGroup(configuration: configuration)
    }

    private func announce(
        port: Int,
        _ onReady: @Sendable (BackendDescription) -> Void
    ) {
        let description = BackendDescription(
            host: "localhost",
            port: port,
            ca: authority,
            pid: ProcessInfo.processInfo.processIdentifier
        )
        do {
            try folder.write(description)
            onReady(description)
        } catch {
            logger.error("backend.json cannot be written", metadata: ["reason": "\(error)"])
            stop()
        }
    }
}

/// Deletes what was noted of users who left, now and every few seconds, until the order to stop.
private struct Farewells: Service {
    let departures: Departures
    let limits: BackendLimits

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat {
                // A hub that is away is asked again in the next round.
                try? await departures.carryOut()
            } while (try? await Task.sleep(for: .seconds(limits.departureSeconds))) != nil
        }
    }
}
