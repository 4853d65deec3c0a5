import HubDirectory
import HubModel
import HubQuestions
import HubREST
import HubRules
import HubVocabulary

/// One field for every kind of id: its form says what it may be, and the hub whether it is.
enum FindPage {
    static let rows = [
        PageRow(
            "find",
            "/$belfry/ui/find",
            shows: [
                "getNotificationCounters", "getDevice", "getRegistration", "getInstallation",
                "listTags",
            ],
            run: find
        )
    ]

    private static func find(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let text = String(decoding: ASCII.trimmed(Array(visit.query("q").utf8)), as: UTF8.self)
        var hits: [(hub: HubName, kind: String, address: String)] = []
        if !text.isEmpty {
            for hub in try hubs(visit) {
                let asking = HubAsking(service: visit.console.service, hub: hub)
                for (kind, address) in await found(text, asking) {
                    hits.append((hub, kind, address))
                }
            }
        }
        if hits.count == 1 { return .seeOther(hits[0].address) }
        var main = HTMLOutput()
        guard !hits.isEmpty else {
            main.element("p", ["class": "empty"]) { empty in
                empty.text(text.isEmpty ? "Type an id, a user or a tag." : "Nothing is known as ")
                if !text.isEmpty { empty.stranger(text) }
            }
            return .page("Find", tab: nil, main)
        }
        main.element("ul") { list in
            for hit in hits {
                list.element("li") { $0.link(hit.address, "\(hit.kind) of \(hit.hub)") }
            }
        }
        return .page("Find", tab: nil, main)
    }

    /// The hub that the form was on, or those that the session reaches.
    private static func hubs(_ visit: PageVisit) throws(RequestFailure) -> [HubName] {
        if let named = HubName(visit.query("hub")), visit.session.reaches(named) { return [named] }
        let most = visit.console.rest.limits.namespace.hubsMax
        return try visit.refusing { () throws(Refusal) in
            try visit.console.service.hubs(skip: 0, limit: most).entries.map(\.name)
                .filter(visit.session.reaches)
        }
    }

    /// Returns the things that a hub knows under a text; a question that is refused has found nothing.
    private static func found(
        _ text: String,
        _ asking: HubAsking
    ) async -> [(kind: String, address: String)] {
        let (bytes, hub) = (Array(text.utf8), asking.hub)
        var hits: [(kind: String, address: String)] = []
        if let name = NotificationName(parsing: bytes), await isKnown(GetDetails(name), asking) {
            hits.append(("notification", PageAddress.hub(hub, "notifications", text)))
        }
        if let device = ExplainSubject(device: bytes),
            // An unknown one is not found.
            let known = try? await asking.submit(GetDevice(device))
        {
            let id = Spelled.device(known.device.cursor.device)
            hits.append(("device", PageAddress.hub(hub, "devices", id)))
        }
        if RegistrationID.isWellFormed(bytes), await isKnown(GetRegistration(id: bytes), asking) {
            hits.append(("registration", PageAddress.hub(hub, "registrations", text)))
        }
        if await isKnown(GetInstallation(id: bytes), asking) {
            hits.append(("installation", PageAddress.hub(hub, "installations", text)))
        }
        // A user is a tag of a form of its own.
        for tag in ["$UserId:{\(text)}", text] {
            // A list that is refused has no tag.
            let known = try? await asking.tags(prefix: Array(tag.utf8), after: [], limit: 1)
            if let first = known?.entries.first, ASCII.equal(first.tag, Array(tag.utf8)) {
                let query: KeyValuePairs = ["tag": tag]
                let kind = tag == text ? "tag" : "user"
                hits.append((kind, PageAddress.hub(hub, "registrations", query: query)))
            }
        }
        return hits
    }
    /// Whether a hub answers a question, rather than refuse it.
    private static func isKnown(_ question: some HubRequest, _ asking: HubAsking) async -> Bool {
        // The refusal is the answer.
        (try? await asking.submit(question)) != nil
    }
}
