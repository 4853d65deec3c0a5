import HubCluster
import HubVocabulary
import Hummingbird
import Synchronization

extension CarriedHead {
    /// A client's send for a bundle; nil when it must go alone, since a part of it is too long.
    static func send(
        _ request: Request,
        _ body: [UInt8],
        key: String?,
        client: String?
    ) -> CarriedSend? {
        var headers: [NamedValue] = []
        for field in request.headers where isCarried(field.name.canonicalName) {
            headers.append(value(field.name.canonicalName, field.value))
        }
        if let key { headers.append(value(FrontProof.keyName.canonicalName, key)) }
        let send = CarriedSend(
            client: Array((client ?? "").utf8),
            // As the client wrote it: answers name addresses under it.
            authority: Array((request.head.authority ?? "").utf8),
            target: Array((request.head.path ?? "/").utf8),
            headers: headers,
            body: body
        )
        return send.fits ? send : nil
    }

    /// A send of a bundle, as if it had come alone.
    static func request(_ send: CarriedSend, _ body: ByteBuffer) -> Request {
        let authority = String(decoding: send.authority, as: UTF8.self)
        let head = HTTPRequest(
            method: .post,
            scheme: "https",
            authority: authority.isEmpty ? nil : authority,
            path: String(decoding: send.target, as: UTF8.self),
            headerFields: fields(send.headers)
        )
        return Request(head: head, body: RequestBody(buffer: body))
    }

    /// The leader's answer to a send, for its front.
    static func answer(_ response: Response) async throws -> BundledAnswer {
        var headers: [NamedValue] = []
        for field in response.headers where isPassed(field.name.canonicalName) {
            headers.append(value(field.name.rawName, field.value))
        }
        let body = TakenBody()
        if response.body.contentLength != 0 { try await response.body.write(body) }
        return BundledAnswer(
            status: UInt16(clamping: response.status.code),
            headers: headers,
            body: body.bytes
        )
    }

    /// The leader's answer to a send, for its client.
    static func response(_ answer: BundledAnswer) -> Response {
        Response(
            status: HTTPResponse.Status(code: Int(answer.status)),
            headers: fields(answer.headers),
            body: answer.body.isEmpty
                ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        )
    }

    private static func value(_ name: String, _ value: String) -> NamedValue {
        NamedValue(name: Array(name.utf8), value: Array(value.utf8))
    }

    private static func fields(_ headers: [NamedValue]) -> HTTPFields {
        var fields = HTTPFields()
        fields.reserveCapacity(headers.count)
        for header in headers {
            guard let name = HTTPFields.Element.Name(String(decoding: header.name, as: UTF8.self))
            else { continue }
            let value = String(decoding: header.value, as: UTF8.self)
            fields.append(HTTPFields.Element(name: name, value: value))
        }
        return fields
    }
}

/// The body of an answer, taken whole.
private final class TakenBody: ResponseBodyWriter, Sendable {
    private let taken = Mutex<[UInt8]>([])

    var bytes: [UInt8] { taken.withLock { $0 } }

    func write(_ buffer: ByteBuffer) {
        taken.withLock { $0.append(contentsOf: buffer.readableBytesView) }
    }

    func finish(_ trailingHeaders: HTTPFields?) {}
}
