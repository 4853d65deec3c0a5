import HubAtom
import HubDirectory
import HubModel
import HubQuestions
import HubRules
import HubVocabulary

/// Tells why registrations did not get a notification: a document on each line, at an address that
/// the notification's telemetry gives.
///
/// Source: REST §12.
enum DeliveryErrorsRoute {
    static let rows = [
        RouteRow(
            "getDeliveryErrors",
            "GET",
            "/{hub}/$belfry/feedback/errors/{notification}",
            "Tells which registrations did not get a notification, at an address that was given",
            inputs: [.path("notification", "The notification's id, as in the address.")]
                + SignedAddress.inputs + [
                    .header("Range", "`bytes=FIRST-LAST` or `bytes=FIRST-`."),
                    .header("x-ms-range", "The same; this one counts."),
                ],
            answers: [
                AnswerNote(
                    200,
                    "`PnsFeedback` documents, one on each line",
                    ContentType.text,
                    headers: cut
                ),
                AnswerNote(206, "A range of them", ContentType.text, headers: cut),
            ],
            refusals: SignedAddress.refusals + [400, 416],
            open: SignedAddress.answering(get)
        )
    ]

    private static let cutHeader = "x-belfry-cut"
    private static let cut = [
        (name: cutHeader, text: "`true` when more was to be looked at than one answer does")
    ]

    /// Where the failures of a notification are told; nil when it has none, or when the client speaks
    /// a version that does not have the address.
    ///
    /// Source: REST §12.
    static func address(
        of details: NotificationDetails,
        _ exchange: Exchange
    ) throws(RequestFailure) -> String? {
        let hasFailures = details.platforms.contains { platform in
            platform.dropped + platform[.oversized] + platform.estimate.unknownHandle
                + platform.relayRefused
                + platform.estimate.templateError > 0
        }
        guard hasFailures, hasAddress(exchange.incoming.target) else { return nil }
        let record = details.record
        let id = NotificationAddress.text(record.id, record.sequence)
        let hub = exchange.incoming.target.rawSegments[0]
        return exchange.incoming.url(
            path: "/\(hub)/$belfry/feedback/errors/\(id)",
            query: try SignedAddress.query(.errors(record.id), kind: "sr=b&sp=r", exchange)
        )
    }

    /// Versions are dates, perhaps with a word behind; none at all is the newest.
    private static func hasAddress(_ target: RequestTarget) -> Bool {
        guard let version = target.value("api-version") else { return true }
        return !version.prefix(7).lexicographicallyPrecedes(Array("2016-07".utf8))
    }

    private static func get(_ exchange: OpenExchange) async throws(RequestFailure) -> Answer {
        let given = exchange.parameter("notification")
        guard let name = NotificationName(parsing: given) else {
            throw .refused(.linkRefused(reason: LinkSigner.wrongSignature))
        }
        let hub = try SignedAddress.check(exchange, .errors(name.id))
        let limits = exchange.configuration.limits.inspection
        let asking = HubAsking(service: exchange.service, hub: hub)
        let (notification, failures) = try await asking.failures(
            of: name,
            from: 0,
            limit: limits.failureLinesMax,
            examined: limits.failuresExaminedMax
        )
        let told = failures.entries.prefix(limits.failureLinesMax)
        let body = told.flatMap { PnsFeedback($0, of: notification).line }
        let isCut = failures.next != nil || told.count < failures.entries.count
        var headers = [("Content-Type", ContentType.text)]
        if isCut { headers.append((cutHeader, "true")) }
        let answer = Answer(status: 200, headers: headers, body: body)
        return try answer.part(exchange.incoming)
    }
}
