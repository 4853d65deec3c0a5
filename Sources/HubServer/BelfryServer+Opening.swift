import Foundation
import HubCluster
import HubData
import HubDatabase
import HubHTTP
import HubRules
import HubTransport
import HubVocabulary
import Logging
import Synchronization

/// Steps before a server's first thread runs.
extension BelfryServer {
    static func prepareProcess(_ options: ServerOptions, logger: Logger) {
        ProcessMemory.keepLargeBlocksApart()
        // Shells and service managers begin with a low limit that a process may raise itself.
        ProcessMeter.raiseOpenFileLimit(to: options.openFilesMax)
        if !options.allowsCoreDumps, !ProcessMemory.forbidDumps() {
            logger.warning("a crash may leave keys in a core dump")
        }
    }

    /// Prepares the process and locks the folder; where a database has its hubs, it is opened.
    static func hold(_ given: ServerOptions, logger: Logger) throws(ServerError) -> HeldFolder {
        let options = given.numeric
        prepareProcess(options, logger: logger)
        try checkBind(options)
        return try HeldFolder(
            options.data,
            options.storage,
            place: place(options, rest: options.rest.port, devices: options.devices.port),
            shape: NodeShape(release: Release.version, limits: deciding(options.settings)),
            logger: logger
        )
    }

    /// Settings that decide what a hub takes, whichever node leads it.
    static func deciding(_ settings: [ServerSetting]) -> [String: String] {
        let names: Set = [
            "access.listen.may.set.protected.tags", "database.lease.seconds", "registrations.max",
            "registrations.per.minute.address", "registrations.per.minute.key",
            "schedule.horizon.seconds", "tags.bytes.max", "tags.expression.bytes",
            "tags.expression.max", "tags.expression.mixed.max", "tags.max",
        ]
        let found = settings.filter { names.contains($0.name) }.map { ($0.name, $0.value) }
        return Dictionary(found) { first, _ in first }
    }

    /// Where other nodes reach this one, at these ports.
    static func place(_ options: ServerOptions, rest: Int, devices: Int) -> NodePlace {
        func host(_ bound: String) -> String {
            let isAnywhere = bound == "0.0.0.0" || bound == "::"
            return options.storage.nodeHost ?? (isAnywhere ? ServerDatabase.machine : bound)
        }
        return NodePlace(
            rest: NodeAddress(host: host(options.rest.host), port: rest),
            devices: NodeAddress(host: host(options.devices.host), port: devices)
        )
    }

    static func checkBind(_ options: ServerOptions) throws(ServerError) {
        guard !options.isPublicBindConfirmed else { return }
        for (name, host) in [("REST", options.rest.host), ("device", options.devices.host)] {
            do throws(TransportError) {
                guard try !SocketAddress(numeric: host, port: 0).isLoopback else { continue }
            } catch {
                throw .listener(name: name, reason: error.description)
            }
            throw .publicBind(host: host)
        }
    }

    /// Names under which clients may reach the server; the first one goes into connection strings.
    static func names(_ options: ServerOptions) -> [String] {
        var names = options.names
        for name in ["localhost", "127.0.0.1", "::1", options.rest.host, options.devices.host]
        where !names.contains(name) && name != "0.0.0.0" && name != "::" {
            names.append(name)
        }
        return names
    }

    /// Places that bulk jobs may read and write besides their hub's own folder.
    static func jobPlaces(_ options: ServerOptions) throws(ServerError) -> JobPlaces {
        do throws(Refusal) {
            return try JobPlaces(allowing: options.jobURLs)
        } catch {
            throw .brokenFile(path: "jobs.urls", reason: error.detail)
        }
    }

    static func policies(
        _ keys: HubKeys,
        names: [String],
        options: ServerOptions
    ) throws(ServerError) -> AccessPolicies {
        do throws(Refusal) {
            return try AccessPolicies(
                names: names,
                namespace: keys.namespace.map(\.rule),
                hubs: Dictionary(uniqueKeysWithValues: keys.hubs.map { ($0.name, $0.rules) }),
                limits: options.coreLimits
            )
        } catch {
            throw .brokenFile(path: options.data, reason: error.detail)
        }
    }

    static func certificate(
        _ options: ServerOptions,
        folder: DataFolder
    ) throws(ServerError) -> CertificateFiles {
        if let certificate = options.certificate.chainFile, let key = options.certificate.keyFile {
            return CertificateFiles(
                certificate: certificate,
                key: key,
                // Others read it in connection.json, from folders of their own.
                authority: CertificateChain.holdsRoot(certificate)
                    ? URL(fileURLWithPath: certificate).standardizedFileURL.path : nil,
                clientAuthorities: options.certificate.clientAuthoritiesFile
            )
        }
        let made = try DevelopmentAuthority.files(in: folder, names: names(options))
        return CertificateFiles(
            certificate: made.certificate,
            key: made.key,
            authority: made.authority,
            clientAuthorities: options.certificate.clientAuthoritiesFile
        )
    }

    static func shown(_ files: CertificateFiles) throws(ServerError) -> ListenerCertificate {
        do throws(ListenerCertificate.Fault) {
            return try ListenerCertificate(certificateFile: files.certificate, keyFile: files.key)
        } catch {
            throw .certificate(reason: error.reason)
        }
    }

    static func tls(_ files: CertificateFiles) throws(ServerError) -> ServerTLS {
        do throws(TransportError) {
            return try ServerTLS(
                certificateFile: files.certificate,
                keyFile: files.key,
                clientAuthoritiesFile: files.clientAuthorities
            )
        } catch {
            throw .certificate(reason: error.description)
        }
    }

    static func listeners(
        _ options: ServerOptions,
        count: Int
    ) throws(ServerError) -> Listeners {
        do throws(TransportError) {
            return try Listeners(
                at: try SocketAddress(
                    numeric: options.devices.host,
                    port: UInt16(clamping: options.devices.port)
                ),
                count: count,
                limits: options.devices.transportLimits
            )
        } catch {
            throw .listener(name: "device", reason: error.description)
        }
    }

    static func mailboxes(_ count: Int) throws(ServerError) -> ShardMailboxes {
        do throws(TransportError) {
            return try ShardMailboxes(count: count)
        } catch {
            throw .listener(name: "device", reason: error.description)
        }
    }

    static func startShards(
        _ mailboxes: ShardMailboxes,
        hubs: [ShardHub],
        policies: AccessPolicies,
        options: ServerOptions,
        server: ReactorConfiguration.Server
    ) throws(ServerError) -> [ReactorThread] {
        let configuration = ReactorConfiguration(
            limits: options.devices.transportLimits.divided(among: mailboxes.shardCount),
            server: server
        )
        var threads: [ReactorThread] = []
        do throws(TransportError) {
            for shard in mailboxes.all.indices {
                threads.append(
                    try startShard(
                        shard,
                        hubs: hubs,
                        policies: policies,
                        limits: options.devices.sessionLimits,
                        mailbox: mailboxes.all[shard],
                        configuration: configuration
                    )
                )
            }
        } catch {
            for mailbox in mailboxes.all.prefix(threads.count) {
                mailbox.insist(on: .drain(deadlineMilliseconds: 0))
            }
            for thread in threads { thread.join() }
            throw .listener(name: "device", reason: error.description)
        }
        return threads
    }

    /// Returns when the shard's reactor stands; the thread has ended when it throws.
    private static func startShard(
        _ shard: Int,
        hubs: [ShardHub],
        policies: AccessPolicies,
        limits: SessionLimits,
        mailbox: ShardMailbox,
        configuration: ReactorConfiguration
    ) throws(TransportError) -> ReactorThread {
        let failure = Mutex<TransportError?>(nil)
        let isMade = DispatchSemaphore(value: 0)
        let thread = try ReactorThread(name: "shard-\(shard)") {
            var random = SystemRandomNumberGenerator()
            let seed: UInt64 = random.next()
            do throws(TransportError) {
                let reactor = try Reactor(configuration, mailbox: mailbox.mailbox) { connections in
                    ShardHandler(
                        shard: shard,
                        hubs: hubs,
                        policies: policies,
                        limits: limits,
                        seed: seed,
                        mailbox: mailbox,
                        connections: connections
                    )
                }
                isMade.signal()
                reactor.run()
            } catch {
                failure.withLock { $0 = error }
                isMade.signal()
            }
        }
        isMade.wait()
        guard let error = failure.withLock({ $0 }) else { return thread }
        thread.join()
        throw error
    }
}
