import Configuration
import Foundation
import HubCluster
import HubConsole
import HubData
import HubDatabase
import HubTraces
import HubTransport
import HubVocabulary
package import Logging
import SystemPackage

/// From flags, environment and file to options: flags first, then the environment (`BELFRY_…`),
/// then `belfry.json` in the data folder.
///
/// Source: Belfry.docc, Configuration.
package struct ServerSettings: Sendable {
    /// The options of the server.
    package var options: ServerOptions
    /// The least severe level that is logged.
    package var logLevel: Logger.Level
    /// How lines of the log are spelled.
    package var logFormat: LogFormat

    /// The beginning of every variable of a setting.
    private static let prefix = "BELFRY_"
    /// Variables that other commands read.
    private static let othersVariables: Set<String> = [
        "BELFRY_CONNECTION_STRING", "BELFRY_CONTEXT", "BELFRY_BACKEND_KEY", "BELFRY_APP_PASSWORD",
        "BELFRY_SEND_KEY",
    ]

    /// Reads all three; flags are given by key, such as `rest.port`.
    /// - Throws: `.brokenFile` when the file, a value or the name of a setting cannot be understood.
    package static func load(
        flags: [String: String],
        data: String
    ) async throws -> ServerSettings {
        let environment = ProcessInfo.processInfo.environment
        return try await load(flags: flags, environment: environment, data: data)
    }

    /// The same with an environment of the caller's.
    package static func load(
        flags: [String: String],
        environment: [String: String],
        data: String
    ) async throws -> ServerSettings {
        let path = data + "/belfry.json"
        let file = try SettingsFile(path: path)
        var flagValues: [AbsoluteConfigKey: ConfigValue] = [:]
        for (key, value) in flags {
            let name = AbsoluteConfigKey(key.split(separator: ".").map(String.init))
            flagValues[name] = ConfigValue(.string(value), isSecret: false)
        }
        var own: [String: String] = [:]
        for (key, value) in environment
        where key.hasPrefix(prefix) && !othersVariables.contains(key) {
            own[String(key.dropFirst(prefix.count))] = value
        }
        var providers: [(ServerSetting.Origin, any ConfigProvider)] = [
            (.option, InMemoryProvider(name: "flags", values: flagValues)),
            (.environment, EnvironmentVariablesProvider(environmentVariables: own)),
        ]
        if file != nil {
            do {
                providers.append(
                    (.file, try await FileProvider<JSONSnapshot>(filePath: FilePath(path)))
                )
            } catch {
                throw ServerError.brokenFile(path: path, reason: "not a JSON object of settings")
            }
        }
        let reader = SettingsReader(providers)
        var settings = try settings(reader, data: data)
        for name in file?.names ?? [] { try reader.check(name, in: "\(path): ") { $0 } }
        for name in own.keys.sorted() {
            try reader.check(name.lowercased().replacingOccurrences(of: "_", with: ".")) { name in
                prefix + name.uppercased().replacingOccurrences(of: ".", with: "_")
            }
        }
        settings.options.settings = reader.names.map { name in
            let value = settings.values[name] ?? ""
            return ServerSetting(name: name, origin: reader.origin(of: name), value: value)
        }
        return settings
    }

    private static func settings(
        _ reader: SettingsReader,
        data: String
    ) throws(ServerError) -> ServerSettings {
        var options = ServerOptions(data: data)
        options.rest.host = reader.string("rest.host") ?? options.rest.host
        options.rest.port = try reader.number("rest.port", 0...65_535) ?? options.rest.port
        options.rest.proxies = try reader.addresses("rest.proxy") ?? options.rest.proxies
        options.rest.console = try reader.choice("console") ?? options.rest.console
        options.devices.host = reader.string("device.host") ?? options.devices.host
        options.devices.port = try reader.number("device.port", 0...65_535) ?? options.devices.port
        options.devices.proxies = try reader.addresses("device.proxy") ?? options.devices.proxies
        options.devices.records = try reader.choice("device.records") ?? options.devices.records
        options.devices.submission =
            try reader.choice("device.submission") ?? options.devices.submission
        options.devices.shards = try reader.number("shards", 0...256) ?? options.devices.shards
        if let names = reader.string("names") {
            options.names = names.split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        if let addresses = reader.string("jobs.urls") {
            options.jobURLs = addresses.split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        try readLimits(reader, into: &options)
        try options.relay.read(reader)
        options.rest.traces.url = try reader.url("traces.url")
        options.rest.traces.ratio = try reader.share("traces.ratio") ?? options.rest.traces.ratio
        let passwordFile = reader.string("database.password.file")
        if let url = reader.string("database.url") {
            options.storage.database = try DatabaseOptions(url: url, passwordFile: passwordFile)
        }
        let lease = try reader.number("database.lease.seconds", 3...60)
        if let lease { options.storage.database?.lease = LeaseLimits(seconds: lease) }
        options.storage.nodeHost = reader.string("node.host")
        options.certificate.chainFile = reader.string("certificate")
        options.certificate.keyFile = reader.string("key")
        options.certificate.clientAuthoritiesFile = reader.string("client.authorities")
        options.isPublicBindConfirmed = try reader.flag("confirm.public.bind")
        options.listenMaySetProtectedTags = try reader.flag(
            "access.listen.may.set.protected.tags"
        )
        options.allowsCoreDumps = try reader.flag("core.dumps")
        var returning = ReturnRules()
        returning.perSecond = try reader.number("return.rate", 1...100_000) ?? returning.perSecond
        returning.secondsMax =
            try reader.number("return.max.seconds", 1...3_600) ?? returning.secondsMax
        options.devices.sessionLimits.returning = returning
        guard (options.certificate.chainFile == nil) == (options.certificate.keyFile == nil) else {
            throw .certificate(reason: "give both the certificate and its key")
        }
        let word = reader.string("log.level") ?? "info"
        guard let level = Logger.Level(rawValue: word) else {
            throw .brokenFile(path: "log.level", reason: "'\(word)' is no log level")
        }
        let format: LogFormat = try reader.choice("log.format") ?? .text
        return ServerSettings(options: options, logLevel: level, logFormat: format)
    }

    /// The limits that an operator may set.
    ///
    /// Source: rules C.4, REST §11.
    private static func readLimits(
        _ reader: SettingsReader,
        into options: inout ServerOptions
    ) throws(ServerError) {
        if let most = try reader.number("rest.connections.per.address", 1...65_536) {
            options.rest.limits.connectionsPerAddress = most
        }
        if let seconds = try reader.number("schedule.horizon.seconds", 60...31_536_000) {
            options.coreLimits.schedules.scheduleHorizonSeconds = UInt64(seconds)
        }
        if let most = try reader.number("registrations.max", 1...1_000_000_000) {
            options.coreLimits.quota.registrationsMax = most
        }
        if let most = try reader.number("tags.max", 1...1_000_000_000) {
            options.coreLimits.quota.tagsMax = most
        }
        if let most = try reader.number("tags.bytes.max", 1_024...68_719_476_736) {
            options.coreLimits.quota.tagBytesMax = most
        }
        if let most = try reader.number("registrations.per.minute.key", 1...1_000_000_000) {
            options.coreLimits.quota.newPerKeyPerMinute = most
        }
        if let most = try reader.number("registrations.per.minute.address", 1...1_000_000_000) {
            options.coreLimits.quota.newPerAddressPerMinute = most
        }
        options.coreLimits.allowExpressions(
            tagsOrOnly: try reader.number("tags.expression.max", 20...64),
            tagsMixed: try reader.number("tags.expression.mixed.max", 10...64),
            bytes: try reader.number("tags.expression.bytes", 4_096...16_384)
        )
    }
}
