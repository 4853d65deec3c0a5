import HubModel
import HubREST
import HubRules
import HubVocabulary

/// Pages that say what went wrong, and what to do.
enum ErrorPage {
    /// A refusal of a page's handler, or of the hub.
    static func reply(
        _ failure: RequestFailure,
        _ incoming: IncomingRequest,
        _ visit: PageVisit? = nil
    ) -> ConsoleReply {
        var main = HTMLOutput()
        main.element("p", ["class": "refused", "role": "alert"]) { $0.stranger(failure.detail) }
        main.element("p", text: remedy(failure.status))
        main.facts {
            $0.fact("Code", "\(failure.status), \(failure.subCode)")
            $0.fact("Tracking id", incoming.tracking.id)
        }
        back(visit, &main)
        let retry = failure.retryAfterSeconds.map { [("Retry-After", String($0))] } ?? []
        let page = PageFrame(title: title(failure.status), visit: visit).html(main)
        return .page(page, status: failure.status, headers: retry)
    }

    /// A path that leads nowhere.
    static let unknown = plain(404, "There is no such page", "Go back, or to the list of hubs.")

    /// A page that takes another method.
    static func method(_ allowed: [String]) -> ConsoleReply {
        told(
            405,
            "This page is not used so",
            "Use the page's own form.",
            nil,
            headers: [("Allow", allowed.joined(separator: ", "))]
        )
    }

    /// A body that is no form.
    static let noForm = plain(
        415,
        "This is no form",
        "Nothing was done. Send fields as application/x-www-form-urlencoded."
    )

    /// A form of another origin.
    static let foreign = plain(
        403,
        "The form comes from elsewhere",
        "Another page or port has sent it, so nothing was done. Use the form of the console."
    )

    /// A name of the server that it does not know.
    static let misdirected = plain(
        421,
        "This is not the server's name",
        "Add the name to the setting 'names', or use one that stands there."
    )

    /// A session that has ended, for what cannot wait for a sign-in.
    static let signedOut = plain(
        401,
        "Your session has ended",
        "Nothing was done. Run 'belfry console' for a new one."
    )

    /// A page that this role may not have.
    static func role(_ role: ConsoleRole, _ visit: PageVisit) -> ConsoleReply {
        told(
            403,
            "You may not do this",
            "It needs the role '\(role.rawValue)'; you are signed in as "
                + "'\(visit.session.role.rawValue)'.",
            visit
        )
    }

    /// A page of the server, for a session of one hub.
    static func reach(_ visit: PageVisit) -> ConsoleReply {
        told(
            403,
            "This is about the whole server",
            "Your session is for one hub. Sign in with the key of the namespace.",
            visit
        )
    }

    /// A hub that is not there, or that the session does not reach.
    static func noHub(_ visit: PageVisit) -> ConsoleReply {
        var hint = HTMLOutput()
        nearestHub(visit, &hint)
        let text = "Choose one from the list of hubs."
        return told(404, "There is no such hub", text, visit, hint: hint)
    }

    /// A form without the session's token.
    static func token(_ visit: PageVisit) -> ConsoleReply {
        told(
            403,
            "The form is out of date",
            "Nothing was done. Load its page again and send the form once more.",
            visit
        )
    }

    /// An effect whose confirmation is not there.
    static func unconfirmed(_ visit: PageVisit) -> ConsoleReply {
        var main = HTMLOutput()
        main.element("p", ["class": "refused", "role": "alert"]) {
            $0.text("Nothing was done: this must be confirmed first.")
        }
        main.element("p") { $0.link(SessionPages.confirmAddress(backTo: nil), "Confirm") }
        let page = PageFrame(title: "Confirm first", visit: visit).html(main)
        return .page(page, status: 403)
    }

    private static func plain(_ status: Int, _ title: String, _ text: String) -> ConsoleReply {
        told(status, title, text, nil)
    }

    private static func told(
        _ status: Int,
        _ title: String,
        _ text: String,
        _ visit: PageVisit?,
        headers: [(String, String)] = [],
        hint: HTMLOutput = HTMLOutput()
    ) -> ConsoleReply {
        var main = HTMLOutput()
        main.element("p", ["class": "refused", "role": "alert"], text: text)
        main.append(hint)
        back(visit, &main)
        var frame = PageFrame(title: title, visit: visit)
        // What a session does not reach must not stand in the header either.
        if status == 404 { frame.visit = nil }
        return .page(frame.html(main), status: status, headers: headers)
    }

    private static func back(_ visit: PageVisit?, _ main: inout HTMLOutput) {
        main.element("p") { $0.link(PageAddress.base, "All hubs") }
    }

    /// The hub that a mistyped name may mean, for a session that may see all of them.
    private static func nearestHub(_ visit: PageVisit, _ main: inout HTMLOutput) {
        let service = visit.console.service
        guard visit.session.reachesServer, let name = visit.hub?.description,
            // Without a list of hubs there is no such hint.
            let hubs = try? service.hubs(skip: 0, limit: visit.console.limits.rowsPerPage),
            let nearest = NearestWord.of(name, among: hubs.entries.map { "\($0.name)" }),
            let hub = HubName(nearest)
        else { return }
        main.element("p") {
            $0.text("Did you mean ")
            $0.link(PageAddress.hub(hub), nearest)
            $0.text("?")
        }
    }

    private static func title(_ status: Int) -> String {
        switch status {
        case 404: "Not found"
        case 409: "It has changed in between"
        case 429: "Too many requests"
        case 500...: "The hub cannot do this now"
        default: "The hub has refused this"
        }
    }

    private static func remedy(_ status: Int) -> String {
        switch status {
        case 404: "It may be gone, or the id may be cut. Find it in the list."
        case 429: "Wait some seconds, then try again."
        case 500...: "Look at the page Health, then try again."
        default: "Go back: what you have typed is still there. Correct it, then try again."
        }
    }
}
