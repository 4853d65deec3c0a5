import Foundation
import HubClient
import HubTestSupport
import NIOHTTP1
import Testing

extension RESTCaller {
    /// As much of `$belfry/telemetry` as is compared.
    struct Counters: Decodable {
        var state: String
        var platforms: [String: [String: Int]]

        /// The counters of a platform in one line, zeros left out.
        func line(_ platform: String) -> String {
            let counts = platforms[platform] ?? [:]
            let shown = counts.filter { $0.value > 0 && $0.key != "sent" }
            return shown.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
                .joined(separator: ", ")
        }
    }

    /// What the hub has counted of a notification.
    func counters(_ connection: ConnectionFile, _ id: String) async throws -> Counters {
        let answer = try await perform(
            .GET,
            "\(connection.hub)/$belfry/telemetry",
            query: "&notification=\(id)",
            authorization: token(connection.connectionStrings.full)
        )
        #expect(answer.status == 200, "\(answer.text)")
        return try JSONDecoder().decode(Counters.self, from: Data(answer.text.utf8))
    }

    /// Asks until the lines are these; every question is answered from the shards' last reports.
    func expect(
        _ lines: [String: String],
        _ connection: ConnectionFile,
        _ id: String,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        var found = try await counters(connection, id)
        do {
            try await eventually("completed") {
                found = try await counters(connection, id)
                return found.state == "Completed"
                    && lines.allSatisfy { found.line($0.key) == $0.value }
            }
        } catch is Overdue {
            #expect(found.state == "Completed", sourceLocation: location)
            for (platform, line) in lines {
                #expect(found.line(platform) == line, "\(platform)", sourceLocation: location)
            }
        }
    }
}
