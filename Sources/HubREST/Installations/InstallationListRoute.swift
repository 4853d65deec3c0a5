import HubDirectory
import HubModel
import HubQuestions
import HubRules
import HubTags
import HubTemplates
import HubVocabulary

/// Lists, searches and counts installations: an own addition, under `/{hub}/$belfry/`.
///
/// Handles are left out; who needs one reads the installation.
enum InstallationListRoute {
    static let rows = [
        RouteRow(
            "listInstallations",
            "GET",
            "/{hub}/$belfry/installations",
            "Lists, searches or counts installations",
            needs: .manage,
            inputs: [
                .query("prefix", "Only installations whose id begins so, without case."),
                .query("tag", "Only those with a registration that has this tag."),
                .query("user", "Only those of this user; not together with `tag`."),
                .query(
                    "platform",
                    "Only those of this platform.",
                    .words(Platform.allCases.map(\.installationName))
                ),
                .query("count", "Only counts them.", .flag),
                .query("$top", "Installations of a page at most.", .number(1...Int(Int32.max))),
                .query("continuationtoken", "`continuationToken` of the page before."),
            ],
            answers: [
                AnswerNote(
                    200,
                    "A page in the order in which they were made, or a count",
                    ContentType.json,
                    schema: "InstallationPage"
                )
            ],
            refusals: [400],
            run: list
        )
    ]

    /// `GET /{hub}/$belfry/installations`.
    static func list(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let target = exchange.incoming.target
        let filter = try refusing { () throws(Refusal) -> InstallationFilter in
            try Self.filter(target)
        }
        let isCount = target.flag("count")
        let configuration = exchange.configuration
        let limit = min(try target.top() ?? configuration.pageDefault, configuration.pageMax)
        var after = try refusing { () throws(Refusal) -> InstallationNumber in
            try start(target)
        }
        var found: [Installation] = []
        var matched = 0
        var total = 0
        var next: InstallationNumber?
        repeat {
            let part = try await exchange.submit(
                ListInstallations(filter, after: after, limit: isCount ? 0 : limit - found.count)
            )
            found += part.installations
            matched += part.matched
            total = part.total
            next = part.next
            after = part.next ?? after
        } while next != nil && (isCount || found.count < limit)
        var members = [JSONMember]()
        if isCount {
            members.append(member("count", number(matched)))
        } else {
            if let next {
                members.append(
                    member("continuationToken", .string(Array(HexText.digits(next.raw).utf8)))
                )
            }
            let limits = exchange.configuration.limits
            members.append(member("installations", .array(found.map { summary($0, limits) })))
        }
        members.append(member("total", number(total)))
        return Answer(
            status: 200,
            headers: [("Content-Type", ContentType.json)],
            body: JSONTree.object(members).json
        )
    }

    // MARK: Questions

    private static func filter(_ target: RequestTarget) throws(Refusal) -> InstallationFilter {
        var filter = InstallationFilter(prefix: target.value("prefix") ?? [])
        filter.tag = try TagOfQuery.read(target)
        if let word = target.value("platform"), !word.isEmpty {
            let folded = String(decoding: word, as: UTF8.self).lowercased()
            guard let platform = Platform.allCases.first(where: { $0.installationName == folded })
            else { throw .invalid(field: "platform", reason: "is no platform of installations.") }
            filter.platform = platform
        }
        return filter
    }

    private static func start(_ target: RequestTarget) throws(Refusal) -> InstallationNumber {
        guard let text = target.value("continuationtoken"), !text.isEmpty else {
            return InstallationNumber(0)
        }
        guard let raw: UInt32 = HexText.number(text) else { throw .foreignToken }
        return InstallationNumber(raw)
    }

    // MARK: Answers

    /// An installation for a list, without its handle and the texts of its templates.
    private static func summary(_ installation: Installation, _ limits: CoreLimits) -> JSONTree {
        var members = [
            member("installationId", .string(installation.id)),
            member("platform", .string(Array(installation.platform.installationName.utf8))),
        ]
        guard let document = installation.document(limits: limits) else { return .object(members) }
        if let expires = installation.expires {
            let time = Array(TimeText.iso8601(expires).utf8)
            members.append(member("expirationTime", .string(time)))
        }
        if !document.userID.isEmpty { members.append(member("userId", .string(document.userID))) }
        let tags = document.channel.tags
        let spelled = (0..<tags.count).map { Array(tags.bytes[tags.range(at: $0)]) }
        let lists = [
            ("tags", spelled), ("templates", document.channel.templates.map(\.name)),
            ("secondaryTiles", document.tiles.map(\.name)),
        ]
        for (name, values) in lists where !values.isEmpty {
            members.append(member(name, .array(values.map { .string($0) })))
        }
        return .object(members)
    }

    private static func member(_ name: String, _ value: JSONTree) -> JSONMember {
        JSONMember(Array(name.utf8), value)
    }

    private static func number(_ value: Int) -> JSONTree { .number(Array(String(value).utf8)) }
}
