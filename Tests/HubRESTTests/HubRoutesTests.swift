import HubREST
import HubTestSupport
import Testing

private let connect = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"
private let instance = "http://www.w3.org/2001/XMLSchema-instance"

@Suite("Hubs over REST")
struct HubRoutesTests {
    /// An entry as .NET writes it, with these members.
    private static func body(_ members: String) -> String {
        "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\">"
            + "<NotificationHubDescription xmlns:i=\"\(instance)\" xmlns=\"\(connect)\">"
            + members + "</NotificationHubDescription></content></entry>"
    }

    private static func rule(_ name: String, _ rights: [String], _ keys: String = "") -> String {
        "<AuthorizationRule i:type=\"SharedAccessAuthorizationRule\">"
            + "<ClaimType>SharedAccessKey</ClaimType><ClaimValue>None</ClaimValue><Rights>"
            + rights.map { "<AccessRights>\($0)</AccessRights>" }.joined()
            + "</Rights><KeyName>\(name)</KeyName>\(keys)</AuthorizationRule>"
    }

    private static func rules(_ rules: String...) -> String {
        "<AuthorizationRules>\(rules.joined())</AuthorizationRules>"
    }

    /// A rule as answers have it.
    private static func written(
        _ name: String,
        _ rights: [String],
        _ primary: String,
        _ secondary: String,
        modified: String = "2026-05-04T09:12:03.123Z"
    ) -> String {
        "<AuthorizationRule i:type=\"SharedAccessAuthorizationRule\">"
            + "<ClaimType>SharedAccessKey</ClaimType><ClaimValue>None</ClaimValue><Rights>"
            + rights.map { "<AccessRights>\($0)</AccessRights>" }.joined()
            + "</Rights><CreatedTime>2026-05-04T09:12:03.123Z</CreatedTime>"
            + "<ModifiedTime>\(modified)</ModifiedTime><KeyName>\(name)</KeyName>"
            + "<PrimaryKey>\(primary)</PrimaryKey><SecondaryKey>\(secondary)</SecondaryKey>"
            + "</AuthorizationRule>"
    }

    private static func put(
        _ harness: RESTHarness,
        _ name: String,
        _ members: String = "",
        ifMatch: String? = nil
    ) async throws -> Reply {
        try await harness.send(
            .put,
            "/\(name)?api-version=2020-06",
            headers: ifMatch.map { [("If-Match", $0)] } ?? [],
            body: body(members)
        )
    }

    @Test(
        "bring keys along, which no cache may keep",
        arguments: ["/news", "/", "/$Resources/NotificationHubs"]
    )
    func caches(path: String) async throws {
        let harness = RESTHarness()
        let reply = try await harness.send(.get, path)
        #expect(reply.body.contains("<PrimaryKey>"))
        #expect(reply["Cache-Control"] == "no-store")
        #expect(reply["X-Content-Type-Options"] == "nosniff")
        let refused = try await harness.send(.get, path, token: nil)
        #expect(refused["X-Content-Type-Options"] == "nosniff")
    }

    @Test("are created with the rules asked for, byte for byte")
    func create() async throws {
        let harness = RESTHarness()
        let reply = try await Self.put(
            harness,
            "Sports",
            Self.rules(
                Self.rule(
                    "Mine",
                    ["Listen", "Send"],
                    "<PrimaryKey>a&amp;b</PrimaryKey><SecondaryKey i:nil=\"true\"/>"
                ),
                Self.rule("All", ["Manage"])
            ) + "<ApnsCredential><Properties><Property><Name>Token</Name><Value>secret</Value>"
                + "</Property></Properties></ApnsCredential><UserMetadata>a note</UserMetadata>"
                + "<IsDisabled>false</IsDisabled>"
        )
        let url = "https://localhost/Sports?api-version=2020-06"
        let expected =
            "<entry xmlns=\"http://www.w3.org/2005/Atom\"><id>\(url)</id>"
            + "<title type=\"text\">sports</title><published>2026-05-04T09:12:03Z</published>"
            + "<updated>2026-05-04T09:12:03Z</updated><link rel=\"self\" href=\"\(url)\"/>"
            + "<content type=\"application/xml\"><NotificationHubDescription xmlns=\"\(connect)\""
            + " xmlns:i=\"\(instance)\">"
            + "<RegistrationTtl>P10675199DT2H48M5.4775807S</RegistrationTtl><AuthorizationRules>"
            // The hub that was there already has six keys.
            + Self.written("Mine", ["Listen", "Send"], "a&amp;b", "key-7")
            + Self.written("All", ["Listen", "Send", "Manage"], "key-8", "key-9")
            + "</AuthorizationRules><UserMetadata>a note</UserMetadata>"
            + "</NotificationHubDescription></content></entry>"
        #expect(reply.body == expected)
        #expect(reply.status == 201)
        #expect(reply["Content-Type"] == "application/atom+xml; type=entry; charset=utf-8")
        let read = try await harness.send(.get, "/Sports?api-version=2020-06")
        #expect(read.status == 200)
        #expect(read.body == expected)
    }

    @Test(
        "109: with a damaged credential are made or refused, and no secret is in the answer",
        arguments: 0..<12 as Range<UInt64>
    )
    func damagedCredentials(seed: UInt64) async throws {
        let secret = "c2VjcmV0IG9mIGEga2V5"
        let credentials = ["ApnsCredential", "FcmV1Credential", "WnsCredential"].map { name in
            "<\(name)><Properties><Property><Name>Token</Name><Value>\(secret)</Value></Property>"
                + "<Property><Name>KeyId</Name><Value>ABC&amp;1234567</Value></Property>"
                + "</Properties><BlockedOn i:nil=\"true\"/></\(name)>"
        }
        var random = SeededGenerator(seed: seed)
        let harness = RESTHarness()
        for round in 0..<50 {
            let reply = try await harness.send(
                .put,
                "/hub-\(round)?api-version=2020-06",
                bytes: DamagedBody.of(Self.body(credentials.joined()), using: &random)
            )
            #expect([201, 400].contains(reply.status), "\(round): \(reply.body)")
            #expect(!reply.body.contains(secret.dropFirst(4)), "\(round): \(reply.body)")
        }
    }

    @Test("get full, listen and send rules when none are asked for")
    func defaults() async throws {
        for members in ["", "<AuthorizationRules/>", "<AuthorizationRules i:nil=\"true\"/>"] {
            let harness = RESTHarness()
            let reply = try await Self.put(harness, "sports", members)
            #expect(reply.status == 201)
            let names = reply.body.split(separator: "<KeyName>").dropFirst()
                .map { $0.prefix { $0 != "<" } }
            #expect(
                names == [
                    "DefaultFullSharedAccessSignature", "DefaultListenSharedAccessSignature",
                    "DefaultSendSharedAccessSignature",
                ]
            )
        }
    }

    @Test("are changed with If-Match: rules as a whole, keys that are not given stay")
    func update() async throws {
        let harness = RESTHarness()
        _ = try await Self.put(harness, "a", Self.rules(Self.rule("R", ["Listen"])))
        let same = try await Self.put(harness, "a", "", ifMatch: "*")
        #expect(same.status == 200)
        #expect(same.body.contains(Self.written("R", ["Listen"], "key-7", "key-8")))
        let changed = try await Self.put(
            harness,
            "A",
            Self.rules(
                Self.rule("R", ["Listen"]),
                Self.rule("S", ["Send"], "<SecondaryKey>given</SecondaryKey>")
            ),
            ifMatch: "\"1\""
        )
        #expect(changed.status == 200)
        #expect(changed.body.contains(Self.written("R", ["Listen"], "key-7", "key-8")))
        #expect(changed.body.contains("<PrimaryKey>key-9</PrimaryKey><SecondaryKey>given<"))
        #expect(changed.body.contains("<updated>2026-05-04T09:13:03Z</updated>"))
        let rotated = try await Self.put(
            harness,
            "a",
            Self.rules(Self.rule("R", ["Listen"], "<PrimaryKey>new</PrimaryKey>")),
            ifMatch: "*"
        )
        let minute = "2026-05-04T09:13:03.123Z"
        let written = Self.written("R", ["Listen"], "new", "key-8", modified: minute)
        #expect(rotated.body.contains("<AuthorizationRules>\(written)</AuthorizationRules>"))
        let unknown = try await Self.put(harness, "b", "", ifMatch: "*")
        #expect(unknown.status == 404)
    }

    @Test("exist once, whatever the case, and are gone when they are deleted")
    func existence() async throws {
        let harness = RESTHarness()
        #expect(try await Self.put(harness, "sports").status == 201)
        let again = try await Self.put(harness, "SPORTS")
        #expect(again.status == 409)
        let conflict = "SubCode=40900. Conflict. The notification hub 'sports' exists already."
        #expect(again.body.contains(conflict))
        let deleted = try await harness.send(.delete, "/sports")
        #expect(deleted.status == 200)
        #expect(deleted.body.isEmpty && deleted["Content-Length"] == "0")
        for verb in [Verb.get, .delete] {
            let reply = try await harness.send(verb, "/sports")
            #expect(reply.status == 404)
            #expect(reply.body.contains("The notification hub 'sports' does not exist."))
        }
    }

    @Test("are listed by name, in pages")
    func list() async throws {
        let harness = RESTHarness()
        for name in ["c", "a", "b"] { _ = try await Self.put(harness, name) }
        func titles(_ query: String) async throws -> ([Substring], String) {
            let uri = "/$Resources/NotificationHubs/?api-version=2020-06\(query)"
            let reply = try await harness.send(.get, uri)
            #expect(reply.status == 200, "\(reply.body)")
            #expect(reply["Content-Type"] == "application/atom+xml; type=feed; charset=utf-8")
            let parts = reply.body.split(separator: "<title type=\"text\">").dropFirst()
            return (parts.map { $0.prefix { $0 != "<" } }, reply.body)
        }
        let (all, body) = try await titles("")
        #expect(all == ["NotificationHubs", "a", "b", "c", "news"])
        let own = "https://localhost/$Resources/NotificationHubs?api-version=2020-06"
        #expect(
            body.hasPrefix(
                "<feed xmlns=\"http://www.w3.org/2005/Atom\">"
                    + "<title type=\"text\">NotificationHubs</title><id>\(own)</id>"
                    + "<updated>2026-05-04T09:12:03Z</updated><link rel=\"self\" href=\"\(own)\"/>"
                    + "<entry><id>https://localhost/a?api-version=2020-06</id>"
            )
        )
        // Where one client asks for them, without a path.
        let namespace = try await harness.send(.get, "/")
        #expect(namespace.status == 200, "\(namespace.body)")
        #expect(namespace.body.split(separator: "<entry>").count == 5)
        #expect(namespace.body.contains("<title type=\"text\">a</title>"))
        let (first, page) = try await titles("&$skip=1&$top=2")
        #expect(first.dropFirst() == ["b", "c"])
        #expect(page.contains("rel=\"next\" href=\"\(own)&amp;$top=2&amp;$skip=3\""), "\(page)")
        let (last, end) = try await titles("&%24skip=3&$TOP=2")
        #expect(last.dropFirst() == ["news"])
        #expect(!end.contains("rel=\"next\""))
        #expect(try await titles("&$skip=99999999999").0.count == 1)
        for query in ["$skip=-1", "$top=0", "$top=x"] {
            let uri = "/$resources/notificationhubs?\(query)"
            #expect(try await harness.send(.get, uri).status == 400, "\(query)")
        }
    }

    static let refusals: [(String, String, String)] = [
        ("a b", body(""), "hub: names have 1 to 64 letters"),
        (".a", body(""), "hub: names have 1 to 64 letters"),
        ("a", "", "Body: is empty."), ("a", "<entry/>", "content: is missing."),
        (
            "a", "<entry><content><QueueDescription/></content></entry>",
            "content: holds no NotificationHubDescription."
        ),
        ("a", body(rules(rule("", ["Send"]))), "KeyName: is missing or empty."),
        ("a", body("<IsDisabled>true</IsDisabled>"), "IsDisabled: must be false"),
        ("a", body(rules(rule("x", []))), "Rights: name at least one of Listen, Send, Manage"),
        ("a", body(rules(rule("x", ["Read"]))), "AccessRights: must be Listen, Send or Manage."),
        (
            "a", body(rules(rule("x", ["Send"]).replacing("SharedAccessKey", with: "nameid"))),
            "ClaimType: must be SharedAccessKey."
        ),
        (
            "a", body(rules(rule("x", ["Send"]), rule("x", ["Listen"]))),
            "KeyName: one name is there twice"
        ),
        (
            "a",
            body(
                rules(
                    rule(
                        "x",
                        ["Send"],
                        "<PrimaryKey>\(String(repeating: "k", count: 257))</PrimaryKey>"
                    )
                )
            ),
            "PrimaryKey: must have 1 to 256 characters"
        ),
        (
            "a", body("<UserMetadata>\(String(repeating: "m", count: 1_025))</UserMetadata>"),
            "UserMetadata: has more than 1024 characters"
        ),
    ]

    @Test("that cannot be made are refused with the reason", arguments: refusals)
    func refuse(_ name: String, _ body: String, _ detail: String) async throws {
        let harness = RESTHarness()
        let path = "/" + name.replacing(" ", with: "%20")
        let reply = try await harness.send(.put, path, body: body)
        #expect(reply.status == 400, "\(reply.body)")
        #expect(reply.body.contains("SubCode=40000. \(detail)"), "\(reply.body)")
        #expect(try await harness.send(.get, path).status == 404)
    }

    @Test("have at most twelve rules and 1,024 characters of notes")
    func limits() async throws {
        for (count, status) in [(12, 201), (13, 400)] {
            let harness = RESTHarness()
            let rules = (0..<count).map { Self.rule("r\($0)", ["Send"]) }.joined()
            let members = "<AuthorizationRules>\(rules)</AuthorizationRules>"
            #expect(try await Self.put(harness, "a", members).status == status)
        }
        let note = "<UserMetadata>\(String(repeating: "m", count: 1_024))</UserMetadata>"
        #expect(try await Self.put(RESTHarness(), "a", note).status == 201)
    }

    @Test("have names of at most 64 bytes, as the device link has")
    func names() async throws {
        let longest = String(repeating: "n", count: 64)
        #expect(try await Self.put(RESTHarness(), longest).status == 201)
        let refused = try await Self.put(RESTHarness(), longest + "n")
        #expect(refused.status == 400)
        #expect(refused.body.contains("SubCode=40000. hub: names have 1 to 64 letters"))
    }

    @Test("are not to be had where other resources are")
    func reserved() async throws {
        for path in ["/healthz", "/HealthZ/"] {
            let reply = try await RESTHarness().send(.put, path, body: Self.body(""))
            #expect(reply.status == 405)
        }
    }
}
