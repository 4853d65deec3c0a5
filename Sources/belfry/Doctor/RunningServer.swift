import HubSender
import HubDoctor
import HubVocabulary
import Foundation

/// A running server as its rows tell it, for the doctor.
enum RunningServer {
    private struct Server: Decodable {
        struct Setting: Decodable {
            var name: String
            var value: String
        }

        var now: String
        var numbersRead: String?
        var problems: [String]
        var settings: [Setting]
        var started: String
        var version: String
    }

    private struct Hubs: Decodable {
        struct Hub: Decodable {
            struct Numbers: Decodable {
                var connected: Int
                var registrations: Int
                var undeliverable: Int
                var waiting: Int
            }

            var name: String
            var numbers: Numbers?
        }

        var hubs: [Hub]
    }

    private struct Keys: Decodable {
        struct Rule: Decodable {
            var name: String
            var primaryMade: String
            var primaryUsed: String?
            var rights: [String]
            var secondaryMade: String
            var secondaryUsed: String?
            var usedByDevices: String?
        }

        var rules: [Rule]
    }

    private struct Devices: Decodable {
        var devices: [FoundDevice]
    }

    fileprivate struct Past: Decodable {
        var series: [String: [Double?]]
        var stepSeconds: Double
    }

    private struct HubSettings: Decodable {
        var deviceCap: Int
    }

    /// Its facts, and its settings by name.
    static func read(
        _ options: HubOptions
    ) async throws -> (facts: ServerFacts, settings: [String: String]) {
        let server = try await row(Server.self, of: options, "$belfry/server")
        var facts = ServerFacts(version: server.version, started: time(server.started))
        let milliseconds = Date().timeIntervalSince1970 * 1_000
        facts.clockSeconds = Int((Double(time(server.now).milliseconds) - milliseconds) / 1_000)
        facts.problems = server.problems
        facts.numbersRead = server.numbersRead.map(time)
        facts.refusedConnections = try await refusedConnections(options)
        for hub in try await row(Hubs.self, of: options, "$belfry/hubs").hubs {
            // A hub may be removed meanwhile.
            facts.hubs.append((try? await read(hub, options)) ?? HubFacts(name: hub.name))
        }
        let settings = Dictionary(server.settings.map { ($0.name, $0.value) }) { first, _ in first }
        return (facts, settings)
    }

    private static func read(_ hub: Hubs.Hub, _ options: HubOptions) async throws -> HubFacts {
        var facts = HubFacts(name: hub.name)
        // One that does not answer is told by the server's problems.
        guard let numbers = hub.numbers else { return facts }
        facts.waiting = numbers.waiting
        facts.undeliverable = numbers.undeliverable
        facts.registrations = numbers.registrations
        facts.connected = numbers.connected
        facts.logBytesPerDay = try await row(
            Past.self,
            of: options,
            "$belfry/history",
            ["hub": hub.name, "series": "logBytes", "step": "60"]
        ).growth
        let place = "\(hub.name)/$belfry/"
        facts.deviceCap = try await row(HubSettings.self, of: options, place + "settings").deviceCap
        facts.behind = try await row(
            Devices.self,
            of: options,
            place + "devices",
            ["sort": "behind", "$top": "1000"]
        ).devices.map { Int(clamping: $0.behind) }
        // An older hub has no such row, or one with fewer members.
        let relays = try? await row(
            [String: RelayStateAnswer].self,
            of: options,
            place + "relays"
        )
        facts.relays = (relays ?? [:]).sorted { $0.key < $1.key }.map { platform, relay in
            RelayFacts(
                platform: platform,
                refusal: relay.refusal,
                certificateEnd: relay.certificateEnd.map(time)
            )
        }
        facts.rules = try await row(Keys.self, of: options, place + "keys").rules.map { rule in
            var facts = RuleFacts(
                name: rule.name,
                isManaging: rule.rights.contains(AccessRight.manage.name),
                primary: .init(made: time(rule.primaryMade), used: rule.primaryUsed.map(time)),
                secondary: .init(
                    made: time(rule.secondaryMade),
                    used: rule.secondaryUsed.map(time)
                )
            )
            facts.isUsedByDevices = rule.usedByDevices != nil
            return facts
        }
        return facts
    }

    /// Minutes of the past from which on a day can be told.
    fileprivate static let minutesMin = 60.0

    private static func refusedConnections(_ options: HubOptions) async throws -> Int {
        let text = try await Connecting.askingServer(options) { sender throws(SenderError) in
            try await sender.row(.get, "$belfry/metrics")
        }
        let name = "belfry_rest_connections_refused_total "
        // Without a refusal there is no such series.
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { Int($0.dropFirst(name.count)) } ?? 0
    }

    private static func row<Value: Decodable>(
        _ form: Value.Type,
        of options: HubOptions,
        _ path: String,
        _ fields: KeyValuePairs<String, String?> = [:]
    ) async throws -> Value {
        let text = try await Connecting.askingServer(options) { sender throws(SenderError) in
            try await sender.row(.get, path, fields)
        }
        return try Row.read(text, as: form)
    }

    /// A time of a row; the epoch where it is none.
    private static func time(_ text: String) -> Timestamp {
        let bytes = Array(text.utf8)
        guard case .time(let time) = TimeText.parse(bytes.span) else {
            return Timestamp(milliseconds: 0)
        }
        return time
    }
}

extension RunningServer.Past {
    /// The bytes that a day adds, by the first and the last value; nil where too little is known.
    fileprivate var growth: Int? {
        let values = (series.values.first ?? []).enumerated().compactMap { place, value in
            value.map { (place, $0) }
        }
        guard let first = values.first, let last = values.last else { return nil }
        let seconds = Double(last.0 - first.0) * stepSeconds
        guard seconds >= RunningServer.minutesMin * 60 else { return nil }
        return Int((last.1 - first.1) / seconds * 86_400)
    }
}
