import HubDirectory
import HubModel
import HubQuestions
import HubVocabulary

/// `GET /{hub}/$belfry/notifications`: what was sent, the newest first; our own.
enum NotificationListRoute {
    static let rows = [
        RouteRow(
            "listNotifications",
            "GET",
            "/{hub}/$belfry/notifications",
            "Lists the notifications of the log, the newest first",
            needs: .manage,
            inputs: [
                .query("$top", "Notifications of a page at most.", .number(1...Int(Int32.max))),
                .query("continuationtoken", "`continuationToken` of the page before."),
                .query("since", "Only those accepted then or later."),
                .query("until", "Only those accepted before."),
                .query("tag", "Only those whose expression names this tag."),
                .query("format", "Only those of this format.", SendRoute.formats),
                .query(
                    "outcome",
                    "Only those with this outcome so far.",
                    .words(NotificationFilter.Outcome.allCases.map(\.rawValue))
                ),
            ],
            answers: [
                AnswerNote(
                    200,
                    "A page without payloads and handles; one with a filter may be short",
                    ContentType.json,
                    schema: "NotificationPage"
                )
            ],
            refusals: [400],
            run: list
        )
    ]

    /// A page of the list.
    private struct Page: Encodable {
        /// Absent on the last page.
        var continuationToken: String?
        var notifications: [NotificationReport]
    }

    private static func list(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let target = exchange.incoming.target
        _ = try target.top()
        let limit = try exchange.pageLimit()
        let filter = try refusing { () throws(Refusal) in
            try NotificationFilter { target.value($0) }
        }
        let found = try await exchange.asking.notifications(
            filter,
            before: try place(target),
            limit: limit
        )
        let token = found.next.map { HexText.digits($0) }
        return Answer(
            json: Page(
                continuationToken: token,
                notifications: found.entries.map(NotificationReport.init)
            )
        )
    }

    /// The place below which a page begins, 16 hex digits; nil for the first page.
    private static func place(_ target: RequestTarget) throws(RequestFailure) -> UInt64? {
        guard let text = target.value("continuationtoken"), !text.isEmpty else { return nil }
        guard let place: UInt64 = HexText.number(text) else { throw .refused(.foreignToken) }
        return place
    }
}
