import HubModel
import HubREST
import HubTags
import HubTemplates
import HubVocabulary
import Testing

private let connect = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"

/// Tags of text.
private func tagSet(_ tags: String...) -> TagSet { TagSet(tags.map { Array($0.utf8) }) }

@Suite("Registration answers")
struct RegistrationAnswerTests {
    @Test("are the reference's entry, byte for byte")
    func goldenEntry() async throws {
        let harness = RESTHarness()
        let token = "A1B2C3D4E5F60718293A4B5C6D7E8F90A1B2C3D4E5F60718293A4B5C6D7E8F90"
        let content = RegistrationContent(
            platform: .apple,
            handle: Array(token.utf8),
            tags: tagSet("World", "Politics"),
            template: TemplateDefinition(
                name: Array("simpleAPNSTemplate".utf8),
                body: Array(#"{"aps":{"alert":"$(messageParam)"}}"#.utf8),
                expiry: Array("0".utf8)
            )
        )
        let stored = Registration.sample(content, granted: tagSet("username:mara"))
        harness.hub.change { $0.registrations = [stored] }
        let id = "7001330912837465122-2214650983310098712-1"
        let url = "https://localhost/news/registrations/\(id)?api-version=2020-06"
        let reply = try await harness.send(.get, "/news/registrations/\(id)?api-version=2020-06")
        let expected =
            #"<entry a:etag="W/&quot;1&quot;" xmlns="http://www.w3.org/2005/Atom" "#
            + #"xmlns:a="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">"#
            + #"<id>\#(url)</id><title type="text">\#(id)</title>"#
            + "<published>2026-05-04T09:12:03Z</published><updated>2026-05-04T09:12:03Z</updated>"
            + #"<link rel="self" href="\#(url)"/><content type="application/xml">"#
            + #"<AppleTemplateRegistrationDescription xmlns="\#(connect)" "#
            + #"xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><ETag>1</ETag>"#
            + "<ExpirationTime>9999-12-31T23:59:59.999Z</ExpirationTime>"
            + "<RegistrationId>\(id)</RegistrationId><Tags>World,Politics,username:mara</Tags>"
            + "<DeviceToken>\(token)</DeviceToken>"
            + #"<BodyTemplate><![CDATA[{"aps":{"alert":"$(messageParam)"}}]]></BodyTemplate>"#
            + "<Expiry>0</Expiry><TemplateName>simpleAPNSTemplate</TemplateName>"
            + "</AppleTemplateRegistrationDescription></content></entry>"
        #expect(reply.body == expected)
        #expect(reply.status == 200)
        #expect(reply["Content-Type"] == "application/atom+xml; type=entry; charset=utf-8")
        #expect(reply["ETag"] == "W/\"1\"")
        #expect(reply["Content-Location"] == url)
    }

    @Test("omit what is empty and escape what is not")
    func escapes() async throws {
        let harness = RESTHarness()
        let content = RegistrationContent(
            platform: .windows,
            handle: Array("https://w/?a=1&b=<2>".utf8),
            tags: TagSet(),
            template: TemplateDefinition(
                name: [],
                body: Array("<a>]]>\r\n\u{1}]]]></a>".utf8),
                headers: [
                    NamedValue(name: Array("X-WNS-Type".utf8), value: Array("wns/toast".utf8))
                ]
            )
        )
        let stored = Registration.sample(
            content,
            id: Array("1-2-3".utf8),
            expires: Timestamp(milliseconds: 1_709_208_000_007)
        )
        harness.hub.change { $0.registrations = [stored] }
        let reply = try await harness.send(.get, "/news/registrations/1-2-3")
        let expected =
            "<ETag>1</ETag><ExpirationTime>2024-02-29T12:00:00.007Z</ExpirationTime>"
            + "<RegistrationId>1-2-3</RegistrationId>"
            + "<ChannelUri>https://w/?a=1&amp;b=&lt;2&gt;</ChannelUri>"
            + "<BodyTemplate><![CDATA[<a>]]]]><![CDATA[>]]>&#13;<![CDATA[\n\u{FFFD}"
            + "]]]]]><![CDATA[></a>]]></BodyTemplate>"
            + "<WnsHeaders><WnsHeader><Header>X-WNS-Type</Header><Value>wns/toast</Value>"
            + "</WnsHeader></WnsHeaders></WindowsTemplateRegistrationDescription>"
        #expect(reply.body.contains(expected), "\(reply.body)")
    }

    @Test(
        "never begin with a declaration, and hold empty elements only where clients need them",
        arguments: Platform.allCases
    )
    func compact(_ platform: Platform) async throws {
        let harness = RESTHarness()
        let content = RegistrationContent(
            platform: platform,
            handle: Array("h".utf8),
            tags: TagSet()
        )
        harness.hub.change { $0.registrations = [.sample(content, id: Array("1-2-3".utf8))] }
        let reply = try await harness.send(.get, "/news/registrations/1-2-3")
        let name = "<\(platform.registrationType)RegistrationDescription xmlns="
        #expect(reply.body.contains("<content type=\"application/xml\">\(name)"), "\(reply.body)")
        #expect(reply.body.hasPrefix("<entry "))
        let empty = reply.body.matches(of: /<(\w+)[^>\/]*><\/\1>/).map(\.output.1)
        switch platform {
        case .baidu: #expect(empty == ["BaiduUserId"])
        case .browser: #expect(empty == ["P256DH", "Auth"])
        default: #expect(empty == [], "\(reply.body)")
        }
        #expect(!reply.body.contains("> <"))
    }

    @Test("spell own handles as URIs where clients hold one, and read what they wrote")
    func ownHandles() async throws {
        let digits = String(repeating: "0A", count: 32)
        for (platform, member) in [
            (.windows, "<ChannelUri>urn:belfry:\(digits)</ChannelUri>"),
            (.windowsPhone, "<ChannelUri>urn:belfry:\(digits)</ChannelUri>"),
            (.apple, "<DeviceToken>\(digits)</DeviceToken>"),
            (.browser, "<Endpoint>\(digits)</Endpoint><P256DH></P256DH><Auth></Auth>"),
            (.baidu, "<BaiduUserId></BaiduUserId><BaiduChannelId>\(digits)</BaiduChannelId>"),
        ] as [(Platform, String)] {
            let harness = RESTHarness()
            let content = RegistrationContent(
                platform: platform,
                handle: Array(digits.utf8),
                tags: TagSet()
            )
            harness.hub.change { $0.registrations = [.sample(content, id: Array("1-2-3".utf8))] }
            let reply = try await harness.send(.get, "/news/registrations/1-2-3")
            #expect(reply.body.contains(member), "\(reply.body)")
            let again = try await harness.send(.put, "/news/registrations/1-2-3", body: reply.body)
            #expect(again.status == 200, "\(again.body)")
            #expect(harness.lastContent.map { String($0.handle) } == digits)
        }
    }

    @Test(
        "to a reservation mirror path casing and query",
        arguments: [
            (
                "/news/registrationids/?api-version=2020-06",
                "/news/registrationids/7001330912837465122-1-1?api-version=2020-06"
            ),
            (
                "/News/registrationIDs?api-version=2013-08",
                "/News/registrationIDs/7001330912837465122-1-1?api-version=2013-08"
            ),
            (
                "/news/REGISTRATIONIDS/?a=b&api-version=2014-09&c",
                "/news/REGISTRATIONIDS/7001330912837465122-1-1?api-version=2014-09&a=b&c"
            ),
            ("/news/registrationids", "/news/registrationids/7001330912837465122-1-1"),
        ]
    )
    func reserve(_ uri: String, _ location: String) async throws {
        let harness = RESTHarness()
        let reply = try await harness.send(.post, uri, token: "Listen")
        #expect(reply.status == 201)
        #expect(reply["Location"] == "https://localhost" + location)
        #expect(reply["Content-Length"] == "0")
        #expect(reply.body.isEmpty)
        // .NET takes the fourth segment, JavaScript the path's index 3.
        let path = try #require(reply["Location"]?.split(separator: "?").first)
        #expect(path.split(separator: "/", omittingEmptySubsequences: false).count == 6)
    }

    @Test("follow a device through create, update, conflict and delete")
    func lifeCycle() async throws {
        let harness = RESTHarness()
        let body = canonical("AppleRegistrationDescription", "<DeviceToken>AB</DeviceToken>")
        let created = try await harness.send(
            .post,
            "/news/Registrations/?api-version=2013-04",
            token: "Listen",
            body: body
        )
        #expect(created.status == 200)
        #expect(created["ETag"] == "W/\"1\"")
        let path = "/news/Registrations/7001330912837465122-1-1?api-version=2013-04"
        #expect(created["Content-Location"] == "https://localhost" + path)
        let expectations: [(String?, Int, String?)] = [
            (nil, 200, "W/\"2\""), ("*", 200, "W/\"3\""), ("\"3\"", 200, "W/\"4\""),
            ("W/\"4\"", 200, "W/\"5\""), ("5", 200, "W/\"6\""), ("W/6", 200, "W/\"7\""),
            ("\"6\"", 412, nil), ("nonsense", 412, nil), ("\"1\", \"7\"", 412, nil),
            ("18446744073709551616", 412, nil), ("-1", 412, nil),
        ]
        for (condition, status, etag) in expectations {
            let headers = condition.map { [("If-Match", $0)] } ?? []
            let reply = try await harness.send(.put, path, headers: headers, body: body)
            #expect(reply.status == status, "If-Match \(condition ?? "absent")")
            #expect(reply["ETag"] == etag, "If-Match \(condition ?? "absent")")
        }
        let refused = try await harness.send(.delete, path, headers: [("If-Match", "3")])
        #expect(refused.status == 412)
        let deleted = try await harness.send(.delete, path, token: "Listen")
        #expect(deleted.status == 200)
        #expect(deleted["Content-Length"] == "0")
        #expect(deleted["Content-Type"] == nil)
        #expect(try await harness.send(.get, path).status == 404)
        #expect(try await harness.send(.delete, path, headers: [("If-Match", "*")]).status == 404)
        #expect(try await harness.send(.put, path, body: body).status == 410)
        let unknown = try await harness.send(
            .put,
            "/news/registrations/9-9-9",
            headers: [("If-Match", "*")],
            body: body
        )
        #expect(unknown.status == 404)
    }
}
