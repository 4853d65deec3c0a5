import Foundation
import HubHTTP
package import HubSender
import Hummingbird
import HummingbirdCore
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
    private let authority: String?
    private let certificate: ListenerCertificate
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
        let file = try Self.hub(options)
        folder = try BackendFolder(path: options.data)
        guard !BackendFolder.holds(options.keyFile, in: options.data) else {
            throw .key(reason: "must be outside of the database's folder")
        }
        store = try BackendStore(path: options.databaseFile)
        try BackendUsers.protect(options)
        let cipher = try PayloadCipher(
            file: options.keyFile,
            environment: environment,
            isNew: try !store.hasKey()
        )
        try store.recognise(cipher)
        certificate = try Self.certificate(options)
        let address: HubAddress
        do {
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
        let messages = MessageRoutes(store: store, limits: limits)
        responder = BackendResponder(
            authenticator: try UserAuthenticator(store, limits: limits),
            sender: sender,
            logins: LoginRoutes(store: store, hub: address, limits: limits),
            registrations: UserRegistrationRoutes(store: store, limits: limits),
            messages: messages,
            content: ContentRoutes(
                store: store,
                cipher: cipher,
                messages: messages,
                limits: limits,
                answers: .answers(limits)
            ),
            bodies: .bodies(limits),
            limits: limits,
            logger: logger
        )
    }

    /// The hub's description, before anything is made for a hub that is not there.
    private static func hub(_ options: BackendOptions) throws(BackendError) -> ConnectionFile {
        do throws(ConnectionFileError) {
            return try ConnectionFile(dataFolder: options.hubData)
        } catch {
            throw .hub(reason: error.description)
        }
    }

    private static func certificate(
        _ options: BackendOptions
    ) throws(BackendError) -> ListenerCertificate {
        do throws(ListenerCertificate.Fault) {
            return try ListenerCertificate(
                certificateFile: options.certificateFile,
                keyFile: options.certificateKeyFile
            )
        } catch {
            throw .certificate(reason: error.reason)
        }
    }

    static func retries(_ limits: BackendLimits) -> RetryPolicy {
        RetryPolicy(patience: .seconds(limits.hub.patienceSeconds))
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
            let hangup = watchHangup()
            defer { hangup.cancel() }
            self.group.withLock { $0 = group }
            let serving = Task { try await group.run() }
            try await withTaskCancellationHandler {
                try await serving.value
            } onCancel: {
                stop()
            }
        } catch let error as IOError {
            outcome = .failure(
                BackendError.listener(host: options.host, port: options.port, error.errnoCode)
            )
        } catch {
            outcome = .failure(error)
        }
        folder.removeDescription()
        await sender.close()
        store.close()
        // Connections that end later hold the server somewhat longer than it serves.
        folder.release()
        try outcome.get()
    }

    /// Makes `run` leave in order; returns at once.
    package func stop() {
        guard let group = group.withLock({ $0 }) else { return }
        Task { await group.triggerGracefulShutdown() }
    }

    /// Reads certificate and key again on SIGHUP; connections that stand are not touched.
    private func watchHangup() -> any DispatchSourceSignal {
        signal(SIGHUP, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
        // Not a holder: the source goes somewhat later than what it serves.
        source.setEventHandler { [weak self] in self?.reloadCertificate() }
        source.resume()
        return source
    }

    /// Shows the certificate that the files hold now; on an error the old one stays.
    package func reloadCertificate() { certificate.reload(telling: logger) }

    private func serviceGroup(
        onReady: @escaping @Sendable (BackendDescription) -> Void
    ) throws -> ServiceGroup {
        var channel = HTTP1Channel.Configuration(
            idleTimeout: .seconds(options.limits.connections.silentSeconds)
        )
        channel.httpDecoder.maxHeaderListSize = options.limits.requests.headBytesMax
        let (configured, limits) = (channel, options.limits)
        var tls = certificate.configuration()
        tls.applicationProtocols = ["http/1.1"]
        let context = try NIOSSLContext(configuration: tls)
        let application = Application(
            responder: responder,
            server: HTTPServerBuilder { responder in
                GuardedChannel(
                    HTTP1Channel(responder: responder, configuration: configured),
                    times: limits.times
                ) { channel in
                    try channel.syncOptions?.setOption(
                        .socketOption(.so_sndbuf),
                        value: SocketOptionValue(limits.answers.sendBufferBytes)
                    )
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLServerHandler(context: context)
                    )
                }
            },
            configuration: ApplicationConfiguration(
                address: .hostname(options.host, port: options.port),
                serverName: "belfry-backend",
                reuseAddress: true,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    options.limits.connections.countMax,
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
                    service: Housekeeping(store: store, sender: sender, limits: limits),
                    successTerminationBehavior: .ignore
                ),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(
            options.limits.connections.silentSeconds
        )
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

extension BackendLimits {
    /// The deadlines of each connection.
    fileprivate var times: ConnectionTimes {
        let body = requests.headSeconds + requests.bodySeconds
        return ConnectionTimes(
            opening: .seconds(connections.handshakeSeconds),
            silence: .seconds(connections.silentSeconds),
            request: .seconds(body + 2 * hub.patienceSeconds + connections.silentSeconds),
            unread: .seconds(answers.seconds)
        )
    }
}

extension MemoryBudget {
    /// The budget for the bodies of requests.
    fileprivate static func bodies(_ limits: BackendLimits) -> MemoryBudget {
        MemoryBudget(
            allMax: limits.requests.heldBytesMax,
            perUserMax: limits.requests.heldBytesPerUserMax
        )
    }

    /// The budget for content on its way out.
    fileprivate static func answers(_ limits: BackendLimits) -> MemoryBudget {
        MemoryBudget(
            allMax: limits.answers.heldBytesMax,
            perUserMax: limits.answers.heldBytesPerUserMax
        )
    }
}

/// Deletes what was noted of users who left, and content that is too old, now and every few seconds,
/// until the order to stop.
private struct Housekeeping: Service {
    let store: BackendStore
    let sender: SenderClient
    let limits: BackendLimits

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var purged: Int64 = 0
            repeat {
                // A hub that is away is asked again in the next round.
                try? await HubDeletions(store: store).carryOut(
                    with: sender.until(limits.hub.deadline)
                )
                let now = Int64(Date.now.timeIntervalSince1970)
                if now - purged >= limits.content.purgeSeconds {
                    purged = now
                    // Content that is too old is not served anyway, and is removed in a later
                    // round.
                    try? await store.content.purge(limits: limits.content, now: now)
                }
                // Sleeping fails only when the server stops, and that ends the loop.
            } while (try? await Task.sleep(for: .seconds(limits.registrations.deletionSeconds)))
                != nil
        }
    }
}
