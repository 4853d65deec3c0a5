import HubREST
import HubVocabulary

/// The frame around every page: head, header, navigation, status line.
struct PageFrame {
    /// The page's title.
    let title: String
    /// Its entry of the navigation; nil for none.
    var tab: PageTab?
    /// The operator's request; nil before the sign-in.
    var visit: PageVisit?

    /// Writes the whole document.
    func html(_ main: HTMLOutput) -> [UInt8] {
        var page = HTMLOutput()
        page.markup("<!DOCTYPE html><html lang=\"en\">")
        page.element("head") { head(&$0) }
        page.element("body") { body in
            body.element("a", ["href": "#main", "class": "skip"], text: "Skip to the content")
            body.element("header") { header(&$0) }
            if let visit, let hub = visit.hub { tabs(hub, visit, &body) }
            body.element("main", ["id": "main", "tabindex": "-1"]) {
                $0.element("h1", text: title)
                $0.append(main)
            }
            body.element("footer") {
                // What the script reports; its place is there from the beginning.
                $0.element("p", ["id": "status", "role": "status"], text: "")
                $0.element("p", ["id": "keys", "class": "hint"], text: "")
            }
        }
        page.markup("</html>\n")
        return page.bytes
    }

    private func head(_ head: inout HTMLOutput) {
        head.markup("<meta charset=\"utf-8\">")
        head.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        head.markup("<meta name=\"color-scheme\" content=\"light dark\">")
        let place = visit?.hub.map { " · \($0)" } ?? ""
        head.element("title", text: "\(title)\(place) · Belfry")
        head.void("link", ["rel": "icon", "href": ConsoleAsset.icon.address])
        head.void("link", ["rel": "stylesheet", "href": ConsoleAsset.styles.address])
        head.element("script", ["src": ConsoleAsset.script.address, "defer": "defer"], text: "")
    }

    private func header(_ header: inout HTMLOutput) {
        header.element("p", ["class": "brand"]) {
            $0.link(PageAddress.base, "Belfry")
            if let hub = visit?.hub {
                $0.text(" ")
                $0.link(PageAddress.hub(hub), hub.description)
            }
        }
        guard let visit else { return }
        if visit.hub != nil || visit.session.reachesServer { find(visit, &header) }
        let isHealthy = visit.problems.isEmpty
        header.element("p", ["class": "health"]) {
            $0.element("a", ["href": PageAddress.server("health")]) {
                $0.state(isHealthy ? .good : .bad, isHealthy ? "healthy" : "problems")
            }
        }
        header.element("div", ["class": "who"]) { who in
            who.element("span") {
                $0.stranger(visit.session.name)
                $0.text(", \(visit.session.role.rawValue)")
            }
            if visit.may(.manager), visit.session.reachesServer {
                who.link(PageAddress.server("audit"), "Audit")
                who.link(PageAddress.server("server"), "Server")
            }
            Form(action: PageAddress.server("sign-out"), token: visit.formToken).write(to: &who) {
                $0.button("Sign out")
            }
        }
    }

    private func find(_ visit: PageVisit, _ header: inout HTMLOutput) {
        header.element(
            "form",
            ["method": "get", "action": PageAddress.server("find"), "role": "search"]
        ) {
            if let hub = visit.hub {
                $0.void("input", ["type": "hidden", "name": "hub", "value": hub.description])
            }
            $0.void(
                "input",
                [
                    "id": "find", "name": "q", "type": "search", "aria-label": "Find",
                    "placeholder": "Find: id, handle, user, tag", "autocomplete": "off",
                    "value": tab == nil ? visit.query("q") : "",
                ]
            )
        }
    }

    private func tabs(_ hub: HubName, _ visit: PageVisit, _ body: inout HTMLOutput) {
        body.element("nav", ["aria-label": "Pages of the hub"]) {
            $0.element("ul") { list in
                for entry in PageTab.allCases where visit.may(entry.role) {
                    let address =
                        entry == .overview
                        ? PageAddress.hub(hub) : PageAddress.hub(hub, entry.segment)
                    list.element("li") {
                        $0.element(
                            "a",
                            [
                                "href": address, "data-key": entry.key ?? "",
                                "aria-current": entry == tab ? "page" : "",
                            ],
                            text: entry.rawValue
                        )
                    }
                }
            }
        }
    }
}
