import HubAtom
import HubDirectory
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
            shows: ["explain"],
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
        var rows = HTMLOutput()
        var acknowledged = 0
        for id in registrations {
            let subject = ExplainSubject.registration(id: Array(id.utf8))
            let reasons = try await visit.asking.submit(Explain(name, subject))
            let isThere =
                if case .acknowledged = reasons[0].reason { true } else { false }
            acknowledged += isThere ? 1 : 0
            rows.row { row in
                row.cell {
                    $0.strangerLink(PageAddress.hub(visit.named, "registrations", id), id)
                }
                row.cell(reasons[0].platform?.format ?? "–")
                row.cell { $0.live("\(id)-state", reasons[0].reason.word) }
                row.cell { $0.live("\(id)-sentence", reasons[0].sentence) }
            }
        }
        var main = HTMLOutput()
        main.element("p", ["class": "answer", "aria-live": "polite"]) {
            $0.live("summary", "\(acknowledged) of \(registrations.count) have acknowledged.")
        }
        main.table("Chosen registrations", ["Registration", "Platform", "State", "Meaning"]) {
            $0.append(rows)
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
}
