import Configuration
import Foundation
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

    /// Reads all three; flags are given by key, such as `rest.port`.
    /// - Throws: `.brokenFile` when the file or a value cannot be understood.
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
        var flagValues: [AbsoluteConfigKey: ConfigValue] = [:]
        for (key, value) in flags {
            let name = AbsoluteConfigKey(key.split(separator: ".").map(String.init))
            flagValues[name] = ConfigValue(.string(value), isSecret: false)
        }
        let prefix = "BELFRY_"
        var own: [String: String] = [:]
        for (key, value) in environment where key.hasPrefix(prefix) {
            own[String(key.dropFirst(prefix.count))] = value
        }
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "flags", values: flagValues),
            EnvironmentVariablesProvider(environmentVariables: own),
        ]
        if FileManager.default.fileExists(atPath: path) {
            do {
                providers.append(
                    try await FileProvider<JSONSnapshot>(filePath: FilePath(path))
                )
            } catch {
                throw ServerError.brokenFile(path: path, reason: "not a JSON object of settings")
            }
        }
        return try settings(ConfigReader(providers: providers), data: data)
    }

    private static func settings(
        _ reader: ConfigReader,
        data: String
    ) throws(ServerError) -> ServerSettings {
        var options = ServerOptions(data: data)
        options.rest.host = reader.string(forKey: "rest.host", default: options.rest.host)
        options.rest.port = try number(reader, "rest.port", 0...65_535) ?? options.rest.port
        options.devices.host = reader.string(forKey: "device.host", default: options.devices.host)
        options.devices.port = try number(reader, "device.port", 0...65_535) ?? options.devices.port
        if let word = reader.string(forKey: "device.records") {
            options.devices.records = try choice(word, of: "device.records")
        }
        if let word = reader.string(forKey: "device.submission") {
            options.devices.submission = try choice(word, of: "device.submission")
        }
        options.devices.shards = try number(reader, "shards", 0...256) ?? options.devices.shards
        if let names = reader.string(forKey: "names") {
            options.names = names.split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        if let addresses = reader.string(forKey: "jobs.urls") {
            options.jobURLs = addresses.split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        try readLimits(reader, into: &options)
        options.certificate.chainFile = reader.string(forKey: "certificate")
        options.certificate.keyFile = reader.string(forKey: "key")
        options.certificate.clientAuthoritiesFile = reader.string(forKey: "client.authorities")
        options.isPublicBindConfirmed = try flag(reader, "confirm.public.bind")
        options.listenMaySetProtectedTags = try flag(
            reader,
            "access.listen.may.set.protected.tags"
        )
        if let seconds = try number(reader, "drain.spread.seconds", 0...3_600) {
            options.devices.drainSpreadSeconds = seconds
        }
        guard (options.certificate.chainFile == nil) == (options.certificate.keyFile == nil) else {
            throw .certificate(reason: "give both the certificate and its key")
        }
        let word = reader.string(forKey: "log.level", default: "info")
        guard let level = Logger.Level(rawValue: word) else {
            throw .brokenFile(path: "log.level", reason: "'\(word)' is no log level")
        }
        return ServerSettings(options: options, logLevel: level)
    }

    /// The limits that an operator may set.
    ///
    /// Source: rules C.4, REST §11.
    private static func readLimits(
        _ reader: ConfigReader,
        into options: inout ServerOptions
    ) throws(ServerError) {
        if let most = try number(reader, "rest.connections.per.address", 1...65_536) {
            options.rest.limits.connectionsPerAddress = most
        }
        if let seconds = try number(reader, "schedule.horizon.seconds", 60...31_536_000) {
            options.coreLimits.scheduleHorizonSeconds = UInt64(seconds)
        }
        if let most = try number(reader, "registrations.max", 1...1_000_000_000) {
            options.coreLimits.quota.registrationsMax = most
        }
        if let most = try number(reader, "tags.max", 1...1_000_000_000) {
            options.coreLimits.quota.tagsMax = most
        }
        if let most = try number(reader, "tags.bytes.max", 1_024...68_719_476_736) {
            options.coreLimits.quota.tagBytesMax = most
        }
        options.coreLimits.allowExpressions(
            tagsOrOnly: try number(reader, "tags.expression.max", 20...64),
            tagsMixed: try number(reader, "tags.expression.mixed.max", 10...64),
            bytes: try number(reader, "tags.expression.bytes", 4_096...16_384)
        )
    }

    private static func number(
        _ reader: ConfigReader,
        _ key: String,
        _ range: ClosedRange<Int>
    ) throws(ServerError) -> Int? {
        let name = ConfigKey(key)
        guard
            let value = reader.int(forKey: name) ?? reader.string(forKey: name).flatMap({ Int($0) })
        else {
            guard let text = reader.string(forKey: name) else { return nil }
            throw .brokenFile(path: key, reason: "'\(text)' is no number")
        }
        guard range.contains(value) else {
            throw .brokenFile(
                path: key,
                reason: "\(value) is not within \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return value
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ word: String,
        of key: String
    ) throws(ServerError) -> Choice {
        if let choice = Choice(rawValue: word) { return choice }
        let words = Choice.allCases.map(\.rawValue).joined(separator: " nor ")
        throw .brokenFile(path: key, reason: "'\(word)' is neither \(words)")
    }

    private static func flag(_ reader: ConfigReader, _ key: String) throws(ServerError) -> Bool {
        let name = ConfigKey(key)
        if let value = reader.bool(forKey: name) { return value }
        guard let text = reader.string(forKey: name) else { return false }
        switch text.lowercased() {
        case "true", "yes", "1": return true
        case "false", "no", "0": return false
        default: throw .brokenFile(path: key, reason: "'\(text)' is neither true nor false")
        }
    }
}
