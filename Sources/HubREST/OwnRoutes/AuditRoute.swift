import HubModel
import HubVocabulary

/// `GET /$belfry/audit`: what administrators changed, the newest first; our own.
enum AuditRoute {
    static let rows = [
        RouteRow(
            "audit",
            "GET",
            "/$belfry/audit",
            "Lists the changes of administrators, the newest first",
            ofNamespace: .manage,
            inputs: [
                .query("$top", "Entries of a page at most.", .number(1...Int(Int32.max))),
                .query("continuationtoken", "`continuationToken` of the page before."),
                .query("since", "Only those made then or later."),
                .query("until", "Only those made before."),
            ],
            answers: [
                AnswerNote(
                    200,
                    "A page without keys and payloads; one of a time may be short",
                    ContentType.json,
                    schema: "AuditPage"
                )
            ],
            refusals: [400],
            run: list
        )
    ]

    private struct Page: Encodable {
        /// Absent on the last page.
        var continuationToken: String?
        var entries: [AuditEntry]
    }

    private static func list(
        _ exchange: NamespaceExchange
    ) async throws(RequestFailure) -> Answer {
        let (target, configuration) = (exchange.incoming.target, exchange.configuration)
        let limit = min(try target.top() ?? configuration.pageDefault, configuration.pageMax)
        var before: UInt64?
        if let text = target.value("continuationtoken"), !text.isEmpty {
            guard let place: UInt64 = HexText.number(text) else { throw .refused(.foreignToken) }
            before = place
        }
        let span = try refusing { () throws(Refusal) in try TimeSpan { target.value($0) } }
        let asked = await exchange.service.audit(before: before, limit: limit, within: span)
        guard let found = asked else {
            throw .refused(.storeUnavailable(retryAfterSeconds: 5))
        }
        let token = found.next.map { HexText.digits($0) }
        return Answer(json: Page(continuationToken: token, entries: found.entries))
    }
}
