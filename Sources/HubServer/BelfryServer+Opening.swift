import Foundation
import HubCore
import HubStore
import HubTransport
import Logging

/// What a server needs before its first thread runs.
extension BelfryServer {
    /// A hub's files before its writer owns them.
    struct OpenedHub {
        var configuration: ShardHubConfiguration
        var files: HubFiles
        var reader: any LogReading
    }

    static func checkBind(_ options: ServerOptions) throws(ServerError) {
        for host in [options.restHost, options.deviceHost]
        where !["127.0.0.1", "::1", "localhost"].contains(host) && !options.isPublicBindConfirmed {
            throw .publicBind(host: host)
        }
    }

    /// Names under which clients may reach the server; the first one goes into connection strings.
    static func names(_ options: ServerOptions) -> [String] {
        var names = options.names
        for name in ["localhost", "127.0.0.1", "::1", options.restHost, options.deviceHost]
        where !names.contains(name) && name != "0.0.0.0" && name != "::" {
            names.append(name)
        }
        return names
    }

    static func policies(
        _ keys: HubKeys,
        names: [String],
        options: ServerOptions
    ) throws(ServerError) -> AccessPolicies {
        do throws(Refusal) {
            return try AccessPolicies(
                names: names,
                namespace: keys.namespace,
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
        if let certificate = options.certificateFile, let key = options.keyFile {
            return CertificateFiles(
                certificate: certificate,
                key: key,
                authority: certificate,
                clientAuthorities: options.clientAuthoritiesFile
            )
        }
        let made = try DevelopmentAuthority.files(in: folder, names: names(options))
        return CertificateFiles(
            certificate: made.certificate,
            key: made.key,
            authority: made.authority,
            clientAuthorities: options.clientAuthoritiesFile
        )
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

    static func openHubs(
        _ keys: HubKeys,
        folder: DataFolder,
        options: ServerOptions,
        logger: Logger
    ) throws(ServerError) -> [OpenedHub] {
        var hubs: [OpenedHub] = []
        for hub in keys.hubs {
            do throws(StoreError) {
                hubs.append(try open(hub.name, hub.secret, folder, options, logger))
            } catch {
                throw .store(hub: hub.name.description, reason: error.reason)
            }
        }
        return hubs
    }

    private static func open(
        _ name: HubName,
        _ secret: HubSecret,
        _ folder: DataFolder,
        _ options: ServerOptions,
        _ logger: Logger
    ) throws(StoreError) -> OpenedHub {
        var random = SystemRandomNumberGenerator()
        let began = Clock.now
        let store = try SQLiteStore(
            folder: folder.file("hubs/\(name)"),
            epochSeed: random.next()
        )
        let directory = try HubDirectory(
            hub: name,
            secret: secret,
            storage: store,
            limits: options.coreLimits,
            protected: ProtectedTags(listenMaySet: options.listenMaySetProtectedTags),
            seed: random.next(),
            now: began
        )
        let elapsed = Clock.now.instant.milliseconds(since: began.instant)
        if elapsed > 1_000 {
            logger.notice("hub loaded", metadata: ["hub": "\(name)", "milliseconds": "\(elapsed)"])
        }
        var generations: [DeviceID: UInt32] = [:]
        try store.forEachRevocation { generations[$0] = $1 }
        let configuration = ShardHubConfiguration(
            name: name,
            secret: secret,
            bounds: store.bounds,
            headCheck: try store.reader.check(at: store.bounds.head) ?? 0,
            keyGenerations: generations,
            payloadBytesMax: options.coreLimits.payloadBytesMax,
            retentionSeconds: options.coreLimits.timeToLiveDefaultSeconds
        )
        return OpenedHub(
            configuration: configuration,
            files: HubFiles(directory: directory, storage: store),
            reader: store.reader
        )
    }

    static func startWriters(
        _ opened: consuming [OpenedHub],
        mailboxes: ShardMailboxes,
        logger: Logger
    ) throws(TransportError) -> [ShardHub] {
        var hubs: [ShardHub] = []
        for hub in opened {
            let name = hub.configuration.name
            let writer = HubWriter(
                hub: name,
                recent: RecentRecords(),
                shards: mailboxes
            ) { hub, event in ServerEvents.report(event, of: hub, to: logger) }
            let reader = LogReaderThread(hub: name, reader: hub.reader, shards: mailboxes)
            try reader.start()
            try writer.start(hub.files)
            hubs.append(
                ShardHub(configuration: hub.configuration, writer: writer, reader: reader)
            )
        }
        return hubs
    }

    static func startShard(
        _ shard: Int,
        hubs: [ShardHub],
        policies: AccessPolicies,
        options: ServerOptions,
        mailbox: ShardMailbox,
        configuration: ReactorConfiguration
    ) throws(TransportError) -> ReactorThread {
        let limits = options.sessionLimits
        return try ReactorThread(name: "shard-\(shard)") {
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
                reactor.run()
            } catch {
                // Without descriptors there is no shard; the process ends, nothing was accepted.
                preconditionFailure("shard \(shard): \(error)")
            }
        }
    }
}
