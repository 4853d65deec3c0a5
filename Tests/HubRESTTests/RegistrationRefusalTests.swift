import HubTestSupport
import Testing

@Suite("Registration bodies that are refused")
struct RegistrationRefusalTests {
    private static let apple = "AppleRegistrationDescription"
    private static let token = "<DeviceToken>AB</DeviceToken>"

    static let bodies: [RequestShape] = [
        RequestShape(client: "empty", body: "", stored: "Body: is empty."),
        RequestShape(client: "blank", body: " \r\n\t", stored: "Body: is empty."),
        RequestShape(client: "JSON", body: "{}", stored: "Body: is not well-formed XML near line"),
        RequestShape(client: "cut off", body: "<entry><content>", stored: "is not well-formed"),
        RequestShape(
            client: "Java's stray closing tag",
            body: canonical(apple, token + "</WnsHeaders>"),
            stored: "is not well-formed XML near line"
        ),
        RequestShape(
            client: "bare ampersand",
            body: canonical(apple, token + "<Tags>a&b</Tags>"),
            stored: "is not well-formed"
        ),
        RequestShape(
            client: "undeclared entity",
            body: canonical(apple, "<DeviceToken>&secret;</DeviceToken>"),
            stored: "is not well-formed"
        ),
        RequestShape(
            client: "document type",
            body: "<!DOCTYPE entry [<!ENTITY a \"b\">]><entry>&a;</entry>",
            stored: "document type or entity declaration"
        ),
        RequestShape(
            client: "document type in lower case, after a declaration",
            body: "<?xml version=\"1.0\"?><!doctype x><entry/>",
            stored: "document type or entity declaration"
        ),
        RequestShape(
            client: "an entity bomb",
            body: "<?xml version=\"1.0\"?><!DOCTYPE l [<!ENTITY a \"aaaaaaaa\">"
                + "<!ENTITY b \"&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;\">]><entry>&c;</entry>",
            stored: "document type or entity declaration"
        ),
        RequestShape(
            client: "an encoding that hides a document type",
            body: "<?xml version=\"1.0\" encoding=\"UTF-7\"?>+ADwAIQ-DOCTYPE x+AD4-<entry/>",
            stored: "declares the encoding 'utf-7'; UTF-8 and UTF-16 are known."
        ),
        RequestShape(
            client: "an encoding behind a line's end",
            body: "<?xml\nversion=\"1.0\" encoding=\"UTF-7\"?>+ADwAIQ-DOCTYPE x+AD4-<entry/>",
            stored: "declares the encoding 'utf-7'; UTF-8 and UTF-16 are known."
        ),
        RequestShape(
            client: "a second encoding in a declaration",
            body: "<?xml version='1.0' encoding='utf-8' encoding='utf-7'?><entry/>",
            stored: "declares the encoding 'utf-7'; UTF-8 and UTF-16 are known."
        ),
        RequestShape(
            client: "an encoding in a second declaration",
            body: "<?xml version=\"1.0\"?><?xml version=\"1.0\" encoding=\"UTF-7\"?>"
                + "+ADwAIQ-DOCTYPE x+AD4-<entry/>",
            stored: "two XML declarations"
        ),
        RequestShape(
            client: "an open declaration",
            body: "<?xml version='1.0' ",
            stored: "declaration that does not end."
        ),
        RequestShape(
            client: "a control character",
            body: canonical(apple, "<DeviceToken>A\u{1}B</DeviceToken>"),
            stored: "control characters"
        ),
        RequestShape(
            client: "NUL bytes of another encoding",
            body: "<\0e\0/\0>\0",
            stored: "control characters"
        ),
        RequestShape(
            client: "another root",
            body: "<feed/>",
            stored: "entry: must be the root element."
        ),
        RequestShape(client: "no content", body: "<entry/>", stored: "content: is missing."),
        RequestShape(
            client: "empty content",
            body: "<entry><content>text</content></entry>",
            stored: "content: holds no registration description."
        ),
        RequestShape(
            client: "an unknown description",
            body: canonical("NokiaXRegistrationDescription", token),
            stored: "content: is not a known registration description."
        ),
        RequestShape(
            client: "a base type without i:type",
            body: canonical("RegistrationDescription", token),
            stored: "RegistrationDescription: needs an 'i:type' attribute."
        ),
        RequestShape(
            client: "no handle",
            body: canonical(apple, "<Tags>a</Tags>"),
            stored: "DeviceToken: is missing or empty."
        ),
        RequestShape(
            client: "a nil handle",
            body: canonical("GcmRegistrationDescription", "<GcmRegistrationId i:nil='true'/>"),
            stored: "GcmRegistrationId: is missing or empty."
        ),
        RequestShape(
            client: "a user but no channel",
            body: canonical("BaiduRegistrationDescription", "<BaiduUserId>u</BaiduUserId>"),
            stored: "BaiduChannelId: is missing or empty."
        ),
        RequestShape(
            client: "a browser without keys",
            body: canonical("BrowserRegistrationDescription", "<Endpoint>https://b</Endpoint>"),
            stored: "P256DH: is missing or empty."
        ),
        RequestShape(
            client: "a template without body",
            body: canonical("AppleTemplateRegistrationDescription", token),
            stored: "BodyTemplate: is missing or empty."
        ),
        RequestShape(
            client: "two handles",
            body: canonical(apple, token + token),
            stored: "DeviceToken: appears more than once."
        ),
        RequestShape(
            client: "push variables that are no strings",
            body: canonical(apple, token + "<PushVariables>{\"a\":1}</PushVariables>"),
            stored: "PushVariables: is not a JSON object of strings."
        ),
        RequestShape(
            client: "push variables that are no object",
            body: canonical(apple, token + "<PushVariables>[]</PushVariables>"),
            stored: "PushVariables: is not a JSON object of strings."
        ),
    ]

    @Test("say what is wrong where", arguments: bodies)
    func refuse(_ shape: RequestShape) async throws {
        let harness = RESTHarness()
        let reply = try await harness.send(.post, "/news/registrations", body: shape.body)
        #expect(reply.status == 400)
        let text = reply.body.replacing("&gt;", with: ">").replacing("&lt;", with: "<")
        #expect(text.contains(shape.stored), "\(reply.body)")
        #expect(text.hasPrefix("<Error><Code>400</Code><Detail>SubCode=40000. "), "\(reply.body)")
        #expect(harness.hub.read { $0.requests.isEmpty })
    }

    @Test(
        "are not UTF-8",
        arguments: [
            [0xFF, 0xFE, 0x3C, 0x00, 0x65, 0x00], [0x3C, 0x65, 0xE4, 0x2F, 0x3E],
            [0x3C, 0x65, 0x3E, 0xED, 0xA0, 0x80, 0x3C], [0x4C, 0x6F, 0xA7, 0x94],
        ] as [[UInt8]]
    )
    func notUTF8(_ bytes: [UInt8]) async throws {
        let harness = RESTHarness()
        let reply = try await harness.send(.post, "/news/registrations", bytes: bytes)
        #expect(reply.status == 400)
        #expect(reply.body.contains("Body: is not UTF-8."), "\(reply.body)")
    }

    @Test("are nested too deep or have too many elements or attributes")
    func bounds() async throws {
        let harness = RESTHarness()
        func status(_ members: String) async throws -> (Int, String) {
            let reply = try await harness.send(
                .post,
                "/news/registrations",
                body: canonical(Self.apple, Self.token + members)
            )
            return (reply.status, reply.body)
        }
        func nested(_ depth: Int) -> String {
            String(repeating: "<x>", count: depth) + String(repeating: "</x>", count: depth)
        }
        func many(_ count: Int) -> String {
            "<x>" + String(repeating: "<y/>", count: count) + "</x>"
        }
        func attributes(_ count: Int) -> String {
            "<x \((0..<count).map { "a\($0)=\"\"" }.joined(separator: " "))/>"
        }
        // Three levels and four elements are there already.
        #expect(try await status(nested(13)).0 == 200)
        let deep = try await status(nested(14))
        #expect(deep.0 == 400 && deep.1.contains("nested deeper than 16"), "\(deep.1)")
        #expect(try await status(many(507)).0 == 200)
        let full = try await status(many(508))
        #expect(full.0 == 400 && full.1.contains("more than 512 elements"), "\(full.1)")
        #expect(try await status(attributes(32)).0 == 200)
        let wide = try await status(attributes(33))
        #expect(wide.0 == 400 && wide.1.contains("more than 32 attributes"), "\(wide.1)")
    }

    static let brokenRules: [RequestShape] = [
        RequestShape(
            client: "Apple",
            body: "<DeviceToken>xyz</DeviceToken>",
            stored: "DeviceToken: must be"
        ),
        RequestShape(
            client: "Windows",
            body: "<ChannelUri>no address</ChannelUri>",
            stored: "ChannelUri: must be an absolute URI"
        ),
        RequestShape(
            client: "Apple",
            body: token + "<Tags>a b</Tags>",
            stored: "Tags: An invalid tag(s) '"
        ),
        RequestShape(
            client: "Apple",
            body: token + "<Tags>$InstallationId:{x}</Tags>",
            stored: "Tags: Tags can not start with $."
        ),
        RequestShape(
            client: "AppleTemplate",
            body: token + "<BodyTemplate>{\"a\":\"$(b\"}</BodyTemplate>",
            stored: "BodyTemplate: "
        ),
        RequestShape(
            client: "WindowsTemplate",
            body: "<ChannelUri>https://w/1</ChannelUri><BodyTemplate>no XML</BodyTemplate>",
            stored: "BodyTemplate: "
        ),
    ]

    @Test("break a rule of the core", arguments: brokenRules)
    func rule(_ shape: RequestShape) async throws {
        let harness = RESTHarness()
        let body = canonical("\(shape.client)RegistrationDescription", shape.body)
        let reply = try await harness.send(.post, "/news/registrations", body: body)
        #expect(reply.status == 400)
        #expect(reply.body.contains("SubCode=40000. \(shape.stored)"), "\(reply.body)")
        #expect(harness.hub.read { $0.requests.isEmpty })
    }

    @Test("are any damaged body, and never more than refused", arguments: 0..<40)
    func damaged(seed: UInt64) async throws {
        let harness = RESTHarness()
        var random = SeededGenerator(seed: seed)
        for round in 0..<50 {
            let shape = RegistrationRequestTests.shapes.randomElement(using: &random)
            let bytes = DamagedBody.of(try #require(shape).body, using: &random)
            let reply = try await harness.send(.post, "/news/registrations", bytes: bytes)
            let text = String(bytes)
            #expect([200, 400].contains(reply.status), "seed \(seed), round \(round): \(text)")
            // Whatever was accepted is written so that it can be read again.
            guard reply.status == 200, let stored = harness.lastContent?.summary else { continue }
            let again = try await harness.send(.post, "/news/registrations", body: reply.body)
            #expect(again.status == 200, "seed \(seed), round \(round): \(text)")
            #expect(harness.lastContent?.summary == stored, "seed \(seed), round \(round)")
        }
    }

    @Test("have more tags than 8,000 bytes")
    func tagBytes() async throws {
        let harness = RESTHarness()
        func status(_ tags: String) async throws -> (Int, String) {
            let reply = try await harness.send(
                .post,
                "/news/registrations",
                body: canonical(Self.apple, Self.token + "<Tags>\(tags)</Tags>")
            )
            return (reply.status, reply.body)
        }
        let fits = String(repeating: "aaa,", count: 1_999) + "aaaa"
        #expect(fits.utf8.count == 8_000)
        #expect(try await status(fits).0 == 200)
        let long = try await status(fits + "b")
        #expect(long.0 == 400)
        #expect(long.1.contains("Actual Size: '8001' and Max Allowed Size: '8000'"), "\(long.1)")
    }
}
