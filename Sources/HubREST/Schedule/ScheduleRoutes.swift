import HubDirectory
import HubModel
import HubQuestions
import HubRules
import HubTags
import HubVocabulary

/// Scheduled notifications: kept, cancelled, and, as extensions of our own, listed and read.
///
/// Source: REST §11.
enum ScheduleRoutes {
    static let rows = [
        RouteRow(
            "schedule",
            "POST",
            "/{hub}/schedulednotifications",
            "Schedules a notification by tags, or to everybody",
            needs: .send,
            body: SendRoute.payload,
            inputs: [
                .header(
                    "ServiceBusNotification-ScheduleTime",
                    "When it is sent, such as `2026-05-06T18:30:00`; UTC when it names no zone, at "
                        + "most 7 days ahead. A time that has passed means at once."
                )
            ] + SendRoute.inputs + [SendRoute.key],
            answers: [
                AnswerNote(
                    201,
                    "Durable; it fires once",
                    headers: [("Location", "Ends with the id that cancels it")]
                )
            ],
            refusals: [409],
            run: schedule
        ),
        RouteRow(
            "cancelSchedule",
            "DELETE",
            "/{hub}/schedulednotifications/{id}",
            "Cancels a scheduled notification that has not fired",
            needs: .send,
            inputs: [id],
            answers: [AnswerNote(200, "Cancelled; it never fires")],
            run: cancel
        ),
        RouteRow(
            "listSchedules",
            "GET",
            "/{hub}/$belfry/schedulednotifications",
            "Lists the scheduled notifications that have not fired, in the order in which they will",
            needs: .manage,
            inputs: [
                .query("$top", "Entries of a page at most.", .number(1...Int(Int32.max))),
                .query("continuationtoken", "`continuationToken` of the page before."),
            ],
            answers: [
                AnswerNote(
                    200,
                    "The notifications without their payloads",
                    ContentType.json,
                    schema: "Schedules"
                )
            ],
            refusals: [400],
            run: list
        ),
        RouteRow(
            "readSchedule",
            "GET",
            "/{hub}/$belfry/schedulednotifications/{id}",
            "Reads a scheduled notification that has not fired",
            needs: .send,
            inputs: [id],
            answers: [
                AnswerNote(
                    200,
                    "The notification without its payload",
                    ContentType.json,
                    schema: "Schedule"
                )
            ],
            run: read
        ),
    ]

    private static let id = InputNote.path("id", "The last part of the `Location` of its making.")

    /// 201 with the schedule's id at the end of `Location`, once it is durable.
    private static func schedule(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let sent = SendRequest(
            headers: exchange.incoming.headers,
            isDirect: exchange.incoming.target.flag("direct"),
            body: exchange.body,
            rule: exchange.grant.rule
        )
        let request = try refusing { () throws(Refusal) -> ScheduleRequest in
            try ScheduleRules.request(
                of: sent,
                now: exchange.service.now,
                limits: exchange.configuration.limits
            )
        }
        let id = try await exchange.submit(ScheduleSend(request))
        return Answer(
            status: 201,
            headers: [
                ("Content-Type", ContentType.xml), ("Location", exchange.location(of: id.text)),
            ]
        )
    }

    /// 200; 404 for one that is unknown, was cancelled or has fired.
    private static func cancel(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        try await exchange.submit(CancelSchedule(try named(exchange)))
        return Answer(status: 200, headers: [("Content-Type", ContentType.xml)])
    }

    private static func read(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        Answer(json: Entry(try await exchange.submit(GetSchedule(try named(exchange)))))
    }

    private static func list(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let target = exchange.incoming.target
        let after = try refusing { () throws(Refusal) -> SchedulePlace? in
            try place(target.value("continuationtoken") ?? [])
        }
        let limit = try target.top() ?? .max
        let found = try await exchange.submit(ListSchedules(after: after, limit: limit))
        return Answer(
            json: Page(
                schedules: found.entries.map(Entry.init),
                continuationToken: found.next.map(token)
            )
        )
    }

    private static func named(_ exchange: Exchange) throws(RequestFailure) -> ScheduleID {
        let text = String(decoding: exchange.parameter("id"), as: UTF8.self)
        guard let id = ScheduleID(text: text) else { throw .refused(.scheduleNotFound) }
        return id
    }

    // MARK: Pages

    /// 48 hex digits: time and id of the last entry.
    private static func token(_ place: SchedulePlace) -> String {
        HexText.digits(place.due.milliseconds) + place.id.text
    }

    private static func place(_ token: [UInt8]) throws(Refusal) -> SchedulePlace? {
        guard !token.isEmpty else { return nil }
        guard let due: UInt64 = HexText.number(token.prefix(16)),
            let id = ScheduleID(text: String(decoding: token.dropFirst(16), as: UTF8.self))
        else { throw .foreignToken }
        return SchedulePlace(due: Timestamp(milliseconds: due), id: id)
    }

    private struct Page: Encodable {
        var schedules: [Entry]
        var continuationToken: String?
    }

    /// One notification, as own extensions spell it: no payload, no handle.
    private struct Entry: Encodable {
        var id: String
        var due: String
        var scheduled: String
        var format: String
        /// Absent for everybody.
        var tags: String?
        var bytes: Int

        init(_ schedule: ScheduledNotification) {
            id = schedule.id.text
            due = TimeText.iso8601(schedule.due)
            scheduled = TimeText.iso8601(schedule.id.time)
            format =
                switch schedule.draft.format {
                case .template: "template"
                case .native(let platform): platform.format
                }
            if case .tags(let expression) = schedule.draft.target {
                tags = String(decoding: expression.source, as: UTF8.self)
            }
            bytes = schedule.draft.body.count
        }
    }
}
