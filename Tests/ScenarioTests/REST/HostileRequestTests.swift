import Foundation
import HubClient
import NIOHTTP1
import Testing

@testable import ScenarioSupport

/// Requests that cannot be carried out: status, code, and a detail that names the field.
@Suite("Hostile input on the REST port")
struct HostileRequestTests {
    /// A request that differs from a good send in one thing.
    struct Case: Sendable {
        var name: String
        var status: Int
        var details: [String]
        var body = #"{"messageParam":"Hello"}"#
        var tags: String? = "World"
        var format = "template"
        var headers: [String: String] = [:]
        var token: (@Sendable (ConnectionFile) throws -> String)?
    }

    static let cases: [Case] = [
        Case(
            name: "unfinished tag expression",
            status: 400,
            details: ["ServiceBusNotification-Tags", "byte 8"],
            tags: "World &&"
        ),
        Case(
            name: "tag expression that is never closed",
            status: 400,
            details: ["ServiceBusNotification-Tags", "byte 0"],
            tags: "(World || Sports"
        ),
        Case(
            name: "too many tags",
            status: 400,
            details: ["ServiceBusNotification-Tags"],
            tags: (0..<21).map { "t\($0)" }.joined(separator: " || ")
        ),
        Case(name: "body that is not JSON", status: 400, details: ["body"], body: "Hello"),
        Case(name: "body that is cut", status: 400, details: ["body"], body: #"{"messageParam":"#),
        Case(name: "JSON that is no object", status: 400, details: ["body"], body: "[1]"),
        Case(
            name: "unknown format",
            status: 400,
            details: ["ServiceBusNotification-Format"],
            format: "pigeon"
        ),
        Case(
            name: "payload over the limit",
            status: 413,
            details: ["8192"],
            body: #"{"aps":{"alert":""# + String(repeating: "a", count: 8_200) + #""}}"#,
            format: "apple"
        ),
        Case(
            name: "body over the limit",
            status: 413,
            details: ["65536"],
            body: #"{"x":""# + String(repeating: "a", count: 70_000) + #""}"#
        ),
        Case(name: "forged token", status: 401, details: ["40103"]) { try Tokens.forged($0) },
        Case(name: "expired token", status: 401, details: ["40106"]) { try Tokens.expired($0) },
        Case(name: "token of another hub", status: 401, details: ["40104"]) {
            try Tokens.elsewhere($0)
        },
        Case(name: "token that is none", status: 401, details: ["40105"]) { _ in "Bearer abc" },
        Case(name: "Listen-only token", status: 403, details: ["Send"]) {
            try Tokens.listenOnly($0)
        },
    ]

    @Test("every wrong send gets its status and a detail")
    func send() async throws {
        let hub = try await RunningHub.start()
        let caller = try RESTCaller(hub.connection)
        for wrong in Self.cases {
            let answer = try await caller.send(
                wrong.body,
                format: wrong.format,
                tags: wrong.tags,
                headers: wrong.headers,
                authorization: try wrong.token?(hub.connection)
            )
            let shown = "\(wrong.name): \(answer.status) \(answer.text)"
            #expect(answer.status == wrong.status, "\(shown)")
            #expect(answer.text.contains("<Code>\(wrong.status)</Code>"), "\(shown)")
            for detail in wrong.details { #expect(answer.text.contains(detail), "\(shown)") }
            #expect(answer.headers["location"] == nil, "\(shown)")
        }
        let right = try await caller.send(#"{"messageParam":"Hello"}"#, tags: "World")
        #expect(right.status == 201)
        // The first place in the log: nothing of what was refused took one.
        #expect(right.headers["location"]?.contains("-1-1?") == true, "\(right.headers)")
        await caller.close()
    }

    @Test("no token, an unknown hub, an unknown path and a wrong method have their own answers")
    func resources() async throws {
        let hub = try await RunningHub.start()
        let caller = try RESTCaller(hub.connection)
        let full = hub.connection.connectionStrings.full
        let token = try caller.token(full)
        let none = try await caller.perform(.POST, "hub/messages", body: "{}", authorization: nil)
        #expect(none.status == 401)
        #expect(none.text.contains("40102"), "\(none.text)")
        // Whether a hub exists is told only to those who hold a key of the namespace.
        var string = try ConnectionString(parsing: full)
        #expect(try await Self.sendNowhere(caller, string) == 401)
        let file = URL(fileURLWithPath: hub.folder.file("namespace.json"))
        let rules = try JSONDecoder().decode([Rule].self, from: Data(contentsOf: file))
        let manager = try #require(rules.first)
        (string.keyName, string.key) = (manager.name, manager.primaryKey)
        #expect(try await Self.sendNowhere(caller, string) == 404)
        let path = try await caller.perform(.GET, "hub/nothing/here", authorization: token)
        #expect(path.status == 404, "\(path.text)")
        let method = try await caller.perform(.PATCH, "hub/messages", authorization: token)
        #expect(method.status == 405, "\(method.text)")
        await caller.close()
    }

    @Test(
        "a template that cannot be parsed is refused with its position",
        arguments: [
            (#"{"aps":{"alert":"$(messageParam)""#, "Template"), (#"{"aps": tru}"#, "Template"),
            (#"{"aps":{"alert":"$(message Param"}}"#, "Template"),
        ]
    )
    func template(_ template: String, _ word: String) async throws {
        let hub = try await RunningHub.start()
        let caller = try RESTCaller(hub.connection)
        let answer = try await Self.register(template, hub.connection, caller)
        #expect(answer.status == 400, "\(answer.text)")
        #expect(answer.text.contains(word), "\(answer.text)")
        #expect(answer.text.contains("byte "), "\(answer.text)")
        let good = try await Self.register(#"{"aps":{"alert":"$(m)"}}"#, hub.connection, caller)
        #expect(good.status == 200 || good.status == 201, "\(good.text)")
        await caller.close()
    }

    @Test("XML with a document type is refused before it is parsed")
    func documentType() async throws {
        let hub = try await RunningHub.start()
        let caller = try RESTCaller(hub.connection)
        let answer = try await caller.perform(
            .POST,
            "hub/registrations/",
            headers: ["Content-Type": "application/atom+xml;type=entry;charset=utf-8"],
            body: #"<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><entry>&a;</entry>"#,
            authorization: try caller.token(hub.connection.connectionStrings.full)
        )
        #expect(answer.status == 400, "\(answer.text)")
        await caller.close()
    }

    @Test("what is no TLS, or not HTTP inside it, is closed; the others are served")
    func strangers() async throws {
        let hub = try await RunningHub.start()
        let port = hub.connection.rest.port
        let plain = try await RawLink(hub.connection, port: port, .plain)
        await plain.write(Array("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        try await plain.closedByHub()
        let bytes = Array(plain.input.events.joined())
        #expect(bytes.isEmpty || bytes[0] == 0x15, "\(bytes)")

        let noise = try await RawLink(hub.connection, port: port, .tls(alpn: ["h2"]))
        await noise.write([UInt8](repeating: 0xA7, count: 64))
        try await noise.closedByHub()
        let words = try await RawLink(hub.connection, port: port, .tls(alpn: ["http/1.1"]))
        await words.write(Array("this is no request\r\n\r\n".utf8))
        try await words.closedByHub()
        let answer = String(decoding: words.input.events.joined(), as: UTF8.self)
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 400"), "\(answer)")

        let caller = try RESTCaller(hub.connection)
        let health = try await caller.perform(.GET, "healthz", authorization: nil)
        #expect(health.status == 200)
        await caller.close()
    }

    @Test("a handshake that is never finished is ended by the hub's deadline")
    func silence() async throws {
        let hub = try await RunningHub.start()
        let mute = try await RawLink(hub.connection, port: hub.connection.rest.port, .plain)
        // The header of a TLS record that never comes.
        await mute.write([0x16, 0x03, 0x01, 0x02, 0x00])
        try await mute.closedByHub()
        #expect(mute.input.events == [])
    }

    private struct Rule: Decodable {
        var name: String
        var primaryKey: String
    }

    /// The status of a send to a hub that does not exist.
    private static func sendNowhere(
        _ caller: RESTCaller,
        _ string: ConnectionString
    ) async throws -> Int {
        try await caller.perform(
            .POST,
            "nowhere/messages",
            headers: ["ServiceBusNotification-Format": "template"],
            body: "{}",
            authorization: try caller.token(string.text, path: "nowhere")
        ).status
    }

    /// Creates an Apple template registration.
    private static func register(
        _ template: String,
        _ connection: ConnectionFile,
        _ caller: RESTCaller
    ) async throws -> RESTCaller.Answer {
        try await caller.perform(
            .POST,
            "hub/registrations/",
            headers: ["Content-Type": "application/atom+xml;type=entry;charset=utf-8"],
            body: #"<?xml version="1.0" encoding="utf-8"?>"#
                + #"<entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml">"#
                + "<AppleTemplateRegistrationDescription "
                + #"xmlns:i="http://www.w3.org/2001/XMLSchema-instance" "#
                + #"xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect">"#
                + "<Tags>World</Tags><DeviceToken>\(String(repeating: "ab", count: 32))</DeviceToken>"
                + "<BodyTemplate><![CDATA[\(template)]]></BodyTemplate>"
                + "</AppleTemplateRegistrationDescription></content></entry>",
            authorization: try caller.token(connection.connectionStrings.full)
        )
    }
}
