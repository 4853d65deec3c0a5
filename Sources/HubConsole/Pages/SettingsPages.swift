import HubDirectory
import HubModel
import HubQuestions
import HubREST
import HubRules
import HubVocabulary

/// How long a hub keeps what, taking back what was sent, and the end of a hub.
enum SettingsPages {
    static let rows = [
        PageRow(
            "settings",
            "/$belfry/ui/h/{hub}/settings",
            for: .manager,
            shows: ["readSettings"],
            run: show
        ),
        PageRow(
            post: "changeSettings",
            "/$belfry/ui/h/{hub}/settings",
            for: .manager,
            shows: ["changeSettings"],
            audit: "console.changeSettings",
            naming: ["timeToLive", "retention", "deviceCap", "logBytes"],
            run: change
        ),
        PageRow(
            post: "purge",
            "/$belfry/ui/h/{hub}/purge",
            for: .manager,
            shows: ["purge"],
            audit: "console.purge",
            naming: ["through"],
            needsConfirmation: true,
            run: purge
        ),
        PageRow(
            post: "deleteHub",
            "/$belfry/ui/h/{hub}/delete",
            for: .manager,
            reach: .server,
            shows: ["deleteHub"],
            audit: "console.deleteHub",
            needsConfirmation: true,
            run: delete
        ),
    ]

    private static func show(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let settings = try await visit.asking.submit(GetSettings())
        let here = PageAddress.hub(visit.named, "settings")
        var main = HTMLOutput()
        Form(action: here, token: visit.formToken).write(to: &main) { form in
            form.field(
                "Time to live, seconds",
                "timeToLive",
                value: String(settings.timeToLiveDefaultSeconds),
                hint: "Of a notification that names none."
            )
            form.field(
                "Retention, seconds",
                "retention",
                value: String(settings.retentionSeconds),
                hint: "A device that was away longer loses what it missed, and is told so."
            )
            form.field(
                "Notifications that wait for one device",
                "deviceCap",
                value: String(settings.deviceCap),
                hint: "Of more the oldest are lost."
            )
            form.field(
                "Bytes of the log from which on there is a warning",
                "logBytes",
                value: String(settings.logBytesWarned)
            )
            form.button("Change")
        }
        main.section("Purge") { section in
            section.element(
                "p",
                text: "Takes back what was sent: no device that has not got it gets it any more. "
                    + "Purged up to place \(Spelled.count(settings.purgedThrough)) so far."
            )
            ConfirmedForm(
                action: PageAddress.hub(visit.named, "purge"),
                page: here,
                visit: visit
            ).write(to: &section) {
                $0.field("Up to and with place", "through", hint: "The notification shows it.")
                $0.button("Purge", isDangerous: true)
            }
        }
        if visit.session.reachesServer { deleteForm(visit, here, &main) }
        return .page("Settings", tab: .settings, main)
    }

    private static func deleteForm(
        _ visit: PageVisit,
        _ here: String,
        _ main: inout HTMLOutput
    ) {
        main.section("Delete the hub") { section in
            section.element(
                "p",
                text: "Closes every session and removes registrations, log, schedules and keys."
            )
            ConfirmedForm(
                action: PageAddress.hub(visit.named, "delete"),
                page: here,
                visit: visit
            ).write(to: &section) {
                $0.field("Type the hub's name", "name", hint: "\(visit.named)")
                $0.button("Delete the hub", isDangerous: true)
            }
        }
    }

    private static func change(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        var change = HubSettingsChange()
        change.timeToLiveSeconds = try number("timeToLive", visit)
        change.retentionSeconds = try number("retention", visit)
        change.deviceCap = try number("deviceCap", visit)
        change.logBytesWarned = try number("logBytes", visit)
        _ = try await visit.asking.submit(ChangeSettings(change))
        return .seeOther(PageAddress.hub(visit.named, "settings"))
    }

    private static func purge(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        guard let place = try number("through", visit) else {
            throw .refused(.invalid(field: "through", reason: "is missing."))
        }
        _ = try await visit.asking.submit(Purge(.through(place)))
        return .seeOther(PageAddress.hub(visit.named, "settings"))
    }

    private static func delete(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        guard HubName(visit.fields["name"]) == visit.named else {
            throw .refused(.invalid(field: "name", reason: "must be the name of the hub."))
        }
        _ = try await CommandBridge.submit(.deleteHub(visit.named), of: visit.console.service)
        return .seeOther(PageAddress.base)
    }

    /// A whole number of a field; nil for an empty one.
    private static func number(
        _ name: String,
        _ visit: PageVisit
    ) throws(RequestFailure) -> UInt64? {
        let text = visit.fields[name]
        guard !text.isEmpty else { return nil }
        guard let number = UInt64(text) else {
            throw .refused(.invalid(field: name, reason: "must be a whole number."))
        }
        return number
    }
}
