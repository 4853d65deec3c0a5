import HubAtom
import HubModel
import HubRules
import HubVocabulary

/// The hubs of a namespace: create, change, read, delete, list.
///
/// Source: REST §14.
enum HubRoutes {
    static let rows = [
        RouteRow(
            "putHub",
            "PUT",
            "/{hub}",
            "Creates a hub, or with `If-Match` changes an existing one",
            ofNamespace: .manage,
            body: description,
            inputs: [
                .header("If-Match", "`*` asks for an existing hub."),
                .header(
                    "Belfry-Confirm",
                    "`new-keys` allows another pair of Web Push keys, which ends every subscription."
                ),
            ],
            answers: [
                AnswerNote(200, "The hub as changed; its keys are in force", ContentType.entry),
                AnswerNote(201, "The new hub, with its keys", ContentType.entry),
            ],
            refusals: [409],
            run: put
        ),
        RouteRow(
            "getHub",
            "GET",
            "/{hub}",
            "Reads a hub with its access rules and their keys; a rule of the hub may do that too",
            ofNamespace: .manage,
            isOpenToHub: true,
            answers: [AnswerNote(200, "The hub", ContentType.entry)],
            run: get
        ),
        RouteRow(
            "deleteHub",
            "DELETE",
            "/{hub}",
            "Closes a hub's sessions and removes everything that it has stored",
            ofNamespace: .manage,
            answers: [AnswerNote(200, "Deleted")],
            run: delete
        ),
        listing("listHubs", "/$Resources/NotificationHubs"),
        listing("listHubsOfNamespace", "/"),
    ]

    /// The list of hubs under one of its two addresses.
    private static func listing(_ name: String, _ path: PathPattern) -> RouteRow {
        RouteRow(
            name,
            "GET",
            path,
            "Lists the hubs in the order of their names",
            ofNamespace: .manage,
            inputs: [
                .query("$skip", "Hubs to leave out at the beginning.", .number(0...1_000_000)),
                .query("$top", "Entries of a page at most.", .number(1...Int(Int32.max))),
            ],
            answers: [
                AnswerNote(
                    200,
                    "A feed, with a link to the next page when more follow",
                    ContentType.feed
                )
            ],
            refusals: [400],
            run: list
        )
    }

    private static let description = BodyUse.read(
        BodyNote(
            ["application/atom+xml;type=entry;charset=utf-8"],
            "An Atom entry whose content is one hub description. Rules that are not there are "
                + "made for a new hub and stay for an existing one; keys that are not there too.",
            example: """
                <entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml">\
                <NotificationHubDescription xmlns="\(XMLNamespace.connect)"/></content></entry>
                """
        )
    )

    /// 201 for a new hub; with `If-Match`, which a hub's entry has no tag for, 200 for a change.
    private static func put(
        _ exchange: NamespaceExchange
    ) async throws(RequestFailure) -> Answer {
        guard let name = exchange.name.flatMap(HubName.init) else {
            throw .refused(
                .invalid(
                    field: "hub",
                    reason:
                        "names have 1 to \(HubName.bytesMax) letters, digits, '.', '_' and '-', and do not "
                        + "begin with '.'."
                )
            )
        }
        let definition = try refusing { () throws(Refusal) -> HubDefinition in
            var definition = try HubDescriptionReader.read(exchange.body)
            let word = exchange.incoming.header("Belfry-Confirm")
            definition.confirmsNewKeys = word?.elementsEqual("new-keys".utf8) == true
            return definition
        }
        let condition = WriteCondition(
            ifMatch: exchange.incoming.header("If-Match"),
            absent: .none
        )
        let isNew = condition == .none
        let stored = try await exchange.submit(
            isNew ? .createHub(name, definition) : .updateHub(name, definition)
        )
        return entry(stored, status: isNew ? 201 : 200, exchange)
    }

    private static func get(
        _ exchange: NamespaceExchange
    ) async throws(RequestFailure) -> Answer {
        let name = try exchange.knownHub()
        let found = try refusing { () throws(Refusal) in try exchange.service.hub(name) }
        return entry(found, status: 200, exchange)
    }

    private static func delete(
        _ exchange: NamespaceExchange
    ) async throws(RequestFailure) -> Answer {
        _ = try await exchange.submit(.deleteHub(exchange.knownHub()))
        return Answer(status: 200)
    }

    private static func entry(
        _ hub: HubDescription,
        status: Int,
        _ exchange: NamespaceExchange
    ) -> Answer {
        let target = exchange.incoming.target
        let url = exchange.incoming.url(path: target.path, query: target.query())
        return Answer(
            status: status,
            headers: [
                ("Content-Type", ContentType.entry), ("Content-Location", url),
                ("Cache-Control", "no-store"),
            ],
            body: HubDescriptionWriter.entry(hub, url: url)
        )
    }

    private static func list(
        _ exchange: NamespaceExchange
    ) async throws(RequestFailure) -> Answer {
        let target = exchange.incoming.target
        let most = exchange.configuration.limits.namespace.pageHubsMax
        // So far behind every list that sums stay small.
        let skip = min(try target.number("$skip", atLeast: 0) ?? 0, 1_000_000_000)
        let limit = min(try target.number("$top", atLeast: 1) ?? most, most)
        let found = try refusing { () throws(Refusal) in
            try exchange.service.hubs(skip: skip, limit: limit)
        }
        let next = found.next.map { target.query(without: "$skip", adding: "$skip=\($0)") }
        let page = RegistrationWriter.Page(
            selfURL: exchange.incoming.url(path: target.path, query: target.query()),
            nextURL: next.map { exchange.incoming.url(path: target.path, query: $0) }
        )
        let entries = found.entries.map { hub in
            (hub, url: exchange.incoming.url(path: "/\(hub.name)", query: target.versionQuery))
        }
        return Answer(
            status: 200,
            headers: [("Content-Type", ContentType.feed), ("Cache-Control", "no-store")],
            body: HubDescriptionWriter.feed(entries, page: page, now: exchange.service.now)
        )
    }
}
