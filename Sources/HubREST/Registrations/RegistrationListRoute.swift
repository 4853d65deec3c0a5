import HubAtom
import HubDirectory
import HubModel
import HubQuestions
import HubRules
import HubVocabulary

/// Lists of registrations: all, by tag, by handle.
///
/// Source: REST §4.8, §4.9.
enum RegistrationListRoute {
    static let rows = [
        RouteRow(
            "listRegistrationsOfHandle",
            "GET",
            "/{hub}/registrations",
            when: .present("$filter"),
            "Lists the registrations of one handle",
            needs: .listen,
            inputs: [
                .query("$filter", "`FIELD eq 'HANDLE'`; every field name means any handle.")
            ] + paging,
            answers: [feed],
            refusals: [400],
            run: { exchange throws(RequestFailure) in try await list(exchange, tag: nil) }
        ),
        RouteRow(
            "listRegistrations",
            "GET",
            "/{hub}/registrations",
            "Lists all registrations",
            needs: .manage,
            inputs: paging,
            answers: [feed],
            refusals: [400],
            run: { exchange throws(RequestFailure) in try await list(exchange, tag: nil) }
        ),
        RouteRow(
            "listRegistrationsOfTag",
            "GET",
            "/{hub}/tags/{tag}/registrations",
            "Lists the registrations with a tag",
            needs: .manage,
            inputs: [.path("tag", "The tag, percent-encoded.")] + paging,
            answers: [feed],
            refusals: [400],
            run: { exchange throws(RequestFailure) in
                try await list(exchange, tag: exchange.parameter("tag"))
            }
        ),
    ]

    /// So many entries may be skipped; each skipped one is read, so a longer list has tokens alone.
    private static let skipMax = 10_000
    private static let paging = [
        InputNote.query("$top", "Entries of a page at most.", .number(1...Int(Int32.max))),
        InputNote.query("$skip", "Entries to leave out; only few.", .number(0...skipMax)),
        InputNote.query("continuationtoken", "From `x-ms-continuationtoken` of the page before."),
    ]
    private static let feed = AnswerNote(
        200,
        "A feed in the order of creation; without entries when nothing is found",
        ContentType.feed,
        headers: [("x-ms-continuationtoken", "Asks for the next page; absent on the last")]
    )

    /// The question of a list request.
    private struct Query {
        let filter: RegistrationFilter
        let after: RegistrationNumber

        init(_ exchange: Exchange, tag: [UInt8]?) throws(Refusal) {
            let target = exchange.incoming.target
            filter = try Self.filter(target, tag: tag)
            if let token = target.value("continuationtoken"), !token.isEmpty {
                after = try ContinuationToken.read(token, of: filter, in: exchange.hub)
            } else {
                after = RegistrationNumber(0)
            }
        }

        private static func filter(
            _ target: RequestTarget,
            tag: [UInt8]?
        ) throws(Refusal) -> RegistrationFilter {
            if let tag {
                guard !tag.isEmpty else { throw .invalid(field: "tag", reason: "is empty.") }
                return .tag(tag)
            }
            guard let text = target.value("$filter") else { return .all }
            return .handle(try HandleFilter(text).handles())
        }
    }

    /// `GET /{hub}/registrations` and `GET /{hub}/tags/{tag}/registrations`: 200 with a feed, also
    /// when nothing is found.
    private static func list(
        _ exchange: Exchange,
        tag: [UInt8]?
    ) async throws(RequestFailure) -> Answer {
        let query = try refusing { () throws(Refusal) -> Query in
            try Query(exchange, tag: tag)
        }
        let filter = query.filter
        let limit = try exchange.pageLimit()
        var left = try exchange.incoming.target.number("$skip", in: 0...skipMax) ?? 0
        var place: RegistrationNumber? = query.after
        while left > 0, let after = place {
            let most = min(left, exchange.configuration.pageMax)
            let skipped = try await exchange.submit(
                ListRegistrations(filter, after: after, limit: most)
            )
            left -= skipped.entries.count
            place = skipped.next
        }
        var found = ListPage<Registration, RegistrationNumber>([], next: nil)
        if let place {
            found = try await exchange.submit(
                ListRegistrations(filter, after: place, limit: limit)
            )
        }
        let token = found.next.map {
            ContinuationToken.make(after: $0, of: filter, in: exchange.hub)
        }
        var answer = Answer(
            status: 200,
            headers: [("Content-Type", ContentType.feed)],
            body: RegistrationWriter.feed(
                found.entries.map { ($0, url: url(of: $0, exchange)) },
                page: page(exchange, token: token),
                now: exchange.service.now
            )
        )
        if let token { answer.headers.append(("x-ms-continuationtoken", token)) }
        return answer
    }

    private static func page(_ exchange: Exchange, token: String?) -> RegistrationWriter.Page {
        let target = exchange.incoming.target
        return RegistrationWriter.Page(
            selfURL: exchange.incoming.url(path: target.path, query: target.query()),
            nextURL: token.map {
                exchange.incoming.url(
                    path: target.path,
                    query: target.query(
                        without: "continuationtoken",
                        "$skip",
                        adding: "continuationtoken=\($0)"
                    )
                )
            }
        )
    }

    private static func url(of registration: Registration, _ exchange: Exchange) -> String {
        let hub = exchange.incoming.target.rawSegments.first ?? ""
        let id = String(decoding: registration.id, as: UTF8.self)
        return exchange.incoming.url(
            path: "/\(hub)/registrations/\(id)",
            query: exchange.incoming.target.versionQuery
        )
    }
}
