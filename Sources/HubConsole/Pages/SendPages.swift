import HubAtom
import HubDirectory
import HubModel
import HubREST
import HubRules
import HubTemplates
import HubVocabulary

/// Sending: the form, what it would do, and doing it.
enum SendPages {
    static let rows = [
        PageRow("send", "/$belfry/ui/h/{hub}/send", for: .sender, shows: ["send"]) { visit in
            .page("Send", tab: .send, form(SendForm(visit), visit))
        },
        PageRow(
            post: "previewSend",
            "/$belfry/ui/h/{hub}/send/preview",
            for: .sender,
            shows: ["previewSend"],
            audit: nil,
            run: preview
        ),
        PageRow(
            post: "askSend",
            "/$belfry/ui/h/{hub}/send/ask",
            for: .sender,
            shows: ["inspectAudience"],
            audit: nil,
            run: ask
        ),
        PageRow(
            post: "askSchedule",
            "/$belfry/ui/h/{hub}/send/ask-later",
            for: .sender,
            shows: ["inspectAudience"],
            audit: nil,
            run: askLater
        ),
        PageRow(
            post: "sendAll",
            "/$belfry/ui/h/{hub}/send/all",
            for: .sender,
            shows: ["send"],
            audit: "console.send",
            naming: ["format", "tags"],
            run: send
        ),
        PageRow(
            post: "schedule",
            "/$belfry/ui/h/{hub}/send/later",
            for: .sender,
            shows: ["schedule"],
            audit: "console.schedule",
            naming: ["format", "tags", "time"],
            run: schedule
        ),
    ]

    /// Above so many registrations, and to everyone, the hub's name must be typed.
    private static let askedAbove = 1_000
    private static let formats = [
        "template", "apple", "fcmv1", "gcm", "browser", "windows", "adm", "baidu", "xiaomi",
        "windowsphone",
    ]

    /// The format of a word; nil for none.
    static func format(_ word: String) -> NotificationFormat? {
        word.isEmpty ? nil : SendRules.format(word: Array(word.utf8))
    }

    // MARK: The form

    /// The form with what was typed.
    static func form(_ typed: SendForm, _ visit: PageVisit, refused: String? = nil) -> HTMLOutput {
        var main = HTMLOutput()
        if let refused {
            main.element("p", ["class": "refused", "role": "alert"]) { $0.stranger(refused) }
        }
        func address(_ last: String) -> String { PageAddress.hub(visit.named, "send", last) }
        Form(
            action: address("preview"),
            token: visit.formToken,
            script: "audience"
        ).write(to: &main) { form in
            form.void("input", ["type": "hidden", "name": "key", "value": typed.key])
            form.choice("Format", "format", formats.map { ($0, $0) }, chosen: typed.format)
            form.field(
                "Tag expression",
                "tags",
                value: typed.tags,
                hint: "Such as World && (locale:fr || locale:de); empty means everyone."
            )
            form.element("p", ["class": "count", "aria-live": "polite"]) {
                $0.live("audience", "")
            }
            form.textField(
                "Body",
                "body",
                value: typed.body,
                hint: "For a template a flat JSON object of properties."
            )
            form.field(
                "Not before",
                "time",
                value: typed.time,
                hint: "UTC, such as 2026-12-01T18:30:00; for 'Schedule…' alone."
            )
            form.element("p", ["class": "buttons"]) {
                $0.button("Preview")
                $0.button("Test send to 10", to: address("test"))
                $0.button("Send…", to: address("ask"))
                $0.button("Schedule…", to: address("ask-later"))
            }
        }
        return main
    }

    // MARK: What it would do

    private static func preview(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let typed = SendForm(visit)
        let draft: NotificationDraft
        do throws(RequestFailure) {
            draft = try self.draft(typed, visit)
        } catch {
            // What was typed stays.
            let page = form(typed, visit, refused: error.detail)
            return .refused(error.status, "Send", tab: .send, page)
        }
        let sample = visit.console.rest.limits.inspection.sampleMax
        let found = try await visit.asking.audience(
            draft.target,
            format: draft.format,
            sample: sample
        )
        var main = form(typed, visit)
        main.section("Preview") { section in
            section.element("p", text: TagPages.sentence(found))
            guard !found.sample.isEmpty else {
                return section.empty("No registration would get it.")
            }
            for variant in variants(found.sample, draft) { pane(variant, &section) }
        }
        return .page("Send", tab: .send, main)
    }

    /// One registration of each template, or of each platform, with what it would get.
    private static func variants(
        _ sample: [Registration],
        _ draft: NotificationDraft
    ) -> [RegistrationReport] {
        // A template's draft has been checked to be one: properties are there.
        let properties = (try? PropertyBag(json: draft.body.span)) ?? PropertyBag()
        var seen: Set<[UInt8]> = []
        return sample.compactMap { registration in
            let content = registration.content
            let name = Array(content.platform.format.utf8) + (content.template?.body ?? [])
            guard seen.insert(name).inserted else { return nil }
            var report = RegistrationReport(registration)
            if draft.format == .template {
                report.render(registration, properties)
            } else {
                report.show(draft.body)
            }
            return report
        }
    }

    private static func pane(_ report: RegistrationReport, _ section: inout HTMLOutput) {
        section.element("article", ["class": "pane"]) { pane in
            pane.element("h3", text: "\(report.platform), \(report.kind)")
            if let problem = report.problem {
                pane.element("p") { $0.state(.bad, problem) }
            }
            if let text = report.text {
                pane.element("pre") { $0.stranger(text) }
                pane.element("p", ["class": "hint"], text: Spelled.bytes(report.bytes ?? 0))
            }
        }
    }

    // MARK: Doing it

    /// The page before a send: what it means in numbers.
    private static func ask(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        try await ask(try draft(SendForm(visit), visit), due: nil, visit)
    }

    /// The same before a send for later: more may match by then, but not fewer need the name.
    private static func askLater(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let asked = try scheduled(visit)
        return try await ask(asked.draft, due: asked.due, visit)
    }

    private static func ask(
        _ draft: NotificationDraft,
        due: Timestamp?,
        _ visit: PageVisit
    ) async throws(RequestFailure) -> PageAnswer {
        let typed = SendForm(visit)
        let found = try await visit.asking.audience(draft.target, format: draft.format, sample: 0)
        var main = HTMLOutput()
        main.element("p", ["class": "answer"], text: TagPages.sentence(found))
        main.facts { facts in
            facts.fact("To") { NotificationPages.target(draft.target, &$0) }
            facts.fact("Format", typed.format)
            facts.fact("Size", Spelled.bytes(draft.body.count))
            if let due { facts.fact("Not before") { $0.time(due) } }
        }
        main.element("pre") { $0.stranger(typed.body) }
        let action = PageAddress.hub(visit.named, "send", due == nil ? "all" : "later")
        Form(action: action, token: visit.formToken).write(to: &main) { form in
            typed.carry(to: &form, withTime: due != nil)
            if isLarge(found, draft) {
                form.field("To send it, type the hub's name", "name", hint: "\(visit.named)")
            }
            let verb = due == nil ? "Send" : "Schedule"
            form.button("\(verb) to \(Spelled.count(found.registrations))", isDangerous: true)
        }
        main.element("p") { $0.link(PageAddress.hub(visit.named, "send"), "Do not send") }
        return .page("Send this?", tab: .send, main)
    }

    private static func isLarge(_ found: InspectedAudience, _ draft: NotificationDraft) -> Bool {
        if case .broadcast = draft.target { return true }
        return found.registrations > askedAbove
    }

    private static func send(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let draft = try draft(SendForm(visit), visit)
        try await expectNamed(draft, visit)
        let accepted = try await visit.asking.submit(Send(draft))
        let name = NotificationAddress.text(accepted.id, accepted.sequence)
        return .seeOther(PageAddress.hub(visit.named, "notifications", name))
    }

    private static func schedule(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let asked = try scheduled(visit)
        try await expectNamed(asked.draft, visit)
        _ = try await visit.asking.submit(ScheduleSend(asked))
        return .seeOther(PageAddress.hub(visit.named, "schedules"))
    }

    /// Refuses a large audience whose hub's name was not typed.
    private static func expectNamed(
        _ draft: NotificationDraft,
        _ visit: PageVisit
    ) async throws(RequestFailure) {
        let found = try await visit.asking.audience(draft.target, format: draft.format, sample: 0)
        guard !isLarge(found, draft) || HubName(visit.fields["name"]) == visit.named else {
            throw .refused(.invalid(field: "name", reason: "must be the name of the hub."))
        }
    }

    /// The send for later of the form, checked as over REST.
    private static func scheduled(_ visit: PageVisit) throws(RequestFailure) -> ScheduleRequest {
        try visit.refusing { () throws(Refusal) in
            try ScheduleRules.request(
                of: SendForm(visit).request(rule: visit.session.rule),
                now: visit.now,
                limits: visit.console.rest.limits
            )
        }
    }

    /// The notification of the form, checked as a send over REST is.
    static func draft(
        _ typed: SendForm,
        _ visit: PageVisit
    ) throws(RequestFailure) -> NotificationDraft {
        try visit.refusing { () throws(Refusal) in
            try SendRules.draft(
                of: typed.request(rule: visit.session.rule),
                now: visit.now,
                limits: visit.console.rest.limits
            )
        }
    }
}
