import HubModel
import HubREST
import HubRules
import HubVocabulary

/// The access rules of a hub: rights, age of keys, new keys, connection strings.
enum AccessPages {
    static let rows = [
        PageRow(
            "access",
            "/$belfry/ui/h/{hub}/access",
            for: .manager,
            shows: ["listKeys"],
            run: show
        ),
        PageRow(
            post: "renewKey",
            "/$belfry/ui/h/{hub}/access/renew",
            for: .manager,
            reach: .server,
            shows: ["renewKey"],
            audit: "console.renewKey",
            naming: ["rule", "key"],
            needsConfirmation: true,
            run: renew
        ),
        PageRow(
            post: "copyKey",
            "/$belfry/ui/h/{hub}/access/copy",
            for: .manager,
            shows: ["getHub"],
            audit: "console.copyConnectionString",
            naming: ["rule", "key"],
            needsConfirmation: true,
            run: copy
        ),
    ]

    private static func show(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let hub = try visit.refusing { () throws(Refusal) in
            try visit.console.service.hub(visit.named)
        }
        let table = KeyTable(
            page: PageAddress.hub(visit.named, "access"),
            copy: PageAddress.hub(visit.named, "access", "copy"),
            renew: visit.session.reachesServer
                ? PageAddress.hub(visit.named, "access", "renew") : nil,
            visit: visit
        )
        var main = HTMLOutput()
        table.write(hub.rules, to: &main)
        RulePages.write(hub.rules, visit, &main)
        if visit.session.reachesServer { KeyTable.writeSteps(to: &main) }
        return .page("Access", tab: .access, main)
    }

    private static func named(_ visit: PageVisit) throws(RequestFailure) -> KeyTable.Choice {
        let hub = try visit.refusing { () throws(Refusal) in
            try visit.console.service.hub(visit.named)
        }
        return try KeyTable.chosen(visit, among: hub.rules, of: "this hub")
    }

    private static func renew(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let (rule, key) = try named(visit)
        _ = try await CommandBridge.submit(
            .renewKey(visit.named, rule: rule.name, key),
            of: visit.console.service
        )
        return .seeOther(PageAddress.hub(visit.named, "access"))
    }

    private static func copy(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        KeyTable.copied(try named(visit), of: visit.named.description, visit)
    }
}
