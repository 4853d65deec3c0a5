import HubModel
import HubQuestions
import HubREST
import HubVocabulary

/// Why a notification did or did not reach a device, as a timeline.
enum ExplainPage {
    static let rows = [
        PageRow("explain", "/$belfry/ui/h/{hub}/explain", shows: ["explain"], run: show)
    ]

    private static func show(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let given = Array(visit.query("notification").utf8)
        let name = try visit.notification(given, field: "notification")
        let subject = try subject(visit.query("subject"))
        let explanations = try await visit.asking.submit(Explain(name, subject))
        // Without it the sentences stand alone.
        let record = try? await visit.asking.submit(GetDetails(name)).record
        var main = HTMLOutput()
        main.element("p", ["class": "answer"]) { $0.stranger(explanations[0].sentence) }
        main.element("ol", ["class": "timeline"]) { steps in
            if let record {
                steps.element("li") {
                    $0.time(record.id.time)
                    $0.text(" accepted at place \(Spelled.count(record.sequence)), for ")
                    NotificationPages.target(record.draft.target, &$0)
                    $0.text(", \(Spelled.format(record.draft.format))")
                }
            }
            for explanation in explanations { step(explanation, visit, &steps) }
            if let record {
                steps.element("li") {
                    $0.time(record.expires)
                    $0.text(record.expires > visit.now ? " it expires" : " it expired")
                }
            }
        }
        main.element("p") {
            $0.link(
                PageAddress.hub(visit.named, "notifications", visit.query("notification")),
                "The notification"
            )
        }
        return .page("Explanation", tab: .notifications, main)
    }

    private static func step(
        _ explanation: Explanation,
        _ visit: PageVisit,
        _ steps: inout HTMLOutput
    ) {
        steps.element("li") { step in
            if let id = explanation.registration {
                let id = String(decoding: id, as: UTF8.self)
                step.text("registration ")
                step.strangerLink(PageAddress.hub(visit.named, "registrations", id), id)
                if let platform = explanation.platform { step.text(" (\(platform.format))") }
                step.text(": ")
            }
            step.stranger(explanation.sentence)
        }
    }

    /// Returns the subject of an operator's text: a registration by its form, a device, or else an installation.
    static func subject(_ text: String) throws(RequestFailure) -> ExplainSubject {
        let bytes = ASCII.trimmed(Array(text.utf8))
        guard !bytes.isEmpty else {
            throw .refused(.invalid(field: "subject", reason: "is missing."))
        }
        if let device = ExplainSubject(device: bytes) { return device }
        return RegistrationID.isWellFormed(bytes)
            ? .registration(id: bytes) : .installation(id: bytes)
    }
}
