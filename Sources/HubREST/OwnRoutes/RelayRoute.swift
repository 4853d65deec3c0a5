import HubDirectory
import HubModel
import HubQuestions
import HubVocabulary

/// `GET /{hub}/$belfry/relays`: where each lane to a push service stands; our own.
enum RelayRoute {
    static let rows = [
        RouteRow(
            "getRelays",
            "GET",
            "/{hub}/$belfry/relays",
            "Says for each push service with a credential how far its relay has come",
            needs: .manage,
            answers: [
                AnswerNote(200, "One member for each platform", ContentType.json, schema: "Relays")
            ],
            run: get
        )
    ]

    private struct Lane: Encodable {
        var behind: UInt64
        var cause: String?
        var deferred: Int
        var open: Int
        var place: UInt64
        var since: UInt64

        init(_ report: RelayReport) {
            behind = report.behind
            cause = report.cause
            deferred = report.deferred
            open = report.open
            place = report.place
            since = report.since
        }
    }

    private static func get(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        var lanes: [String: Lane] = [:]
        for report in try await exchange.submit(GetRelays()) {
            lanes[report.platform.format] = Lane(report)
        }
        return Answer(json: lanes)
    }
}
