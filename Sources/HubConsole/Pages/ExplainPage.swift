import HubModel
import HubQuestions
import HubREST
import HubTags
import HubVocabulary

/// Why a notification did or did not reach a device, as a timeline.
enum ExplainPage {
    static let rows = [
        PageRow(
            "explain",
            "/$belfry/ui/h/{hub}/explain",
            shows: ["explain", "getDevice"],
            run: show
        )
    ]

    private static func show(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let given = Array(visit.query("notification").utf8)
        let name = try visit.notification(given, field: "notification")
        let subject = try subject(visit.query("subject"))
        let told = try await visit.asking.submit(Explain(name, subject))
        let device = told.reasons.lazy.compactMap(\.device).first
        var found: ListedDevice?
        if let device {
            // One that has gone meanwhile is left out.
            found = try? await visit.asking.submit(GetDevice(.device(device))).device
        }
        var main = HTMLOutput()
        main.element("p", ["class": "answer"]) { $0.stranger(told.reasons[0].sentence) }
        main.element("ol", ["class": "timeline"]) { steps in
            if let record = told.record { accepted(record, &steps) }
            for explanation in told.reasons { step(explanation, visit, &steps) }
            if let ended = told.fannedOut {
                steps.element("li") {
                    $0.time(ended)
                    $0.text(" it had come to every connected device that it is for")
                }
            }
            if let found { state(of: found, visit, &steps) }
            if let record = told.record {
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

    private static func accepted(_ record: NotificationRecord, _ steps: inout HTMLOutput) {
        steps.element("li") {
            $0.time(record.id.time)
            $0.text(" accepted at place \(Spelled.count(record.sequence)), for ")
            NotificationPages.target(record.draft.target, &$0)
            $0.text(", \(Spelled.format(record.draft.format))")
        }
    }

    /// One registration: its tags of then, what the expression asks of them, the outcome.
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
                if let then = explanation.tagsThen {
                    step.text(" had ")
                    tags(then, &step)
                    if !then.terms.isEmpty {
                        step.element("p") { terms in
                            for term in then.terms { self.term(term, &terms) }
                        }
                    }
                } else {
                    step.text(": ")
                }
            }
            step.element("p") { $0.stranger(explanation.sentence) }
        }
    }

    private static func tags(_ then: TagsThen, _ step: inout HTMLOutput) {
        step.text(then.tags.isEmpty ? "no tag" : then.tags.count == 1 ? "the tag " : "the tags ")
        for (index, tag) in then.tags.enumerated() {
            if index > 0 { step.text(", ") }
            step.stranger(tag)
        }
        step.text(" from place \(Spelled.count(then.since))")
        if let until = then.until {
            step.text(" to \(Spelled.count(until - 1)), others since")
        } else {
            step.text(" on")
        }
    }

    /// A tag of the expression, with a mark that tells without colour whether it is as wanted.
    private static func term(_ term: TagTerm, _ output: inout HTMLOutput) {
        output.element("span", ["class": "state \(term.holds ? "good" : "bad")"]) {
            $0.element("span", ["aria-hidden": "true"], text: term.holds ? "✓" : "✗")
            $0.text(" ")
            $0.stranger(term.text)
            $0.element("span", ["class": "unseen"], text: term.holds ? " holds" : " does not hold")
        }
        output.text(" ")
    }

    private static func state(
        of device: ListedDevice,
        _ visit: PageVisit,
        _ steps: inout HTMLOutput
    ) {
        steps.element("li") {
            $0.time(device.isConnected ? visit.now : device.cursor.lastSeen)
            let id = Spelled.device(device.cursor.device)
            $0.text(" its device ")
            $0.link(PageAddress.hub(visit.named, "devices", id), String(id.prefix(8)) + "…")
            let place = Spelled.count(device.cursor.acknowledged)
            $0.text(
                (device.isConnected ? " is connected" : " was last seen, and is away")
                    + (device.cursor.acknowledged == 0
                        ? "; it has acknowledged nothing so far"
                        : "; it has acknowledged all up to place \(place)")
            )
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
