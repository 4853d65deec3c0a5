import HubAtom
import HubDirectory
import HubModel
import HubQuestions
import HubVocabulary

/// `GET /{hub}/messages/{id}`: what became of a notification, in the words that clients know.
///
/// Source: REST §12.
enum TelemetryRoute {
    static let rows = [
        RouteRow(
            "getNotification",
            "GET",
            "/{hub}/messages/{notification}",
            "Tells what became of a notification",
            needs: .manage,
            inputs: [
                .path(
                    "notification",
                    "The id at the end of `Location`, or its first 32 digits alone."
                )
            ],
            answers: [AnswerNote(200, "State, times and outcomes by platform", ContentType.xml)],
            refusals: [400],
            run: get
        ),
        RouteRow(
            "getNotificationCounters",
            "GET",
            "/{hub}/$belfry/telemetry",
            "Tells every counter of a notification, by platform",
            needs: .manage,
            inputs: [.query("notification", "The notification's id, as in `messages/ID`.")],
            answers: [AnswerNote(200, "The counters", ContentType.json, schema: "Counters")],
            refusals: [400],
            run: counters
        ),
    ]

    private static func get(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let details = try await details(of: exchange.parameter("notification"), exchange)
        return Answer(
            status: 200,
            headers: [("Content-Type", ContentType.xml)],
            body: TelemetryWriter.xml(
                details,
                address: address(of: details, exchange),
                errors: try DeliveryErrorsRoute.address(of: details, exchange)
            )
        )
    }

    private static func counters(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        guard let given = exchange.incoming.target.value("notification") else {
            throw .refused(.invalid(field: "notification", reason: "is missing."))
        }
        let details = try await details(of: given, exchange)
        return Answer(json: NotificationCounters(details))
    }

    private static func details(
        of given: [UInt8],
        _ exchange: Exchange
    ) async throws(RequestFailure) -> NotificationDetails {
        let name = try refusing { () throws(Refusal) -> NotificationName in
            try NotificationAddress.read(given, field: "notification")
        }
        return try await exchange.submit(GetDetails(name))
    }

    /// `sb://HOST/HUB/messages/ID?api-version=…`, whatever spelling the request used.
    private static func address(
        of details: NotificationDetails,
        _ exchange: Exchange
    ) -> String {
        let incoming = exchange.incoming
        let parts = incoming.target.rawSegments.dropLast().joined(separator: "/")
        let id = NotificationAddress.text(details.record.id, details.record.sequence)
        return "sb://\(incoming.externalHost)/\(parts)/\(id)\(incoming.target.versionQuery)"
    }
}
