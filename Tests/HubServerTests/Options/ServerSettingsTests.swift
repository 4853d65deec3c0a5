import Foundation
@testable import HubServer
import HubData
import HubRelayLink
import HubTags
import HubTestSupport
import HubTraces
import HubTransport
import HubVocabulary
import Testing

@Suite("Settings")
struct ServerSettingsTests {
    private func load(
        flags: [String: String] = [:],
        environment: [String: String] = [:],
        file: String? = nil
    ) async throws -> ServerSettings {
        let place = TemporaryFolder()
        if let file {
            _ = try DataFolder(path: place.path)
            try place.write(file, to: "belfry.json")
        }
        return try await ServerSettings.load(
            flags: flags,
            environment: environment,
            data: place.path
        )
    }

    @Test("flags go before the environment, that before the file, that before the default")
    func precedence() async throws {
        let file = #"{"rest": {"port": 3}}"#
        #expect(try await load().options.rest.port == 8_443)
        #expect(try await load(file: file).options.rest.port == 3)
        let environment = ["BELFRY_REST_PORT": "2", "REST_PORT": "9"]
        #expect(try await load(environment: environment, file: file).options.rest.port == 2)
        let all = try await load(flags: ["rest.port": "1"], environment: environment, file: file)
        #expect(all.options.rest.port == 1)
        #expect(try await load(environment: ["REST_PORT": "9"]).options.rest.port == 8_443)
    }

    @Test(
        "105: a stand-in of a push service that other machines have is refused",
        arguments: [
            "api.push.apple.com=192.0.2.1:443", "api.push.apple.com=10.0.0.1:443",
            "api.push.apple.com=[2001:db8::1]:443", "api.push.apple.com=localhost:443",
            "api.push.apple.com=127.0.0.1", "api.push.apple.com",
        ]
    )
    func places(text: String) async throws {
        let error = await #expect(throws: ServerError.self) {
            try await load(environment: ["BELFRY_RELAY_PLACES": text])
        }
        guard case .brokenFile(path: "relay.places", _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("traces have an address of HTTP and a share of all requests, or stop the start")
    func traces() async throws {
        let url = ["BELFRY_TRACES_URL": "http://127.0.0.1:4318/v1/traces"]
        let none = try await load().options.rest.traces
        #expect(none.url == nil && none.ratio == 0.01)
        for (text, ratio) in [("0", 0), ("0.25", 0.25), ("1", 1)] {
            let more = ["BELFRY_TRACES_RATIO": text]
            let read = try await load(environment: url.merging(more) { $1 }).options.rest.traces
            #expect(read.url == "http://127.0.0.1:4318/v1/traces" && read.ratio == ratio)
        }
        let file = #"{"traces": {"ratio": 0.5}}"#
        #expect(try await load(file: file).options.rest.traces.ratio == 0.5)
        for (name, text) in [
            ("RATIO", "1.1"), ("RATIO", "-0.1"), ("RATIO", "nan"), ("RATIO", "half"),
            ("URL", "127.0.0.1:4318"), ("URL", "grpc://localhost:4317"), ("URL", "http://"),
        ] {
            await #expect(throws: ServerError.self, "\(name) \(text)") {
                try await load(environment: ["BELFRY_TRACES_\(name)": text])
            }
        }
    }

    @Test("105: a stand-in on this machine is taken")
    func loopbackPlaces() async throws {
        let text = "api.push.apple.com=127.0.0.1:2197,fcm.googleapis.com=[::1]:2198"
        let options = try await load(environment: ["BELFRY_RELAY_PLACES": text]).options
        #expect(options.relay.carrier.places.count == 2)
    }

    @Test("each setting is told with its value and its origin")
    func origins() async throws {
        let settings = try await load(
            flags: ["rest.host": "127.0.0.2"],
            environment: ["BELFRY_SHARDS": "2", "BELFRY_LOG_FORMAT": "json"],
            file: #"{"rest": {"port": 3}, "core": {"dumps": true}, "shards": 5}"#
        )
        #expect(settings.logFormat == .json)
        var told: [String: ServerSetting] = [:]
        for setting in settings.options.settings { told[setting.name] = setting }
        #expect(Set(told.keys) == Set(settings.values.keys))
        for (name, value, origin) in [
            ("rest.host", "127.0.0.2", ServerSetting.Origin.option), ("shards", "2", .environment),
            ("rest.port", "3", .file), ("core.dumps", "true", .file),
            ("device.port", "9443", .standard),
        ] {
            #expect(told[name] == ServerSetting(name: name, origin: origin, value: value))
        }
    }

    @Test("a setting that is not there is an error that names the nearest one")
    func mistyped() async throws {
        func reason(_ environment: [String: String] = [:], file: String? = nil) async -> String {
            do {
                _ = try await load(environment: environment, file: file)
                return ""
            } catch {
                return "\(error)"
            }
        }
        let shards = await reason(["BELFRY_SHARDZ": "3"])
        #expect(shards.contains("BELFRY_SHARDZ: ") && shards.contains("'BELFRY_SHARDS'"))
        #expect(await reason(["BELFRY_NOTHING_LIKE_THAT": "3"]).hasSuffix("no such setting"))
        // Other commands read these.
        #expect(await reason(["BELFRY_SEND_KEY": "x", "BELFRY_CONNECTION_STRING": "x"]) == "")
        let nested = await reason(file: #"{"rest": {"prt": 1}}"#)
        #expect(nested.contains("belfry.json: rest.prt: ") && nested.contains("rest.port'"))
        #expect(
            await reason(file: "{\"shards\": 1,\n  \"names\"; 2}").contains("line 2, column 10:")
        )
        #expect(await reason(file: "[1]").contains("not an object"))
    }

    /// Every key with a value, as a file writes it, and what becomes of it.
    static let keys:
        [(key: String, value: String, json: String, read: @Sendable (ServerSettings) -> String)] = [
            ("rest.host", "::1", #""::1""#, { $0.options.rest.host }),
            ("rest.port", "0", "0", { "\($0.options.rest.port)" }),
            ("device.host", "127.0.0.2", #""127.0.0.2""#, { $0.options.devices.host }),
            ("device.port", "65535", "65535", { "\($0.options.devices.port)" }),
            (
                "device.proxy", "10.0.0.0/8, fd00::1", #""10.0.0.0/8, fd00::1""#,
                { $0.options.devices.proxies.map(\.description).joined(separator: ", ") }
            ),
            (
                "rest.proxy", "10.0.0.1", #""10.0.0.1""#,
                { $0.options.rest.proxies.map(\.description).joined(separator: ", ") }
            ),
            ("device.records", "openssl", #""openssl""#, { $0.options.devices.records.rawValue }),
            ("device.submission", "send", #""send""#, { $0.options.devices.submission.rawValue }),
            ("shards", "256", "256", { "\($0.options.devices.shards)" }),
            (
                "names", "a.example, b.example", #""a.example, b.example""#,
                {
                    $0.options.names.joined(separator: ", ")
                }
            ),
            (
                "client.authorities", "ca.pem", #""ca.pem""#,
                { $0.options.certificate.clientAuthoritiesFile ?? "" }
            ),
            ("confirm.public.bind", "true", "true", { "\($0.options.isPublicBindConfirmed)" }),
            (
                "access.listen.may.set.protected.tags", "true", "true",
                {
                    "\($0.options.listenMaySetProtectedTags)"
                }
            ),
            (
                "return.rate", "50", "50",
                { "\($0.options.devices.sessionLimits.returning.perSecond)" }
            ),
            (
                "return.max.seconds", "3600", "3600",
                { "\($0.options.devices.sessionLimits.returning.secondsMax)" }
            ),
            (
                "rest.connections.per.address", "65536", "65536",
                { "\($0.options.rest.limits.connectionsPerAddress)" }
            ),
            (
                "schedule.horizon.seconds", "31536000", "31536000",
                { "\($0.options.coreLimits.schedules.scheduleHorizonSeconds)" }
            ),
            (
                "registrations.max", "5", "5",
                { "\($0.options.coreLimits.quota.registrationsMax)" }
            ),
            (
                "registrations.per.minute.key", "5", "5",
                { "\($0.options.coreLimits.quota.newPerKeyPerMinute)" }
            ),
            (
                "registrations.per.minute.address", "5", "5",
                { "\($0.options.coreLimits.quota.newPerAddressPerMinute)" }
            ),
            ("core.dumps", "true", "true", { "\($0.options.allowsCoreDumps)" }),
            ("tags.max", "5", "5", { "\($0.options.coreLimits.quota.tagsMax)" }),
            ("tags.bytes.max", "2048", "2048", { "\($0.options.coreLimits.quota.tagBytesMax)" }),
            (
                "tags.expression.max", "64", "64",
                { "\($0.options.coreLimits.tags.expressionTagsOrOnlyMax)" }
            ),
            (
                "tags.expression.mixed.max", "64", "64",
                { "\($0.options.coreLimits.tags.expressionTagsMixedMax)" }
            ),
            (
                "tags.expression.bytes", "16384", "16384",
                { "\($0.options.coreLimits.tags.expressionBytesMax)" }
            ),
            ("log.level", "debug", #""debug""#, { "\($0.logLevel)" }),
        ]

    @Test("every key is read from each place", arguments: keys.indices)
    func everyKey(_ number: Int) async throws {
        let (key, value, json, read) = Self.keys[number]
        #expect(read(try await load()) != value, "the value of the test is the default")
        #expect(read(try await load(flags: [key: value])) == value)
        let variable = "BELFRY_" + key.uppercased().replacing(".", with: "_")
        #expect(read(try await load(environment: [variable: value])) == value)
        let file = key.split(separator: ".").reversed().reduce(json) { "{\"\($1)\": \($0)}" }
        #expect(read(try await load(file: file)) == value, "\(file)")
    }

    @Test("certificate and key go together")
    func certificate() async throws {
        let both = try await load(flags: ["certificate": "c.pem", "key": "k.pem"])
        #expect(both.options.certificate.chainFile == "c.pem")
        #expect(both.options.certificate.keyFile == "k.pem")
        for alone in ["certificate", "key"] {
            let error = await refusal { _ = try await load(flags: [alone: "x.pem"]) }
            #expect(error?.description == "certificate: give both the certificate and its key")
        }
    }

    @Test(
        "a value that cannot be is refused by its key's name",
        arguments: [
            ("rest.port", "65536", "rest.port: 65536 is not within 0 to 65535"),
            ("rest.port", "-1", "rest.port: -1 is not within 0 to 65535"),
            ("device.port", "http", "device.port: 'http' is no number"),
            ("device.records", "mine", "device.records: 'mine' is neither openssl nor own"),
            (
                "device.proxy", "10.0.0.1, balancer",
                "device.proxy: 'balancer' is neither an address nor a network such as 10.0.0.0/8 or "
                    + "fd00::/8"
            ),
            (
                "rest.proxy", "10.0.0.1/8",
                "rest.proxy: '10.0.0.1/8' is neither an address nor a network such as 10.0.0.0/8 or "
                    + "fd00::/8"
            ),
            ("device.submission", "uring", "device.submission: 'uring' is neither ring nor send"),
            ("shards", "257", "shards: 257 is not within 0 to 256"),
            ("return.rate", "fast", "return.rate: 'fast' is no number"),
            ("return.max.seconds", "0", "return.max.seconds: 0 is not within 1 to 3600"),
            (
                "rest.connections.per.address", "0",
                "rest.connections.per.address: 0 is not within 1 to 65536"
            ),
            ("tags.expression.max", "65", "tags.expression.max: 65 is not within 20 to 64"),
            (
                "tags.expression.mixed.max", "9",
                "tags.expression.mixed.max: 9 is not within 10 to 64"
            ),
            (
                "tags.expression.bytes", "16385",
                "tags.expression.bytes: 16385 is not within 4096 to 16384"
            ),
            (
                "schedule.horizon.seconds", "59",
                "schedule.horizon.seconds: 59 is not within 60 to 31536000"
            ),
            (
                "confirm.public.bind", "maybe",
                "confirm.public.bind: 'maybe' is neither true nor false"
            ),
            ("log.level", "loud", "log.level: 'loud' is no log level"),
        ]
    )
    func badValues(_ key: String, _ value: String, _ line: String) async throws {
        let byFlag = await refusal { _ = try await load(flags: [key: value]) }
        #expect(byFlag?.description == line)
        let variable = "BELFRY_" + key.uppercased().replacing(".", with: "_")
        let byVariable = await refusal { _ = try await load(environment: [variable: value]) }
        #expect(byVariable?.description == line)
    }

    @Test("a file that is no JSON object is refused by its path", arguments: ["{", "[1]", "x"])
    func brokenFile(_ text: String) async throws {
        let error = await refusal { _ = try await load(file: text) }
        #expect(error?.description.contains("/belfry.json: line 1, column ") == true)
    }

    private func refusal(_ body: () async throws -> Void) async -> ServerError? {
        do {
            try await body()
            Issue.record("nothing was refused")
        } catch let error as ServerError {
            return error
        } catch {
            Issue.record("\(error)")
        }
        return nil
    }
}
