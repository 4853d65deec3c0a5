import Foundation
import HubREST
import Testing

/// Tags with counts, dry runs of expressions and of sends: in front of the real directory.
@Suite("Own additions under $belfry")
struct InspectionRouteTests {
    private static let full = CoreHub.token("https://hub.example.net/news")

    /// A hub with registrations: three Apple templates, two native ones, one of Google.
    private static func hub() async throws -> CoreHub {
        let hub = try CoreHub()
        for number in 0..<3 {
            try await register(
                hub,
                "AppleTemplateRegistrationDescription",
                "<Tags>World,user:\(number)</Tags>"
                    + "<DeviceToken>\(String(repeating: "A\(number)", count: 32))</DeviceToken>"
                    + #"<BodyTemplate><![CDATA[{"aps":{"alert":"{$(m) + ' \#(number)'}"}}]]></BodyTemplate>"#
            )
        }
        for tag in ["World", "sport"] {
            try await register(
                hub,
                "AppleRegistrationDescription",
                "<Tags>\(tag)</Tags><DeviceToken>\(String(repeating: "C1", count: 32))</DeviceToken>"
            )
        }
        try await register(
            hub,
            "GcmRegistrationDescription",
            "<Tags>WORLD</Tags><GcmRegistrationId>short</GcmRegistrationId>"
        )
        return hub
    }

    private static func register(_ hub: CoreHub, _ type: String, _ content: String) async throws {
        let reply = try await HubRESTTests.ask(
            hub,
            .post,
            "/news/registrations",
            token: full,
            bytes: Array(canonical(type, content).utf8)
        )
        #expect(reply.status == 200, "\(reply.body)")
    }

    private static func ask(
        _ hub: CoreHub,
        _ path: String,
        post body: String? = nil,
        headers: [(String, String)] = []
    ) async throws -> Reply {
        let reply = try await HubRESTTests.ask(
            hub,
            body == nil ? .get : .post,
            "/news/%24belfry/\(path)",
            token: full,
            headers: headers,
            bytes: body.map { Array($0.utf8) }
        )
        let row = RouteTable.row(
            method: body == nil ? "GET" : "POST",
            target: "/news/$belfry/\(path)"
        )
        #expect(row?.statuses.contains(reply.status) == true, "\(path): \(reply.status)")
        return reply
    }

    @Test("list tags with their counts, by prefix and page by page")
    func tags() async throws {
        let hub = try await Self.hub()
        let all = try await Self.ask(hub, "tags")
        #expect(all["Content-Type"] == "application/json; charset=utf-8")
        let expected =
            #"{"tags":[{"registrations":1,"tag":"sport"},{"registrations":1,"tag":"user:0"},"#
            + #"{"registrations":1,"tag":"user:1"},{"registrations":1,"tag":"user:2"},"#
            + #"{"registrations":5,"tag":"World"}]}"#
        #expect(all.body == expected)
        let some = try await Self.ask(hub, "tags?prefix=WOR")
        #expect(some.body == #"{"tags":[{"registrations":5,"tag":"World"}]}"#)
        var query = "?$top=2"
        var found: [String] = []
        for _ in 0..<3 {
            let page = try await Self.ask(hub, "tags\(query)")
            let read = try JSONDecoder().decode(Page.self, from: Data(page.body.utf8))
            found += read.tags.map(\.tag)
            guard let token = read.continuationToken else {
                query = ""
                break
            }
            query = "?$top=2&ContinuationToken=\(token)"
        }
        #expect(query.isEmpty)
        #expect(found == ["sport", "user:0", "user:1", "user:2", "World"])
    }

    private struct Page: Decodable {
        struct Tag: Decodable {
            var tag: String
        }

        var continuationToken: String?
        var tags: [Tag]
    }

    @Test("count the audience of an expression and mask handles")
    func audience() async throws {
        let hub = try await Self.hub()
        let world = try await Self.ask(hub, "audience?tags=world+%26%26+!user:1&sample=0")
        let shares =
            #"{"kind":"native","platform":"apple","registrations":1},"#
            + #"{"kind":"template","platform":"apple","registrations":2},"#
            + #"{"kind":"native","platform":"gcm","registrations":1}"#
        #expect(
            world.body
                == #"{"platforms":[\#(shares)],"registrations":4,"sample":[],"withoutDevice":4}"#
        )
        let apple = try await Self.ask(hub, "audience?format=Apple")
        #expect(apple.body.contains(#""registrations":2,"sample":[{"handle":"C1C1…","id":""#))
        #expect(!apple.body.contains("C1C1C1"))
        let short = try await Self.ask(hub, "audience?format=gcm")
        #expect(short.body.contains(#""handle":"…""#) && !short.body.contains("short"))
    }

    @Test("show who would receive a send, with the text that each would get, and send nothing")
    func preview() async throws {
        let hub = try await Self.hub()
        let template = try await Self.ask(
            hub,
            "preview?sample=2",
            post: #"{"m":"say \"hi\""}"#,
            headers: [
                ("ServiceBusNotification-Format", "template"),
                ("ServiceBusNotification-Tags", "world"),
            ]
        )
        let read = try JSONDecoder().decode(Preview.self, from: Data(template.body.utf8))
        #expect(read.registrations == 3)
        #expect(
            read.sample.map(\.text) == [
                #"{"aps":{"alert":"say \"hi\" 0"}}"#, #"{"aps":{"alert":"say \"hi\" 1"}}"#,
            ]
        )
        #expect(read.sample.map(\.bytes) == read.sample.map { $0.text?.utf8.count })
        let native = try await Self.ask(
            hub,
            "preview",
            post: #"{"aps":{}}"#,
            headers: [("ServiceBusNotification-Format", "apple")]
        )
        let plain = try JSONDecoder().decode(Preview.self, from: Data(native.body.utf8))
        #expect(plain.sample.map(\.text) == [#"{"aps":{}}"#, #"{"aps":{}}"#])
        // A rendered text over the limit is told, not shown.
        let long = String(repeating: "a", count: 8_192)
        let large = try await Self.ask(hub, "preview?sample=1", post: #"{"m":"\#(long)"}"#)
        let told = try JSONDecoder().decode(Preview.self, from: Data(large.body.utf8))
        #expect(told.sample.map(\.problem) == ["The rendered text is too large."])
        #expect(told.sample.map(\.text) == [nil])
        let sent = try await HubRESTTests.ask(
            hub,
            .post,
            "/news/messages",
            token: Self.full,
            bytes: Array("{}".utf8)
        )
        #expect(sent["Location"]?.hasSuffix("-1-1") == true, "the first place in the log is free")
    }

    private struct Preview: Decodable {
        struct Entry: Decodable {
            var bytes: Int?
            var problem: String?
            var text: String?
        }

        var registrations: Int
        var sample: [Entry]
    }

    @Test(
        "refuse what they cannot read, by name",
        arguments: [
            ("tags?$top=0", "$top"), ("tags?$top=x", "$top"),
            ("tags?continuationtoken=xyz", "ContinuationToken"),
            ("tags?continuationtoken=abc", "ContinuationToken"),
            ("audience?tags=a+%26%26", "tags"), ("audience?format=pigeon", "format"),
            ("audience?sample=101", "sample"), ("audience?sample=-1", "sample"),
            ("audience?sample=%2B1x", "sample"),
        ]
    )
    func refusals(_ path: String, _ field: String) async throws {
        let hub = try CoreHub()
        let reply = try await Self.ask(hub, path)
        #expect(reply.status == 400, "\(reply.body)")
        #expect(reply.body.contains("SubCode=40000. \(field): "), "\(reply.body)")
    }

    @Test("refuse a preview of what would be refused as a send")
    func refusedPreviews() async throws {
        let hub = try CoreHub()
        for (body, headers, word) in [
            ("no JSON", [], "body"),
            ("{}", [("ServiceBusNotification-Tags", "a &&")], "ServiceBusNotification-Tags"),
        ] as [(String, [(String, String)], String)] {
            let reply = try await Self.ask(hub, "preview", post: body, headers: headers)
            #expect(reply.status == 400, "\(reply.body)")
            #expect(reply.body.contains(word), "\(reply.body)")
        }
        let direct = try await Self.ask(hub, "preview?direct", post: "{}")
        #expect(direct.status == 400)
        #expect(direct.body.contains("direct: "), "\(direct.body)")
    }
}
