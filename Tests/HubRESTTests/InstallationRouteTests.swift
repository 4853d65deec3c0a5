import Testing

/// Installations in front of the real core, answer by answer.
@Suite("Installations over REST")
struct InstallationRouteTests {
    private static let id = "5b0c6f0e-9d2a-4b62-8f35-0f6a2f6a7d11"
    private static let path = "/news/installations/\(id)?api-version=2020-06"

    private struct Client {
        let hub: CoreHub
        var isListen = false

        func ask(
            _ method: Verb,
            _ body: String? = nil,
            path: String = InstallationRouteTests.path,
            type: String = "application/json"
        ) async throws -> Reply {
            try await HubRESTTests.ask(
                hub,
                method,
                path,
                token: CoreHub.token("https://hub.example.net/news", isListen: isListen),
                headers: [("Content-Type", type)],
                bytes: body.map { Array($0.utf8) }
            )
        }
    }

    private static func put(_ more: String, platform: String = "apns") -> String {
        #"{"installationId":"\#(id)","platform":"\#(platform)","pushChannel":"AB01"\#(more)}"#
    }

    private static func answer(_ more: String, platform: String = "apns") -> String {
        #"{"installationId":"\#(id)","pushChannel":"AB01","pushChannelExpired":false,"#
            + #""platform":"\#(platform)","expirationTime":"9999-12-31T23:59:59.9999999Z"\#(more)}"#
    }

    @Test("answers 200, 200, 200 and 204 with the exact bytes clients need")
    func exact() async throws {
        let client = Client(hub: try CoreHub())
        let put = try await client.ask(.put, Self.put(#","tags":["World"]"#))
        #expect(put.status == 200 && put.body.isEmpty, "\(put.body)")
        #expect(put["Content-Type"] == "application/xml; charset=utf-8")
        let get = try await client.ask(.get)
        #expect(get.status == 200)
        #expect(get["Content-Type"] == "application/json; charset=utf-8")
        #expect(get.body == Self.answer(#","tags":["World"]"#))
        let patch = try await client.ask(
            .patch,
            #"[{"op":"add","path":"/tags","value":"Sports"}]"#,
            type: "application/json-patch+json"
        )
        #expect(patch.status == 200 && patch.body.isEmpty)
        #expect(patch["Content-Type"] == "application/xml; charset=utf-8")
        #expect(try await client.ask(.get).body == Self.answer(#","tags":["World","Sports"]"#))
        for _ in 0..<2 {
            let gone = try await client.ask(.delete)
            #expect(gone.status == 204 && gone.body.isEmpty && gone["Content-Type"] == nil)
        }
        for method in [Verb.get, .patch] {
            let missing = try await client.ask(method, method == .patch ? "[]" : nil)
            #expect(missing.status == 404)
            #expect(
                missing.body.hasPrefix(
                    "<Error><Code>404</Code><Detail>SubCode=40403. Installation not found."
                ),
                "\(missing.body)"
            )
        }
        // The same bytes again are a new installation.
        #expect(try await client.ask(.put, Self.put(#","tags":["World"]"#)).status == 200)
        #expect(try await client.ask(.get).body == get.body)
    }

    @Test(
        "takes the documents of every client",
        arguments: [
            (
                ".NET",
                #","userId":null,"pushChannelExpired":null,"expirationTime":null,"tags":null"#,
                "fcmV1", "", "fcmv1"
            ),
            (
                ".NET, an unset date", #","expirationTime":"0001-01-01T00:00:00""#, "apns", "",
                "apns"
            ),
            (
                "Android",
                #","userId":null,"templates":{"t":{"name":"t","body":"{\"a\":\"$(b)\"}","#
                    + #""headers":{},"tags":["x"]}}"#,
                "gcm", #","templates":{"t":{"body":"{\"a\":\"$(b)\"}","tags":["x"]}}"#, "gcm"
            ),
            ("Java", #","templates":{},"tags":[]"#, "fcm", "", "gcm"),
            (
                "documentation",
                #","userID":"mara","expiredPushChannel":"x","templates":{"Daily news":"#
                    + #"{"bodyTemplate":"{\"a\":\"$(b)\"}","expiration":"0"}}"#,
                "APNS",
                #","userId":"mara","templates":{"Daily news":{"body":"{\"a\":\"$(b)\"}","#
                    + #""expiry":"0","tags":["Daily news"]}}"#,
                "apns"
            ),
        ]
    )
    func clients(
        client: String,
        more: String,
        platform: String,
        stored: String,
        shown: String
    ) async throws {
        let asker = Client(hub: try CoreHub())
        let put = try await asker.ask(.put, Self.put(more, platform: platform))
        #expect(put.status == 200, "\(client): \(put.body)")
        let get = try await asker.ask(.get)
        #expect(get.body == Self.answer(stored, platform: shown), "\(client)")
        // What was read can be put back as it stands.
        #expect(try await asker.ask(.put, get.body).status == 200, "\(client)")
        #expect(try await asker.ask(.get).body == get.body, "\(client)")
    }

    @Test(
        "reads the expiry of every client",
        arguments: [
            ("2027-08-02T09:12:00Z", "2027-08-02T09:12:00.000Z"),
            ("2027-08-02T09:12:00.1234567Z", "2027-08-02T09:12:00.123Z"),
            ("2027-08-02T11:12+0200", "2027-08-02T09:12:00.000Z"),
            ("2027-08-02T09:12:00", "2027-08-02T09:12:00.000Z"),
            ("2027-08-02T11:12:00+02:00", "2027-08-02T09:12:00.000Z"),
        ]
    )
    func expiry(given: String, shown: String) async throws {
        let client = Client(hub: try CoreHub())
        let put = try await client.ask(.put, Self.put(#","expirationTime":"\#(given)""#))
        #expect(put.status == 200, "\(put.body)")
        let get = try await client.ask(.get)
        #expect(get.body.contains(#""expirationTime":"\#(shown)""#), "\(get.body)")
    }

    @Test("its registrations are listed and read, but not written back")
    func derived() async throws {
        let client = Client(hub: try CoreHub())
        let template = #""templates":{"Daily news":{"body":"{\"a\":\"$(b)\"}"}}"#
        let put = try await client.ask(
            .put,
            Self.put(#","userId":"mara","tags":["World"],\#(template)"#)
        )
        #expect(put.status == 200, "\(put.body)")
        let list = try await client.ask(.get, path: "/news/registrations?api-version=2020-06")
        let own = "$InstallationId:{\(Self.id)},$UserId:{mara},World"
        #expect(list.body.contains("<Tags>\(own)</Tags>"), "\(list.body)")
        #expect(list.body.contains("<Tags>\(own),Daily news</Tags>"))
        #expect(list.body.contains("<TemplateName>Daily news</TemplateName>"))
        let id = try #require(
            list.body.split(separator: "<RegistrationId>").dropFirst().first?.prefix { $0 != "<" }
        )
        let registration = "/news/registrations/\(id)?api-version=2020-06"
        let entry = try await client.ask(.get, path: registration)
        #expect(entry.status == 200)
        let back = try await client.ask(.put, entry.body, path: registration)
        #expect(back.status == 400)
        #expect(back.body.contains("Tags can not start with $."), "\(back.body)")
        #expect(try await client.ask(.delete).status == 204)
        let after = try await client.ask(.get, path: registration)
        #expect(after.status == 404)
    }

    @Test("a Listen token puts, patches, reads and deletes, but gives no user and no protected tag")
    func listen() async throws {
        let hub = try CoreHub()
        let full = Client(hub: hub)
        let listen = Client(hub: hub, isListen: true)
        for (more, tag) in [
            (#","userId":"mara""#, "$UserId:{mara}"),
            (#","tags":["username:mara"]"#, "username:mara"),
        ] {
            let refused = try await listen.ask(.put, Self.put(more))
            #expect(refused.status == 403)
            #expect(
                refused.body.contains("SubCode=40300. Tags: '\(tag)' is a protected tag;"),
                "\(refused.body)"
            )
        }
        #expect(try await listen.ask(.put, Self.put("")).status == 200)
        #expect(try await listen.ask(.get).status == 200)
        #expect(try await listen.ask(.patch, #"[{"op":"add","path":"/tags/x"}]"#).status == 200)
        #expect(try await listen.ask(.delete).status == 204)
        #expect(try await full.ask(.put, Self.put(#","userId":"mara""#)).status == 200)
        for (method, body) in [(Verb.put, Self.put("")), (.patch, "[]"), (.delete, nil)] {
            let refused = try await listen.ask(method, body)
            #expect(refused.status == 403)
            #expect(
                refused.body.contains(
                    "The installation has a user or tags granted by the backend;"
                ),
                "\(refused.body)"
            )
        }
        #expect(try await listen.ask(.get).status == 200)
    }

    @Test(
        "refuses what is wrong with 400 and says where",
        arguments: [
            ("", "Body: The JSON is malformed: it ends too early. (at byte 0)"),
            ("{", "Body: The JSON is malformed"), ("[]", "installation: must be a JSON object"),
            ("<entry/>", "Body: The JSON is malformed: unexpected character. (at byte 0)"),
            (#"{"installationId":"x"}"#, "/installationId: is not the id of the address"),
            (put("").replacing("apns", with: "palm"), "/platform: is none of apns, gcm"),
            (put(#","tags":["a b"]"#), "/tags: An invalid tag(s) 'a b' was supplied, number 1."),
            (put(#","templates":{"a":{"body":"{\"x\":\"$(\"}"}}"#), "/templates/a/body: "),
            (put(#","expirationTime":"2020-01-01T00:00:00Z""#), "/expirationTime: has passed"),
        ]
    )
    func refusals(body: String, detail: String) async throws {
        let reply = try await Client(hub: try CoreHub()).ask(.put, body)
        #expect(reply.status == 400)
        let start = "<Error><Code>400</Code><Detail>SubCode=40000. \(detail)"
        #expect(reply.body.hasPrefix(start), "\(reply.body)")
    }

    @Test("a patch that cannot be carried out changes nothing")
    func atomicPatch() async throws {
        let client = Client(hub: try CoreHub())
        #expect(try await client.ask(.put, Self.put("")).status == 200)
        let patch =
            #"[{"op":"add","path":"/tags","value":"World"},{"op":"remove","path":"/pushChannel"}]"#
        let reply = try await client.ask(.patch, patch)
        #expect(reply.status == 400)
        #expect(reply.body.contains("/pushChannel: cannot be removed"), "\(reply.body)")
        #expect(try await client.ask(.get).body == Self.answer(""))
    }

    @Test("takes a byte order mark and ids that need encoding in a path")
    func tolerance() async throws {
        let client = Client(hub: try CoreHub())
        let path = "/NEWS/Installations/a%23b%3D/?api-version=2015-01"
        let body = #"{"installationId":"a#b=","platform":"apns","pushChannel":"AB01"}"#
        let put = try await client.ask(.put, "\u{FEFF}" + body, path: path)
        #expect(put.status == 200, "\(put.body)")
        let get = try await client.ask(.get, path: "/news/installations/A%23B=")
        #expect(get.status == 200 && get.body.hasPrefix(#"{"installationId":"a#b=""#))
    }
}
