import HubClient
import HubREST
import NIOHTTP1
import Testing

@testable import ScenarioSupport

/// Requests of every operation that are wrong as HTTP, in their bodies or in their headers: each
/// gets a documented answer, and the hub goes on.
@Suite("Bad input to every operation")
struct BadInputTests {
    /// A running hub, a token for everything on it, and one for making more hubs.
    private struct Given {
        let hub: RunningHub
        let token: String
        private let namespaceToken: String

        init() async throws {
            hub = try await RunningHub.start()
            let caller = try RESTCaller(hub.connection)
            let strings = hub.connection.connectionStrings
            token = try caller.token(strings.full)
            namespaceToken = try caller.token(try #require(strings.namespace))
            await caller.close()
        }

        /// What reaches the body of an operation; nothing here can delete the hub.
        func token(for row: RouteRow) -> String {
            guard row.isOfNamespace, case .read = row.body else { return token }
            return namespaceToken
        }

        /// Asks with the token, and expects what the operation documents.
        func ask(
            _ row: RouteRow,
            _ name: String,
            path: String? = nil,
            query: String = "api-version=2020-06",
            headers: [String] = [],
            body: String? = nil,
            _ location: SourceLocation = #_sourceLocation
        ) async throws -> RawExchange {
            let selector: [String] =
                switch row.when {
                case .always: []
                case .flag(let name): [name]
                case .present(let name): ["\(name)=ChannelUri+eq+'x'"]
                }
            let target =
                "\(path ?? BadInputTests.path(row))?\((selector + [query]).joined(separator: "&"))"
            let answer = try await RawExchange.send(
                row.method,
                target,
                headers: ["Authorization: \(token(for: row))"] + headers,
                body: body,
                to: hub.connection
            )
            let shown = "\(name), \(row.name): \(answer.head.first ?? "closed") \(answer.body)"
            if let status = answer.status {
                #expect(row.statuses.contains(status), "\(shown)", sourceLocation: location)
                #expect(status < 500, "\(shown)", sourceLocation: location)
            } else {
                Issue.record("\(shown)", sourceLocation: location)
            }
            return answer
        }

        /// The hub still says that all is well.
        func expectHealth() async throws {
            let health = try await RawExchange.send("GET", "/healthz", to: hub.connection)
            #expect(health.status == 200, "\(health.body)")
            #expect(try await hub.terminate() == 0)
        }
    }

    private static let rows = RouteTable.rows
    private static let reading = rows.filter { if case .read = $0.body { true } else { false } }

    private static func path(_ row: RouteRow) -> String {
        let path = row.path.description.split(separator: "/").map { part in
            switch part {
            case "{hub}": "/hub"
            case _ where part.hasPrefix("{"): "/1-2-3"
            default: "/\(part)"
            }
        }.joined()
        return path.isEmpty ? "/" : path
    }

    private static func example(_ row: RouteRow) -> String? {
        if case .read(let note) = row.body { note.example ?? "" } else { nil }
    }

    @Test("a body over the limit is 413, announced or in chunks, and is not read to its end")
    func large() async throws {
        let given = try await Given()
        for row in Self.reading {
            guard case .read(let note) = row.body else { continue }
            let limit = note.bytesMax ?? 65_536
            // Announced only: who waited for the body would wait for ever.
            let announced = try await given.ask(
                row,
                "announced",
                headers: ["Content-Length: \(limit + 1)"]
            )
            #expect(announced.status == 413, "\(row.name): \(announced.body)")
            #expect(announced.body.contains("SubCode=41300."), "\(row.name): \(announced.body)")
            guard limit <= 65_536 else { continue }
            let piece = String(repeating: "a", count: limit + 1)
            let chunks = "\(String(limit + 1, radix: 16))\r\n\(piece)\r\n0\r\n\r\n"
            let streamed = try await Self.chunked(given, row, chunks)
            #expect(streamed.status == 413, "\(row.name): \(streamed.body)")
        }
        try await given.expectHealth()
    }

    private static func chunked(
        _ given: Given,
        _ row: RouteRow,
        _ body: String
    ) async throws -> RawExchange {
        let flag = if case .flag(let name) = row.when { "?\(name)" } else { "" }
        let text =
            "\(row.method) \(path(row))\(flag) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + "Authorization: \(given.token(for: row))\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"
        return try await RawExchange.send(Array(text.utf8), to: given.hub.connection)
    }

    @Test("a body that is missing, cut, of another kind or no text is refused with a reason")
    func malformed() async throws {
        let given = try await Given()
        let bodies: [(String, String?)] = [
            ("no length and no body", nil), ("empty", ""), ("blank", "  \r\n "),
            ("cut XML", "<entry"),
            ("XML of something else", "<a xmlns='b'><c/></a>"), ("cut JSON", #"{"a":"#),
            ("JSON list", "[1,2]"), ("number", "1"), ("null", "null"), ("NUL", "{\"a\":\"\u{0}\"}"),
            ("document type", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"),
            ("deep", String(repeating: "[", count: 20_000)),
            ("deep XML", String(repeating: "<a>", count: 10_000)),
        ]
        for row in Self.reading {
            for (name, body) in bodies {
                let answer = try await given.ask(row, name, body: body)
                guard let status = answer.status, status >= 400 else { continue }
                #expect(answer.body.hasPrefix("<Error><Code>\(status)</Code><Detail>SubCode="))
            }
        }
        try await given.expectHealth()
    }

    @Test("a body that the head does not announce is 411, over HTTP/1.1 alone")
    func withoutLength() async throws {
        let given = try await Given()
        for row in Self.reading where row.method != "GET" {
            let answer = try await given.ask(row, "no length", body: nil)
            #expect(answer.status == 411, "\(row.name): \(answer.head)")
            #expect(answer.body.hasPrefix("<Error><Code>411</Code><Detail>SubCode=41100."))
        }
        let caller = try RESTCaller(given.hub.connection)
        let path = "\(given.hub.connection.hub)/messages"
        let token = try caller.token(given.hub.connection.connectionStrings.full)
        let stream = try await caller.perform(.POST, path, authorization: token)
        #expect(stream.version.major == 2 && stream.status == 400, "\(stream)")
        let reserved = try await RawExchange.send(
            "POST",
            "/\(given.hub.connection.hub)/registrationids",
            headers: ["Authorization: \(token)"],
            to: given.hub.connection
        )
        #expect(reserved.status == 201, "what reads no body needs no length")
        await caller.close()
        try await given.expectHealth()
    }

    @Test("a Content-Type is never a reason to refuse")
    func contentTypes() async throws {
        let given = try await Given()
        for row in Self.reading {
            guard case .read(let note) = row.body, let example = note.example,
                let usual = note.types.first
            else { continue }
            let right = try await given.ask(
                row,
                "usual type",
                headers: ["Content-Type: \(usual)"],
                body: example
            )
            for type in ["text/plain", "image/png; charset=\"", "", "a", "multipart/mixed"]
            where !usual.hasPrefix("multipart/") {
                let answer = try await given.ask(
                    row,
                    "type '\(type)'",
                    headers: ["Content-Type: \(type)"],
                    body: example
                )
                #expect(answer.status == right.status, "\(row.name), '\(type)': \(answer.body)")
            }
        }
        try await given.expectHealth()
    }

    @Test("headers that are there twice get a documented answer, two tokens none but 401")
    func duplicates() async throws {
        let given = try await Given()
        for row in Self.rows where row.right != nil {
            let body = Self.example(row)
            let token = try await given.ask(
                row,
                "two tokens",
                headers: ["Authorization: \(given.token)"],
                body: body
            )
            #expect(token.status == 401, "\(row.name): \(token.body)")
            for pair in [
                ["If-Match: *", "If-Match: W/\"1\""], ["Content-Type: a", "Content-Type: b"],
                ["TrackingId: a", "TrackingId: b"],
                ["ServiceBusNotification-Tags: a", "ServiceBusNotification-Tags: b"],
                ["ServiceBusNotification-Format: apple", "ServiceBusNotification-Format: gcm"],
            ] {
                _ = try await given.ask(row, "\(pair)", headers: pair, body: body)
            }
        }
        let lengths = try await RawExchange.send(
            "POST",
            "/hub/messages",
            headers: ["Authorization: \(given.token)", "Content-Length: 4", "Content-Length: 2"],
            to: given.hub.connection
        )
        #expect(lengths.status == nil || lengths.status == 400, "\(lengths.head)")
        try await given.expectHealth()
    }

    @Test("1,500 headers, or one that is too long, end the request, not the hub")
    func manyHeaders() async throws {
        let given = try await Given()
        let many = (0..<1_500).map { "X-\($0): v" }
        let long = ["X-Long: \(String(repeating: "a", count: 70_000))"]
        for headers in [many, long] {
            for (method, target) in [("GET", "/healthz"), ("POST", "/hub/messages")] {
                let answer = try await RawExchange.send(
                    method,
                    target,
                    headers: headers,
                    to: given.hub.connection
                )
                let isRefused = answer.status.map { (400..<500).contains($0) } ?? true
                #expect(isRefused, "\(answer.head)")
            }
        }
        try await given.expectHealth()
    }

    @Test("line ends in values reach no header and no other line")
    func lineEnds() async throws {
        let given = try await Given()
        let evil = "%0d%0aX-Evil:%20yes"
        for row in Self.rows where row.right != nil {
            let path = Self.path(row).replacing("1-2-3", with: "1-2-3\(evil)")
            let answer = try await given.ask(
                row,
                "encoded line end",
                path: path,
                query: "api-version=2020-06\(evil)&ContinuationToken=\(evil)&prefix=\(evil)",
                body: Self.example(row)
            )
            #expect(answer["X-Evil"] == nil, "\(row.name): \(answer.head)")
        }
        for value in ["a\rb", "a\nb", "a\u{0}b", "a\r\n b"] {
            let answer = try await RawExchange.send(
                "GET",
                "/healthz",
                headers: ["TrackingId: \(value)"],
                to: given.hub.connection
            )
            let isPlain = answer["TrackingId"]?.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ?? true
            #expect(isPlain, "\(answer.head)")
            #expect(answer.status == nil || answer.status == 200 || answer.status == 400)
        }
        try await given.expectHealth()
    }

    @Test("any api-version is served, and none")
    func versions() async throws {
        let given = try await Given()
        for row in Self.rows {
            var statuses: Set<Int?> = []
            for query in [
                "api-version=2020-06", "api-version=1999-99", "api-version=", "", "api-version",
            ] {
                let answer = try await given.ask(row, query, query: query, body: Self.example(row))
                statuses.insert(answer.status)
            }
            // Creating twice is no different; deleting and creating under one id is.
            #expect(
                statuses.count == 1 || row.path.parameters.count > 1,
                "\(row.name): \(statuses)"
            )
        }
        try await given.expectHealth()
    }

    @Test("a path or method that does not exist is 404 or 405, with or without a token")
    func nowhere() async throws {
        let given = try await Given()
        for headers in [[], ["Authorization: \(given.token)"]] {
            for target in [
                "/", "/hub/nothing", "/hub/messages/a/b", "//", "/hub/../healthz", "/%00",
                "/hub/%2e%2e/healthz",
            ] {
                let answer = try await RawExchange.send(
                    "GET",
                    target,
                    headers: headers,
                    to: given.hub.connection
                )
                #expect([401, 404].contains(answer.status), "\(target): \(answer.head)")
            }
            // HTTP/1.1's parser knows no such word.
            let brew = try await RawExchange.send(
                "BREW",
                "/hub/messages",
                headers: headers,
                to: given.hub.connection
            )
            #expect([400, 405].contains(brew.status), "\(brew.head)")
            for resource in RouteTable.resources {
                guard let row = resource.rows.first else { continue }
                for method in ["OPTIONS", "TRACE", "PATCH"]
                where !resource.allowed.contains(method) {
                    let answer = try await RawExchange.send(
                        method,
                        Self.path(row),
                        headers: headers,
                        to: given.hub.connection
                    )
                    #expect(answer.status == 405, "\(method) \(resource.path): \(answer.head)")
                    #expect(answer["Allow"] == resource.allowed.joined(separator: ", "))
                }
            }
        }
        try await given.expectHealth()
    }
}
