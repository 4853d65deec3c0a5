import HubHTTP
import HubREST
import HubTransport
import HubVocabulary
import Hummingbird
import NIOCore

/// Which requests are answered whole, and how.
struct WholeRequestRule: Sendable {
    typealias Answering = @Sendable (Request, ByteBuffer, any Channel) async throws -> Response

    /// For so long the rest of a request may follow its head.
    static let patience = TimeAmount.milliseconds(50)

    /// Bytes of a body at most.
    let bodyBytesMax: Int
    /// The name in `Server`.
    let serverName: String
    /// Whether balancers tell whose connections are.
    let isProxied: Bool
    /// The responder, which is given the body beside the request.
    let answering: Answering
    private let date = AnswerDate()

    init(
        bodyBytesMax: Int,
        serverName: String,
        isProxied: Bool,
        answering: @escaping Answering
    ) {
        self.bodyBytesMax = bodyBytesMax
        self.serverName = serverName
        self.isProxied = isProxied
        self.answering = answering
    }

    /// Whether a request with this head may be answered whole: it has a small body, and wants
    /// nothing of its connection.
    func mayBeWhole(_ head: HTTPRequest) -> Bool {
        let fields = head.headerFields
        guard head.method == .post || head.method == .put || head.method == .patch,
            let text = fields[.contentLength], let length = Int(text), length <= bodyBytesMax
        else { return false }
        return length >= 0 && fields[.transferEncoding] == nil && fields[.expect] == nil
            && fields[.upgrade] == nil && fields[.connection]?.lowercased() != "close"
    }

    /// The answer, with the headers that the server adds to each.
    func answer(
        to request: Request,
        _ body: ByteBuffer,
        on channel: any Channel
    ) async -> Response {
        var response: Response
        do {
            response = try await answering(request, body, channel)
        } catch {
            // As the server answers what is none of a responder's answers; its client may be gone.
            response = Response(status: .internalServerError)
        }
        response.headers[.date] = date.text(at: Clock.now.time)
        response.headers[.server] = serverName
        return response
    }
}
