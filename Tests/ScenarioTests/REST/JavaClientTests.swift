import AsyncHTTPClient
import Crypto
import Foundation
import HubClient
import NIOHTTP1
import Testing

@testable import ScenarioSupport

/// Requests as the Java SDK writes them, answers read as it reads them.
///
/// Source: azure-notificationhubs-java-backend 1.x. Its HTTP library asks for HTTP/2 where the
/// server offers it, and speaks HTTP/1.1 on Java runtimes without ALPN. It signs whole addresses,
/// query included, takes one status alone for success, and compares unprefixed names.
private struct JavaClient {
    static let connect = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"
    static let atom = ["Content-Type": "application/atom+xml"]
    static let json = ["Content-Type": "application/json"]

    let connection: ConnectionFile
    let caller: RESTCaller
    let version: HTTPVersion

    init(_ connection: ConnectionFile, isHTTP2: Bool) throws {
        self.connection = connection
        caller = try RESTCaller(connection, version: isHTTP2 ? .automatic : .http1Only)
        version = isHTTP2 ? .http2 : .http1_1
    }

    /// A request that has to be answered with one of these statuses, over the version meant.
    func ask(
        _ method: HTTPMethod,
        _ path: String,
        query: String = "",
        headers: [String: String] = [:],
        body: String? = nil,
        is statuses: Int...
    ) async throws -> RESTCaller.Answer {
        let path = "\(connection.hub)/\(path)"
        let url = "https://localhost:\(connection.rest.port)/\(path)?api-version=2020-06\(query)"
        let own = [
            "TrackingId": UUID().uuidString.lowercased(),
            "User-Agent": "NHub/2020-06 (api-origin=JavaSDK;os=Linux;)",
        ]
        let answer = try await caller.perform(
            method,
            path,
            query: query,
            headers: own.merging(headers) { _, given in given },
            body: body,
            authorization: try token(url)
        )
        #expect(statuses.contains(answer.status), "\(method) \(path): \(answer)")
        #expect(answer.version == version, "\(method) \(path)")
        #expect(answer.headers["trackingid"] == own["TrackingId"], "\(method) \(path)")
        return answer
    }

    /// As `URLEncoder` writes an address in lower case: hexadecimal digits are lower case too.
    private func token(_ url: String) throws -> String {
        let string = try ConnectionString(parsing: connection.connectionStrings.full)
        let audience = Self.encoded(url.lowercased()).lowercased()
        let expiry = Int(Date().timeIntervalSince1970) + 3_600
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("\(audience)\n\(expiry)".utf8),
            using: SymmetricKey(data: Array(string.key.utf8))
        )
        let signature = Self.encoded(Data(code).base64EncodedString())
        return "SharedAccessSignature sr=\(audience)&sig=\(signature)&se=\(expiry)"
            + "&skn=\(string.keyName)"
    }

    private static func encoded(_ text: String) -> String {
        let kept = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: ".-*_"))
        return text.addingPercentEncoding(withAllowedCharacters: kept) ?? text
    }

    /// An entry with a description of a kind.
    static func entry(_ kind: String, _ members: String) -> String {
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><entry xmlns=\"http://www.w3.org/2005/Atom\">"
            + "<content type=\"application/xml\"><\(kind)RegistrationDescription "
            + "xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns=\"\(connect)\">"
            + "\(members)</\(kind)RegistrationDescription></content></entry>"
    }

    /// The text of the first element with an unprefixed name.
    static func text(_ name: String, in document: String) throws -> String {
        let start = try #require(document.firstRange(of: "<\(name)>"), "no \(name): \(document)")
        let rest = document[start.upperBound...]
        let end = try #require(rest.firstRange(of: "</\(name)>"))
        return String(rest[..<end.lowerBound])
    }

    /// The last part of an address's path.
    static func identifier(of answer: RESTCaller.Answer) throws -> String {
        let location = try #require(answer.headers["location"], "\(answer)")
        let path = location.prefix { $0 != "?" }
        return String(try #require(path.split(separator: "/").last))
    }
}

@Suite("The Java SDK of the cloud service, replayed")
struct JavaClientTests {
    /// Over HTTP/2 and over HTTP/1.1, each against a hub of its own.
    private static func run(
        isHTTP2: Bool,
        _ body: (JavaClient) async throws -> Void
    ) async throws {
        try await HostedHub.run { hub in
            let client = try JavaClient(hub.connection, isHTTP2: isHTTP2)
            do { try await body(client) } catch {
                await client.caller.close()
                throw error
            }
            await client.caller.close()
        }
    }

    @Test("registers, pages, changes and deletes", arguments: [true, false])
    func registrations(isHTTP2: Bool) async throws {
        try await Self.run(isHTTP2: isHTTP2) { client in
            let reserved = try await client.ask(.POST, "registrationids", is: 201)
            let location = try #require(reserved.headers["location"])
            #expect(location.contains("/registrationids/"), "it looks for this spelling")
            let content = "<Tags>World</Tags><GcmRegistrationId>token-2</GcmRegistrationId>"
            let body = JavaClient.entry("Gcm", content)
            let atom = JavaClient.atom
            let made = try await client.ask(
                .POST,
                "registrations",
                headers: atom,
                body: body,
                is: 200
            )
            let id = try JavaClient.text("RegistrationId", in: made.text)
            let changed = try await client.ask(
                .PUT,
                "registrations/\(id)",
                headers: atom.merging(["If-Match": "W/\"1\""]) { first, _ in first },
                body: body.replacing("World", with: "World,Sport"),
                is: 200
            )
            #expect(changed.headers["etag"] == "W/\"2\"")
            #expect(try JavaClient.text("ETag", in: changed.text) == "2")
            _ = try await client.ask(.GET, "registrations/\(id)", is: 200)
            for number in 0..<3 {
                let uri =
                    "<Tags>paged</Tags><ChannelUri>https://push.example.net/\(number)</ChannelUri>"
                let body = JavaClient.entry("Windows", uri)
                _ = try await client.ask(.POST, "registrations", headers: atom, body: body, is: 200)
            }
            var seen = 0
            var token: String? = ""
            while let known = token {
                // Pastes the token into the next address as it stands.
                let more = known.isEmpty ? "" : "&ContinuationToken=\(known)"
                let page = try await client.ask(
                    .GET,
                    "tags/paged/registrations",
                    query: "&$top=2\(more)",
                    is: 200
                )
                seen +=
                    page.text.components(separatedBy: "<WindowsRegistrationDescription ").count - 1
                token = page.headers["x-ms-continuationtoken"]
            }
            #expect(seen == 3)
            let condition = ["If-Match": "*"]
            _ = try await client.ask(.DELETE, "registrations/\(id)", headers: condition, is: 200)
            let missing = try await client.ask(.GET, "registrations/\(id)", is: 404, 410)
            #expect(missing.text.hasPrefix("<Error><Code>"), "\(missing.text)")
        }
    }

    @Test("installs, patches and deletes", arguments: [true, false])
    func installations(isHTTP2: Bool) async throws {
        try await Self.run(isHTTP2: isHTTP2) { client in
            let path = "installations/java-1"
            let document =
                #"{"installationId":"java-1","platform":"gcm","pushChannel":"token-3","#
                + #""tags":["World"],"templates":{"news":{"body":"{\"data\":{\"m\":\"$(t)\"}}"}}}"#
            _ = try await client.ask(.PUT, path, headers: JavaClient.json, body: document, is: 200)
            let patch = #"[{"op":"add","path":"/tags","value":"Sport"}]"#
            _ = try await client.ask(.PATCH, path, headers: JavaClient.json, body: patch, is: 200)
            let read = try await client.ask(.GET, path, is: 200)
            #expect(read.text.contains(#""platform":"gcm""#), "\(read.text)")
            #expect(read.text.contains(#""tags":["World","Sport"]"#), "\(read.text)")
            _ = try await client.ask(.DELETE, path, is: 204)
        }
    }

    @Test("sends, many at once and in batches", arguments: [true, false])
    func sends(isHTTP2: Bool) async throws {
        try await Self.run(isHTTP2: isHTTP2) { client in
            let typed = ["Content-Type": "application/json;charset=utf-8"]
            let format = typed.merging(["ServiceBusNotification-Format": "gcm"]) { first, _ in first
            }
            let send = format.merging(["ServiceBusNotification-Tags": "World || Sport"]) { $1 }
            // What its asynchronous calls do: with HTTP/2 all of them share one connection.
            let ids = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        let body = #"{"data":{"m":"\#(number)"}}"#
                        return try JavaClient.identifier(
                            of: try await client.ask(
                                .POST,
                                "messages",
                                headers: send,
                                body: body,
                                is: 201
                            )
                        )
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(ids.count == 16)
            let details = try await client.ask(.GET, "messages/\(try #require(ids.first))", is: 200)
            let states = [
                "Abandoned", "Canceled", "Completed", "Enqueued", "NoTargetFound", "Processing",
                "Scheduled", "Unknown",
            ]
            #expect(states.contains(try JavaClient.text("State", in: details.text)))
            let part = { (name: String, text: String) in
                "--java\r\nContent-Type: application/json\r\nContent-Disposition: inline; "
                    + "name=\(name)\r\n\r\n\(text)\r\n"
            }
            let batch = try await client.ask(
                .POST,
                "messages/$batch",
                query: "&direct",
                headers: format.merging(["Content-Type": "multipart/mixed; boundary=\"java\""]) {
                    $1
                },
                body: part("notification", #"{"data":{}}"#) + part("devices", #"["a","b"]"#)
                    + "--java--\r\n",
                is: 201
            )
            #expect(try JavaClient.identifier(of: batch) != "$batch")
        }
    }

    @Test("schedules and cancels", arguments: [true, false])
    func schedules(isHTTP2: Bool) async throws {
        try await Self.run(isHTTP2: isHTTP2) { client in
            let send = [
                "Content-Type": "application/json;charset=utf-8",
                "ServiceBusNotification-Format": "gcm", "ServiceBusNotification-Tags": "World",
            ]
            let tomorrow = Date().addingTimeInterval(86_400).formatted(Date.ISO8601FormatStyle())
            let scheduled = try await client.ask(
                .POST,
                "schedulednotifications",
                headers: send.merging(
                    ["ServiceBusNotification-ScheduleTime": String(tomorrow.dropLast())]
                ) { $1 },
                body: #"{"data":{}}"#,
                is: 201
            )
            let id = try JavaClient.identifier(of: scheduled)
            _ = try await client.ask(.DELETE, "schedulednotifications/\(id)", is: 200, 404)
        }
    }
}
