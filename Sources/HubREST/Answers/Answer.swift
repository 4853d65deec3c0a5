import FoundationEssentials
import HubAtom
import HubVocabulary
import Hummingbird

/// An answer, before the headers that every answer has.
struct Answer {
    /// The HTTP status.
    var status: Int
    /// Headers of this answer alone, in order.
    var headers: [(name: String, value: String)] = []
    /// The whole body; may be empty.
    var body: [UInt8] = []
    /// A body that many answers share, instead of `body`; nil for none.
    private var shared: ByteBuffer?

    /// An answer of its parts.
    init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// An answer whose body many answers share without a copy.
    init(status: Int, headers: [(name: String, value: String)], shared: ByteBuffer) {
        self.status = status
        self.headers = headers
        self.shared = shared
    }

    /// A value as JSON, its members in alphabetical order.
    init(status: Int = 200, json value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings, numbers and objects of them always encode.
        let body = (try? encoder.encode(value)).map { Array($0) } ?? []
        self.init(status: status, headers: [("Content-Type", ContentType.json)], body: body)
    }

    /// The body and headers of a failure, as clients parse them.
    ///
    /// Source: REST §2.5.
    static func failure(_ failure: RequestFailure, tracking: Tracking, now: Timestamp) -> Answer {
        var output = XMLOutput()
        let code = failure.storageCode ?? String(failure.status)
        let element = failure.storageCode == nil ? "Detail" : "Message"
        output.markup("<Error><Code>\(code)</Code><\(element)>")
        output.text("SubCode=\(failure.subCode). \(failure.detail)")
        // A sentence of its own in front of the tracking id.
        if let last = failure.detail.last, !".!?".contains(last) { output.text(".") }
        output.text("TrackingId:\(tracking.id)_G0,TimeStamp:\(CivilTime(now).american)")
        output.markup("</\(element)></Error>")
        var answer = Answer(
            status: failure.status,
            headers: [("Content-Type", ContentType.xml)],
            body: output.bytes
        )
        if case .methodNotAllowed(let allowed) = failure {
            answer.headers.append(("Allow", allowed.joined(separator: ", ")))
        }
        if let code = failure.storageCode { answer.headers.append(("x-ms-error-code", code)) }
        if case .ofStorage(.rangeBehindEnd(let bytes)) = failure {
            answer.headers.append(("Content-Range", "bytes */\(bytes)"))
        }
        // The rest of the body cannot be told from a next request on the connection.
        if case .bodyBroken = failure { answer.headers.append(("Connection", "close")) }
        if case .refused(.storeUnanswered) = failure {
            answer.headers.append((OutcomeHeader.name, OutcomeHeader.unknown))
        }
        if let seconds = failure.retryAfterSeconds {
            answer.headers.append(("Retry-After", String(seconds)))
        }
        return answer
    }

    /// The answer as Hummingbird writes it, with the headers every answer has.
    ///
    /// An answer to a HEAD never gets a body.
    func response(tracking: Tracking, isHead: Bool) -> Response {
        var fields = HTTPFields()
        fields.reserveCapacity(headers.count + 6)
        for (name, value) in headers {
            guard let name = HTTPFields.Element.Name(name) else { continue }
            fields[name] = value
        }
        for (name, value) in [
            (HeaderNames.tracking, tracking.id), (HeaderNames.correlation, tracking.correlation),
            (HeaderNames.typeOptions, "nosniff"),
        ] { fields.append(HTTPFields.Element(name: name, value: value)) }
        let bytes = shared ?? ByteBuffer(bytes: body)
        return Response(
            status: HTTPResponse.Status(code: status),
            headers: fields,
            body: bytes.readableBytes == 0 || isHead ? ResponseBody() : Self.paced(bytes)
        )
    }

    /// A body that is written in pieces, as its reader takes them.
    ///
    /// TLS keeps each written byte once more until the peer has taken it.
    private static func paced(_ bytes: ByteBuffer) -> ResponseBody {
        guard bytes.readableBytes > pieceBytes else { return ResponseBody(byteBuffer: bytes) }
        return ResponseBody(contentLength: bytes.readableBytes) { writer in
            var rest = bytes
            while let piece = rest.readSlice(length: min(pieceBytes, rest.readableBytes)),
                piece.readableBytes > 0
            {
                try await writer.write(piece)
            }
            try await writer.finish(nil)
        }
    }

    private static let pieceBytes = 16_384
}
