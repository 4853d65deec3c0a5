import Foundation
package import HubDoctor
import HubSender
import HubVocabulary

/// Reads the facts of a running server from its rows.
package struct ServerReading {
    /// Asks a server for a row, by its path and the fields of its query.
    package typealias Ask = (String, KeyValuePairs<String, String?>) async throws -> String

    /// A row that cannot be read.
    private struct Unreadable: Error, CustomStringConvertible {
        let description = "the hub's answer cannot be read: is it of another release?"
    }

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

    private struct Devices: Decodable {
        struct Device: Decodable {
            var behind: UInt64
        }

        var devices: [Device]
    }

    fileprivate struct Past: Decodable {
        var series: [String: [Double?]]
        var stepSeconds: Double
    }

    private struct HubSettings: Decodable {
        var deviceCap: Int
    }

    private let ask: Ask

    /// Reads with this way to ask.
    package init(_ ask: @escaping Ask) { self.ask = ask }

    /// Its facts, and its settings by name.
    package func facts() async throws -> (facts: ServerFacts, settings: [String: String]) {
        let server = try await row(Server.self, "$belfry/server")
        var facts = ServerFacts(version: server.version, started: time(server.started))
        let milliseconds = Date().timeIntervalSince1970 * 1_000
        facts.clockSeconds = Int((Double(time(server.now).milliseconds) - milliseconds) / 1_000)
        facts.problems = server.problems
        facts.numbersRead = server.numbersRead.map(time)
        facts.refusedConnections = try await refusedConnections()
        for hub in try await row(HubNumbers.self, HubNumbers.path).hubs {
            // A hub may be removed meanwhile.
            facts.hubs.append((try? await read(hub)) ?? HubFacts(name: hub.name))
        }
        let settings = Dictionary(server.settings.map { ($0.name, $0.value) }) { first, _ in first }
        return (facts, settings)
    }

    private func read(_ hub: HubNumbers.Hub) async throws -> HubFacts {
        var facts = HubFacts(name: hub.name)
        // One that does not answer is told by the server's problems.
        guard let numbers = hub.numbers else { return facts }
        facts.waiting = numbers.waiting
        facts.undeliverable = numbers.undeliverable
        facts.registrations = numbers.registrations
        facts.connected = numbers.connected
        facts.logBytesPerDay = try await row(
            Past.self,
            "$belfry/history",
            ["hub": hub.name, "series": "logBytes", "step": "60"]
        ).growth
        let own = "\(hub.name)/"
        let place = own + "$belfry/"
        facts.deviceCap = try await row(HubSettings.self, place + "settings").deviceCap
        facts.behind = try await row(
            Devices.self,
            place + "devices",
            ["sort": "behind", "$top": "1000"]
        ).devices.map { Int(clamping: $0.behind) }
        // An older hub has no such row, or one with fewer members.
        let relays = try? await row([String: RelayStateAnswer].self, place + "relays")
        facts.relays = (relays ?? [:]).sorted { $0.key < $1.key }.map { platform, relay in
            RelayFacts(
                platform: platform,
                refusal: relay.refusal,
                certificateEnd: relay.certificateEnd.map(time)
            )
        }
        facts.rules = try await row(KeyPage.self, own + KeyPage.path).rules.map { rule in
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

    private func refusedConnections() async throws -> Int {
        let text = try await ask("$belfry/metrics", [:])
        let name = "belfry_rest_connections_refused_total "
        // Without a refusal there is no such series.
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { Int($0.dropFirst(name.count)) } ?? 0
    }

    private func row<Value: Decodable>(
        _ form: Value.Type,
        _ path: String,
        _ fields: KeyValuePairs<String, String?> = [:]
    ) async throws -> Value {
        let text = try await ask(path, fields)
        do {
            return try JSONDecoder().decode(form, from: Data(text.utf8))
        } catch {
            throw Unreadable()
        }
    }

    /// A time of a row; the epoch where it is none.
    private func time(_ text: String) -> Timestamp {
        let bytes = Array(text.utf8)
        guard case .time(let time) = TimeText.parse(bytes.span) else {
            return Timestamp(milliseconds: 0)
        }
        return time
    }
}

extension ServerReading.Past {
    /// The bytes that a day adds, by the first and the last value; nil where too little is known.
    fileprivate var growth: Int? {
        let values = (series.values.first ?? []).enumerated().compactMap { place, value in
            value.map { (place, $0) }
        }
        guard let first = values.first, let last = values.last else { return nil }
        let seconds = Double(last.0 - first.0) * stepSeconds
        guard seconds >= ServerReading.minutesMin * 60 else { return nil }
        return Int((last.1 - first.1) / seconds * 86_400)
    }
}
