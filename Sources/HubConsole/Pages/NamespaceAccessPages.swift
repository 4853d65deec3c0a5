import HubREST
import HubRules

/// The access rules that hold for every hub: age of keys, new keys, connection strings.
enum NamespaceAccessPages {
    static let rows = [
        PageRow(
            "namespaceAccess",
            "/$belfry/ui/access",
            for: .manager,
            reach: .server,
            shows: ["listNamespaceKeys"],
            run: show
        ),
        PageRow(
            post: "renewNamespaceKey",
            "/$belfry/ui/access/renew",
            for: .manager,
            reach: .server,
            shows: ["renewNamespaceKey"],
            audit: "console.renewNamespaceKey",
            naming: ["rule", "key"],
            needsConfirmation: true,
            run: renew
        ),
        PageRow(
            post: "copyNamespaceKey",
            "/$belfry/ui/access/copy",
            for: .manager,
            reach: .server,
            shows: ["renewNamespaceKey"],
            audit: "console.copyNamespaceString",
            naming: ["rule", "key"],
            needsConfirmation: true,
            run: copy
        ),
    ]

    private static func show(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let table = KeyTable(
            page: PageAddress.server("access"),
            copy: PageAddress.server("access", "copy"),
            renew: PageAddress.server("access", "renew"),
            visit: visit
        )
        var main = HTMLOutput()
        main.element(
            "p",
            text: "These keys open every hub, and this console. A new one ends your session: sign "
                + "in again with 'belfry console'. Contexts that hold the old key need the new one."
        )
        table.write(visit.console.service.namespaceRules, to: &main)
        KeyTable.writeSteps(to: &main)
        return .page("Keys of the namespace", tab: nil, main)
    }

    private static func named(_ visit: PageVisit) throws(RequestFailure) -> KeyTable.Choice {
        try KeyTable.chosen(visit, among: visit.console.service.namespaceRules, of: "the namespace")
    }

    private static func renew(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let (rule, key) = try named(visit)
        _ = try await CommandBridge.renew(
            key,
            ofNamespace: rule.name,
            of: visit.console.service
        )
        return .seeOther(PageAddress.server("access"))
    }

    private static func copy(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        KeyTable.copied(try named(visit), visit)
    }
}
