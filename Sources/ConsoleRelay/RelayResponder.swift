import AsyncHTTPClient
import Hummingbird
import NIOCore
import NIOHTTP1

/// Hands requests of this machine's browser on to the hub, and answers back.
struct RelayResponder: HTTPResponder {
    /// A request's context that knows its connection.
    struct Context: RequestContext {
        var coreContext: CoreRequestContextStorage
        let channel: any Channel

        init(source: ApplicationRequestContextSource) {
            coreContext = .init(source: source)
            channel = source.channel
        }
    }

    let client: HTTPClient
    /// Host and port of the hub.
    let hub: String
    /// Lets console requests through there.
    let token: String

    private static let formBytesMax = 131_072
    private static let answerBytesMax = 4_194_304
    private static let passed = [
        "accept", "content-type", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest",
    ]
    /// Headers that concern one connection, or that this one writes itself.
    private static let dropped: Set<String> = [
        "connection", "content-length", "date", "keep-alive", "server", "transfer-encoding",
    ]

    @concurrent
    func respond(to request: Request, context: Context) async throws -> Response {
        let authority = request.head.authority ?? ""
        guard Self.isOwn(authority, port: context.channel.localAddress?.port) else {
            return Self.refused(421, "This name leads elsewhere.")
        }
        let path = request.head.path ?? "/"
        guard path == "/" || path.hasPrefix("/$belfry/ui/") else {
            return Self.refused(404, "Only the console is found here.")
        }
        var asked = HTTPClientRequest(url: "https://\(hub)\(path)")
        asked.method = HTTPMethod(rawValue: request.head.method.rawValue)
        asked.headers = headers(of: request, authority: authority)
        if request.head.method == .post {
            asked.body = .bytes(try await request.body.collect(upTo: Self.formBytesMax))
        }
        do {
            let answer = try await client.execute(asked, timeout: .seconds(30))
            let body = try await answer.body.collect(upTo: Self.answerBytesMax)
            return Self.response(answer, body)
        } catch let error as CancellationError {
            throw error
        } catch {
            return Self.refused(502, "The hub does not answer: \(error)")
        }
    }

    /// Whether a browser means this very listener: another name may be one of a stranger's that
    /// leads here.
    private static func isOwn(_ authority: String, port: Int?) -> Bool {
        guard let port else { return false }
        return ["127.0.0.1", "localhost", "[::1]"].contains { authority == "\($0):\(port)" }
    }

    private func headers(of request: Request, authority: String) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for field in request.headers where Self.passed.contains(field.name.canonicalName) {
            headers.add(name: field.name.canonicalName, value: field.value)
        }
        // A page of a document of the hub itself: text/html leads to the console.
        if let origin = request.headers[.origin] {
            headers.add(name: "origin", value: origin == "http://\(authority)" ? own : "null")
        }
        if let cookie = request.headers[.cookie] {
            headers.add(name: "cookie", value: RelayCookie.toHub(cookie))
        }
        headers.add(name: "belfry-relay", value: token)
        return headers
    }

    private var own: String { "https://\(hub)" }

    private static func response(_ answer: HTTPClientResponse, _ body: ByteBuffer) -> Response {
        var fields = HTTPFields()
        for (name, value) in answer.headers where !dropped.contains(name.lowercased()) {
            guard let field = HTTPFields.Element.Name(name) else { continue }
            let isCookie = name.lowercased() == "set-cookie"
            fields.append(
                HTTPFields.Element(
                    name: field,
                    value: isCookie ? RelayCookie.toBrowser(value) : value
                )
            )
        }
        return Response(
            status: HTTPResponse.Status(code: Int(answer.status.code)),
            headers: fields,
            body: ResponseBody(byteBuffer: body)
        )
    }

    private static let refusedHeaders: HTTPFields = {
        var fields = HTTPFields()
        for (name, value) in [
            ("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store"),
            ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
            ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
        ] {
            guard let name = HTTPFields.Element.Name(name) else { continue }
            fields.append(HTTPFields.Element(name: name, value: value))
        }
        return fields
    }()

    private static func refused(_ status: Int, _ text: String) -> Response {
        Response(
            status: HTTPResponse.Status(code: status),
            headers: refusedHeaders,
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n"))
        )
    }
}
