import HubDirectory
import HubModel
import HubQuestions
import HubREST
import HubVocabulary

/// Scheduled notifications, and cancelling them.
enum SchedulePages {
    static let rows = [
        PageRow(
            "schedules",
            "/$belfry/ui/h/{hub}/schedules",
            for: .sender,
            shows: ["listSchedules"],
            run: list
        ),
        PageRow(
            post: "cancelSchedule",
            "/$belfry/ui/h/{hub}/schedules/{id}/cancel",
            for: .sender,
            shows: ["cancelSchedule"],
            audit: "console.cancelSchedule",
            run: cancel
        ),
    ]

    private static func list(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        var after: SchedulePlace?
        if let due = UInt64(visit.query("due")), let id = ScheduleID(text: visit.query("after")) {
            after = SchedulePlace(due: Timestamp(milliseconds: due), id: id)
        }
        let limit = visit.console.limits.rowsPerPage
        let found = try await visit.asking.submit(ListSchedules(after: after, limit: limit))
        var main = HTMLOutput()
        if found.entries.isEmpty {
            main.empty("Nothing is scheduled.")
            main.element("p") { $0.link(PageAddress.hub(visit.named, "send"), "Schedule one") }
        } else {
            table(found.entries, visit, &main)
        }
        main.next(
            found.next.map {
                let query: KeyValuePairs = [
                    "due": String($0.due.milliseconds), "after": $0.id.text,
                ]
                return PageAddress.hub(visit.named, "schedules", query: query)
            }
        )
        return .page("Schedules", tab: .schedules, main)
    }

    private static func table(
        _ schedules: [ScheduledNotification],
        _ visit: PageVisit,
        _ main: inout HTMLOutput
    ) {
        main.table("Scheduled notifications", ["Due", "To", "Format", "Size", "Stop it"]) {
            for schedule in schedules {
                $0.row { row in
                    row.cell { $0.time(schedule.due) }
                    row.cell { NotificationPages.target(schedule.draft.target, &$0) }
                    row.cell(Spelled.format(schedule.draft.format))
                    row.cell(Spelled.bytes(schedule.draft.body.count))
                    row.cell { cell in
                        let address = PageAddress.hub(
                            visit.named,
                            "schedules",
                            schedule.id.text,
                            "cancel"
                        )
                        Form(action: address, token: visit.formToken).write(to: &cell) {
                            $0.button("Cancel")
                        }
                    }
                }
            }
        }
    }

    private static func cancel(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let text = String(decoding: visit.part("id"), as: UTF8.self)
        guard let id = ScheduleID(text: text) else { throw .refused(.scheduleNotFound) }
        try await visit.asking.submit(CancelSchedule(id))
        return .seeOther(PageAddress.hub(visit.named, "schedules"))
    }
}
