import HubAtom
import HubDirectory
import HubHistory
import HubModel
import HubQuestions
import HubREST
import HubVocabulary

/// A test send: ten registrations, and what becomes of each until it has acknowledged.
enum TestSendPage {
    static let rows = [
        PageRow(
            post: "testSend",
            "/$belfry/ui/h/{hub}/send/test",
            for: .sender,
            shows: ["send"],
            audit: "console.testSend",
            naming: ["format", "tags"],
            run: send
        ),
        PageRow(
            "testOutcome",
            "/$belfry/ui/h/{hub}/tests/{id}",
            for: .sender,
            shows: ["explain", "testSteps"],
            run: show
        ),
    ]

    private static func send(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let typed = SendForm(visit)
        let draft: NotificationDraft
        do throws(RequestFailure) {
            draft = try SendPages.draft(typed, visit)
        } catch {
            let form = SendPages.form(typed, visit, refused: error.detail)
            return .refused(error.status, "Send", tab: .send, form)
        }
        let outcome = try await visit.asking.submit(TestSend(draft))
        guard let name = outcome.notification else {
            return .page("Send", tab: .send, refused(outcome, typed, visit))
        }
        let registrations = outcome.results.compactMap { result in
            result.registration.map { String(decoding: $0, as: UTF8.self) }
        }
        return .seeOther(
            PageAddress.hub(
                visit.named,
                "tests",
                NotificationAddress.text(name.id, name.sequence ?? 0),
                query: ["r": registrations.joined(separator: ",")]
            )
        )
    }

    /// The form again, with why nothing went out.
    private static func refused(
        _ outcome: TestOutcome,
        _ typed: SendForm,
        _ visit: PageVisit
    ) -> HTMLOutput {
        var main = SendPages.form(typed, visit)
        main.section("Nothing was sent") { section in
            guard !outcome.results.isEmpty else {
                section.empty("No registration matches.")
                return section.element("p") {
                    $0.link(PageAddress.hub(visit.named, "tags"), "The tags in use")
                }
            }
            section.table("Verdicts", ["Registration", "Platform", "Verdict"]) { table in
                for result in outcome.results {
                    table.row { row in
                        row.cell { $0.stranger(result.registration ?? []) }
                        row.cell(result.platform.format)
                        row.cell { $0.state(.bad, result.verdict.text) }
                    }
                }
            }
        }
        return main
    }

    private static func show(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let name = try visit.notification(visit.part("id"), field: "id")
        let limit = visit.console.rest.limits.sends.testSendsMax
        let registrations = visit.query("r").split(separator: ",").prefix(limit).map(String.init)
        let steps = visit.console.service.testDevices(of: name.id, in: visit.named) ?? []
        var rows = HTMLOutput()
        var acknowledged = 0
        for id in registrations {
            let subject = ExplainSubject.registration(id: Array(id.utf8))
            let reasons = try await visit.asking.submit(Explain(name, subject)).reasons
            let isThere =
                if case .acknowledged = reasons[0].reason { true } else { false }
            acknowledged += isThere ? 1 : 0
            let reached = try await step(of: id, in: steps, visit)
            rows.row { row in
                row.cell {
                    $0.strangerLink(PageAddress.hub(visit.named, "registrations", id), id)
                }
                row.cell(reasons[0].platform?.format ?? "–")
                row.cell { $0.live("\(id)-state", reasons[0].reason.word) }
                row.cell { $0.live("\(id)-sent", milliseconds(reached?.sent)) }
                row.cell { $0.live("\(id)-acknowledged", milliseconds(reached?.acknowledged)) }
                row.cell { $0.live("\(id)-sentence", reasons[0].sentence) }
            }
        }
        var main = HTMLOutput()
        main.element("p", ["class": "answer", "aria-live": "polite"]) {
            let sum = "\(acknowledged) of \(registrations.count) have acknowledged"
            $0.live("summary", "\(sum)\(median(steps)).")
        }
        main.table(
            "Chosen registrations",
            ["Registration", "Platform", "State", "Sent", "Stored", "Meaning"]
        ) { $0.append(rows) }
        main.element("p", ["class": "hint"]) {
            $0.text("Sent and stored: milliseconds since the notification was durable.")
        }
        main.element("p") {
            $0.link(
                PageAddress.hub(
                    visit.named,
                    "notifications",
                    String(decoding: visit.part("id"), as: UTF8.self)
                ),
                "The notification"
            )
            $0.text(" · ")
            $0.link(PageAddress.hub(visit.named, "send"), "Send another")
        }
        return .page("Test send", tab: .send, main)
    }

    /// How far a test came at the device of a registration; nil for one without, or not sent yet.
    private static func step(
        of registration: String,
        in steps: [DeliveryJournal.Device],
        _ visit: PageVisit
    ) async throws(RequestFailure) -> DeliveryJournal.Device? {
        guard !steps.isEmpty else { return nil }
        do throws(RequestFailure) {
            let question = GetRegistration(id: Array(registration.utf8))
            let target = try await visit.asking.submit(question).target
            return steps.first { $0.device == target?.device }
        } catch {
            guard case .refused(.registrationNotFound) = error else { throw error }
            // It was deleted since.
            return nil
        }
    }

    private static func milliseconds(_ value: Double?) -> String {
        guard let value else { return "–" }
        let tenths = Int((value * 10).rounded())
        return "\(Spelled.count(tenths / 10)).\(tenths % 10) ms"
    }

    /// Within how long half of the devices had stored it.
    private static func median(_ steps: [DeliveryJournal.Device]) -> String {
        let times = steps.compactMap(\.acknowledged).sorted()
        guard !times.isEmpty else { return "" }
        return ", half of them within \(milliseconds(times[(times.count - 1) / 2]))"
    }
}
