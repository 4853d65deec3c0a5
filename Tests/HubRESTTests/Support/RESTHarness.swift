import HTTPTypes
import HubDirectory
import HubModel
import HubREST
import HubRules
import HubTags
import HubTemplates
import HubVocabulary
import Hummingbird
import HummingbirdTesting
import Logging
import NIOEmbedded
import Testing

/// The methods that tests use.
enum Verb: String, CaseIterable, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
    case head = "HEAD"
    case patch = "PATCH"
    case options = "OPTIONS"
}

/// What came back, as text.
struct Reply {
    var status: Int
    var headers: HTTPFields
    var body: String

    subscript(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
}

/// One hub behind the responder, asked through Hummingbird's router test client.
struct RESTHarness {
    let hub = FakeHub()
    var configuration = RESTConfiguration(externalHost: "hubs.example.net:8443")

    static let fullToken = "Listen+Send+Manage"

    func send(
        _ method: Verb,
        _ uri: String,
        token: String? = RESTHarness.fullToken,
        headers: [(String, String)] = [],
        body: String? = nil
    ) async throws -> Reply {
        try await send(
            method,
            uri,
            token: token,
            headers: headers,
            bytes: body.map { Array($0.utf8) }
        )
    }

    func send(
        _ method: Verb,
        _ uri: String,
        token: String? = RESTHarness.fullToken,
        headers: [(String, String)] = [],
        bytes: [UInt8]?
    ) async throws -> Reply {
        let reply = try await ask(
            hub,
            configuration: configuration,
            method,
            uri,
            token: token,
            headers: headers,
            bytes: bytes
        )
        let isForced = hub.read { $0.refusal != nil || $0.reply != nil || $0.isSilent }
        if !isForced, let row = RouteTable.row(method: method.rawValue, target: uri) {
            #expect(
                row.statuses.contains(reply.status),
                "\(method.rawValue) \(uri) answered what \(row.name) does not document"
            )
        }
        return reply
    }

    /// Posts straight to the responder, with a body and authority of the test's choice.
    func post(
        _ path: String,
        _ body: RequestBody,
        authority: String? = "localhost"
    ) async throws -> Response {
        let responder = makeRouter(service: hub, configuration: configuration)
        return try await responder.respond(
            to: request(path, body, authority: authority),
            context: Self.context()
        )
    }

    /// A POST that may do everything.
    func request(
        _ path: String,
        _ body: RequestBody,
        authority: String? = "localhost"
    ) -> Request {
        Request(
            head: HTTPRequest(
                method: .post,
                scheme: "https",
                authority: authority,
                path: path,
                headerFields: [.authorization: Self.fullToken]
            ),
            body: body
        )
    }

    /// Where the context of a request comes from that has no connection.
    static func source() -> ApplicationRequestContextSource {
        ApplicationRequestContextSource(
            channel: EmbeddedChannel(),
            logger: Logger(label: "test")
        )
    }

    private static func context() -> BasicRequestContext { BasicRequestContext(source: source()) }

    /// The content of the last request for a registration.
    var lastContent: RegistrationContent? {
        hub.last(CreateRegistration.self)?.content ?? hub.last(PutRegistration.self)?.content
    }
}

extension String {
    /// One side of a UTF-8 conversion that tests do all the time.
    init(_ bytes: [UInt8]) { self.init(decoding: bytes, as: UTF8.self) }
}

extension RegistrationContent {
    /// Everything a client can set, on one line, empty parts left out.
    var summary: String {
        var parts = [
            "\(platform.format) \(template == nil ? "native" : "template")",
            "handle=\(String(handle))",
        ]
        func add(_ name: String, _ value: String) {
            if !value.isEmpty { parts.append("\(name)=\(value)") }
        }
        func pairs(_ values: [NamedValue]) -> String {
            values.map { "\(String($0.name)):\(String($0.value))" }.joined(separator: ";")
        }
        add(
            "tags",
            (0..<tags.count).map { String(Array(tags.bytes[tags.range(at: $0)])) }
                .joined(separator: ",")
        )
        add("vars", pairs(pushVariables))
        add("tile", String(secondaryTileName))
        add("fields", pairs(platformFields))
        if let template {
            add("name", String(template.name))
            add("body", String(template.body))
            add("expiry", String(template.expiry))
            add("priority", String(template.priority))
            add("headers", pairs(template.headers))
        }
        return parts.joined(separator: " ")
    }
}

/// Asks a hub through Hummingbird's router test client.
func ask(
    _ service: any HubService,
    configuration: RESTConfiguration = RESTConfiguration(externalHost: "hubs.example.net:8443"),
    _ method: Verb,
    _ uri: String,
    token: String?,
    headers: [(String, String)] = [],
    bytes: [UInt8]?
) async throws -> Reply {
    var fields = HTTPFields()
    if let token { fields[.authorization] = token }
    for (name, value) in headers {
        let field = try #require(HTTPField.Name(name))
        fields.append(HTTPField(name: field, value: value))
    }
    let sent = fields
    let verb = try #require(HTTPRequest.Method(method.rawValue))
    let app = Application(
        responder: makeRouter(service: service, configuration: configuration),
        configuration: .init()
    )
    return try await app.test(.router) { client in
        let response = try await client.execute(
            uri: uri,
            method: verb,
            headers: sent,
            body: bytes.map { ByteBuffer(bytes: $0) }
        )
        return Reply(
            status: response.status.code,
            headers: response.headers,
            body: String(buffer: response.body)
        )
    }
}
