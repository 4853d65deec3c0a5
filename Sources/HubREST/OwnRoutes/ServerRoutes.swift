import HubModel
import HubRules
import HubVocabulary

/// The server and its hubs with numbers, for operators: own additions, under `/$belfry/`.
enum ServerRoutes {
    static let rows = [
        RouteRow(
            "describeHubs",
            "GET",
            "/$belfry/hubs",
            "Lists the hubs with their numbers",
            ofNamespace: .manage,
            answers: [
                AnswerNote(
                    200,
                    "The hubs in the order of their names; one that does not answer has no numbers",
                    ContentType.json,
                    schema: "HubList"
                )
            ],
            run: hubs
        ),
        RouteRow(
            "describeServer",
            "/$belfry/server",
            "Describes the server: release, start, certificate, problems, settings",
            ofNode: .manage,
            answers: [
                AnswerNote(
                    200,
                    "The server, with the origin of each setting",
                    ContentType.json,
                    schema: "Server"
                )
            ],
            run: server
        ),
    ]

    private struct HubList: Encodable {
        var hubs: [Hub]
    }

    private struct Hub: Encodable {
        struct Numbers: Encodable {
            var connected: Int
            var devices: Int
            var installations: Int
            var logBytes: Int
            var logFirst: UInt64
            var logHead: UInt64
            var registrations: Int
            var schedules: Int
            var tags: Int
            var undeliverable: Int
            var waiting: Int

            init(_ gauges: DirectoryGauges) {
                connected = gauges.sessions
                devices = gauges.devices
                installations = gauges.installations
                logBytes = gauges.logBytes
                logFirst = gauges.logFirst
                logHead = gauges.logHead
                registrations = gauges.registrations
                schedules = gauges.schedules
                tags = gauges.tags
                undeliverable = gauges.undeliverable
                waiting = gauges.waiting
            }
        }

        var created: String
        var modified: String
        var name: String
        /// Absent when the hub does not answer.
        var numbers: Numbers?
        var rules: Int
    }

    private struct Server: Encodable {
        /// Absent when it is not known.
        var certificateEnd: String?
        var now: String
        /// Absent when no scraper has asked since the start.
        var numbersRead: String?
        var problems: [String]
        var settings: [ServerSetting]
        var started: String
        var uptimeSeconds: UInt64
        var version: String
    }

    private static func hubs(
        _ exchange: NamespaceExchange
    ) async throws(RequestFailure) -> Answer {
        let most = exchange.configuration.limits.namespace.hubsMax
        let found = try refusing { () throws(Refusal) in
            try exchange.service.hubs(skip: 0, limit: most)
        }
        let gauges = await withCheckedContinuation { continuation in
            exchange.service.gauges { continuation.resume(returning: $0) }
        }
        let hubs = found.entries.map { hub in
            Hub(
                created: TimeText.iso8601(hub.created),
                modified: TimeText.iso8601(hub.modified),
                name: hub.name.description,
                numbers: gauges[hub.name].map(Hub.Numbers.init),
                rules: hub.rules.count
            )
        }
        return Answer(json: HubList(hubs: hubs))
    }

    private static func server(
        _ node: any NodeService
    ) async throws(RequestFailure) -> Answer {
        let (now, server) = (node.now, node.description)
        let past = now.milliseconds - min(now.milliseconds, server.started.milliseconds)
        return Answer(
            json: Server(
                certificateEnd: server.certificateEnd.map(TimeText.iso8601),
                now: TimeText.iso8601(now),
                numbersRead: server.numbersRead.map(TimeText.iso8601),
                problems: node.problems.map(\.description),
                settings: server.settings,
                started: TimeText.iso8601(server.started),
                uptimeSeconds: past / 1_000,
                version: server.version
            )
        )
    }
}
