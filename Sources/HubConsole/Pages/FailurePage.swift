import HubModel
import HubREST
import HubVocabulary

/// The registrations that did not get a notification, each with the cause.
enum FailurePage {
    static let rows = [
        PageRow(
            "failures",
            "/$belfry/ui/h/{hub}/notifications/{id}/failures",
            shows: ["getDeliveryErrors"],
            run: show
        )
    ]

    private static func show(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let id = String(decoding: visit.part("id"), as: UTF8.self)
        let found = try await visit.asking.failures(
            of: try visit.notification(visit.part("id"), field: "id"),
            from: UInt32(visit.query("from")) ?? 0,
            limit: visit.console.limits.rowsPerPage,
            examined: visit.console.rest.limits.inspection.failuresExaminedMax
        ).failures
        var main = HTMLOutput()
        if found.entries.isEmpty {
            let more = found.next == nil ? "" : " among those that were looked at"
            main.empty("No registration is known to have missed it\(more).")
        } else {
            table(found.entries, visit, &main)
        }
        main.next(
            found.next.map {
                let query: KeyValuePairs = ["from": String($0)]
                return PageAddress.hub(visit.named, "notifications", id, "failures", query: query)
            }
        )
        main.element("p") {
            $0.link(PageAddress.hub(visit.named, "notifications", id), "The notification")
        }
        return .page("Who did not get it", tab: .notifications, main)
    }

    private static func table(
        _ failures: [DeliveryFailure],
        _ visit: PageVisit,
        _ main: inout HTMLOutput
    ) {
        main.table("Registrations", ["Registration", "Platform", "Cause", "Time"]) { table in
            for failure in failures {
                table.row { row in
                    row.cell { cell in
                        let id = String(decoding: failure.registration, as: UTF8.self)
                        // A notification may have named the handle itself.
                        guard !id.isEmpty else { return cell.text("none: a handle was named") }
                        cell.strangerLink(PageAddress.hub(visit.named, "registrations", id), id)
                    }
                    row.cell(failure.platform.format)
                    row.cell(cause(failure.kind))
                    row.cell { $0.time(failure.time) }
                }
            }
        }
    }

    private static func cause(_ kind: DeliveryFailure.Kind) -> String {
        switch kind {
        case .dropped: "it expired, was replaced or purged, or was too much for one absence"
        case .unknownHandle: "no device of this hub has the handle"
        case .refused(let outcome): "the push service refused it: \(outcome.name)"
        case .templateError: "the template does not compile"
        case .invalidSize: "what the template renders is too large"
        }
    }
}
