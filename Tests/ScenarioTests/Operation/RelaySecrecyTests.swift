import Foundation
import HubServer
import HubTestSupport
import Logging
import NIOHTTP1
import RelayFakes
import Testing

@testable import ScenarioSupport

/// What a hub that relays says to operators, without what would let them, or a thief of its log,
/// speak for the app.
@Suite("Secrets of relays")
struct RelaySecrecyTests {
    /// A logger that keeps each line, whatever its level.
    private struct Lines: LogHandler {
        let kept: EventLog<String>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        init(_ kept: EventLog<String>) { self.kept = kept }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let values = metadata.merging(event.metadata ?? [:]) { _, own in own }
            kept.append("\(event.message) \(values)")
        }
    }

    @Test(
        "77: no line of the log, metric, answer or file shows a credential, a token of it or a handle",
        arguments: FakedRelay.Service.all
    )
    func staySecret(service: FakedRelay.Service) async throws {
        let log = EventLog<String>()
        try await FakedRelay.run(
            service,
            rules: ["\(service.handle(1))=\(service.dead.word)"],
            logger: Logger(label: "test") { _ in Lines(log) }
        ) { relay in
            let registrations = [try await relay.register(1), try await relay.register(2)]
            let id = try await relay.send()
            try await relay.wait(id, "Success")
            try await relay.wait(id, service.dead.outcome)
            _ = try await relay.post(query: "&test")
            let folder = relay.admin.hub.folder
            let credential = try Self.credential(folder)
            // A browser's service gets the public key behind the token.
            let tokens = relay.messages(2).compactMap { message in
                message.request["authorization"]?.split(separator: ",").first
            }
            #expect(!tokens.isEmpty)
            let secrets = credential + Set(tokens.map { String($0.suffix(32)) })
            #expect(secrets.allSatisfy { $0.utf8.count >= 16 }, "none is too short to look for")

            var shown = [
                try await relay.admin.ask(.GET, "/$belfry/relays").text,
                try await relay.admin.ask(.GET).text,
                try await relay.admin.ask(.GET, "/$belfry/events").text,
                try await relay.admin.ask(.GET, "/$belfry/audit").text,
                try await relay.admin.ask(.GET, "/messages/\(id)").text,
                try await relay.admin.ask(.POST, "/$belfry/relays/\(service.format)/check").text,
                try await Self.metrics(relay),
            ]
            for registration in registrations {
                shown.append(try await relay.admin.explain(id, registration))
            }
            #expect(shown.allSatisfy { !$0.isEmpty } && log.events.count > 4)
            for secret in secrets {
                #expect(!shown.contains { $0.contains(secret) })
                #expect(!log.events.contains { $0.contains(secret) })
                try Self.expectInNoFile(secret, folder)
            }
            // A Manage key may read handles; logs and metrics are read by others.
            let handles = (1...2).map { service.handle($0) }
            for handle in handles {
                #expect(!log.events.contains { $0.contains(handle) })
                #expect(try await !Self.metrics(relay).contains(handle))
            }
        }
    }

    /// A hub's file of credentials.
    private struct Stored: Decodable {
        struct Property: Decodable {
            let name: String
            let value: Data
        }

        struct Entry: Decodable {
            let properties: [Property]
        }

        let credentials: [Entry]
    }

    /// Pieces of the secrets in a hub's file of credentials.
    private static func credential(_ folder: ScenarioFolder) throws -> [String] {
        let path = folder.file("hubs/hub/credentials.json")
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let properties = try JSONDecoder().decode(Stored.self, from: data).credentials
            .flatMap(\.properties)
        let names = ["Token", "PrivateKey", "VapidPrivateKey", "SecretKey"]
        let secret = try #require(properties.first { names.contains($0.name) })
        let text = String(decoding: secret.value, as: UTF8.self)
        // Of a text with a key in it the longest runs are the key.
        let pieces = text.matches(of: /[A-Za-z0-9+\/_-]{24,}/).map { String($0.output) }
        #expect(!pieces.isEmpty)
        return pieces.filter { !$0.contains("://") && !$0.hasPrefix("//") }
    }

    private static func metrics(_ relay: FakedRelay) async throws -> String {
        let answer = try await relay.admin.caller.perform(
            .GET,
            "$belfry/metrics",
            authorization: relay.admin.hub.folder.metricsToken()
        )
        #expect(answer.status == 200)
        return answer.text
    }

    private static func expectInNoFile(_ secret: String, _ folder: ScenarioFolder) throws {
        let paths = try #require(
            FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String]
        )
        for path in paths where !path.hasSuffix("credentials.json") {
            guard let content = FileManager.default.contents(atPath: folder.file(path)) else {
                continue
            }
            #expect(content.range(of: Data(secret.utf8)) == nil, "\(path)")
        }
    }
}
