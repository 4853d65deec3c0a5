import Crypto
import Foundation
import HubSender
import HubVocabulary
import Hummingbird
import NIOCore

/// Keeps rich and secure content, wakes its addressee with an id, and serves it to them alone.
struct ContentRoutes: Sendable {
    /// The body of a POST.
    private struct Draft: Decodable {
        var kind: String?
        var to: String?
        var message: String?
        var type: String?
        var mediaType: String?
        var payload: String?
    }

    /// The members of secure content that are sealed.
    private struct Sealed: Codable {
        var message: String
        var payload: String
    }

    /// Secure content as its addressee gets it.
    private struct Served: Encodable {
        enum CodingKeys: String, CodingKey {
            case id = "Id"
            case message = "Message"
            case richType = "RichType"
            case payload = "Payload"
            case isRead = "Read"
        }

        var id: Int64
        var message: String
        var richType: String
        var payload: String
        var isRead: Bool
    }

    let store: BackendStore
    let cipher: PayloadCipher
    let messages: MessageRoutes
    let limits: BackendLimits
    /// The budget for all answers until they are written.
    let answers: MemoryBudget

    // MARK: In

    /// `POST /api/notifications`: 200 when the content is kept and the hub has taken its id.
    func post(_ request: UserRequest) async throws -> Response {
        let most = limits.content.richBytesMax / 3 * 4 + limits.requests.bodyBytesMax
        let key = try request.hubKey()
        return try await request.body(most: most) { bytes in
            try await post(bytes, key: key, request)
        }
    }

    private func post(_ bytes: [UInt8], key: String?, _ request: UserRequest) async throws
        -> Response
    {
        var draft = Draft()
        if !bytes.isEmpty {
            do {
                draft = try JSONDecoder().decode(Draft.self, from: Data(bytes))
            } catch {
                throw BackendRefusal(
                    400,
                    "the body must be JSON with kind, to, message, type, mediaType and payload"
                )
            }
        }
        let recipient = try await messages.recipient(draft.to ?? request.user.text, field: "to")
        let identity = key.map { key in
            RequestIdentity(key: key, digest: cipher.digest(of: bytes))
        }
        switch draft.kind ?? "rich" {
        case "rich": return try await postRich(draft, recipient, identity, request)
        case "secure": return try await postSecure(draft, recipient, identity, request)
        default: throw BackendRefusal(400, "kind must be rich or secure")
        }
    }

    private func postRich(
        _ draft: Draft,
        _ recipient: UserName,
        _ identity: RequestIdentity?,
        _ request: UserRequest
    ) async throws -> Response {
        guard let type = RichType(rawValue: draft.type ?? "img") else {
            let names = RichType.allCases.map(\.rawValue).joined(separator: ", ")
            throw BackendRefusal(400, "type must be one of \(names)")
        }
        let mediaType = draft.mediaType?.lowercased() ?? type.mediaTypes[0]
        guard type.mediaTypes.contains(mediaType) else {
            let names = type.mediaTypes.joined(separator: ", ")
            throw BackendRefusal(415, "mediaType of \(type.rawValue) must be one of \(names)")
        }
        let isSample = draft.payload == nil && type == .image && draft.mediaType == nil
        let message = draft.message ?? (isSample ? SampleImage.message : "")
        try MessageRoutes.check(message, limits: limits)
        let bytes = try isSample ? SampleImage.png : decoded(draft.payload)
        if let fault = MediaRules.fault(of: bytes, mediaType: mediaType) {
            throw BackendRefusal(400, "payload \(fault)")
        }
        let content = NewContent(
            recipient: recipient,
            isSecure: false,
            message: message,
            richType: type.rawValue,
            mediaType: mediaType,
            etag: Self.etag(bytes),
            bytes: bytes.count,
            identity: identity
        )
        let payload = Data(bytes)
        return try await keep(
            content,
            [("richMessage", message), ("richType", type.rawValue)],
            idName: "richId",
            request
        ) { _ in payload }
    }

    private func decoded(_ text: String?) throws -> [UInt8] {
        guard let text, !text.isEmpty else { throw BackendRefusal(400, "payload is missing") }
        guard text.utf8.count.isMultiple(of: 4), let bytes = Base64.decode(Array(text.utf8)) else {
            throw BackendRefusal(400, "payload is not base64, or is cut off")
        }
        guard bytes.count <= limits.content.richBytesMax else {
            throw BackendRefusal(413, "payload may have \(limits.content.richBytesMax) bytes")
        }
        return bytes
    }

    private func postSecure(
        _ draft: Draft,
        _ recipient: UserName,
        _ identity: RequestIdentity?,
        _ request: UserRequest
    ) async throws -> Response {
        guard let payload = draft.payload, !payload.isEmpty else {
            throw BackendRefusal(400, "payload is missing")
        }
        guard payload.utf8.count <= limits.content.secureBytesMax else {
            throw BackendRefusal(413, "payload may have \(limits.content.secureBytesMax) bytes")
        }
        let message = draft.message ?? "You have a secure message"
        try MessageRoutes.check(message, limits: limits)
        let plain = try JSONEncoder().encode(Sealed(message: message, payload: payload))
        let content = NewContent(
            recipient: recipient,
            isSecure: true,
            message: "",
            richType: "",
            mediaType: "application/json",
            etag: "",
            bytes: plain.count,
            identity: identity
        )
        return try await keep(content, [], idName: "secureId", request) { id in
            try cipher.seal([UInt8](plain), for: Self.place(id, recipient))
        }
    }

    /// Keeps content, and sends a silent notification with its id to all devices of its addressee.
    ///
    /// When the hub certainly did not take the notification, the content is removed again.
    private func keep(
        _ content: NewContent,
        _ members: [(name: String, value: String)],
        idName: String,
        _ request: UserRequest,
        payload: @escaping @Sendable (Int64) throws -> Data
    ) async throws -> Response {
        let (id, isNew) = try await store.content.add(
            content,
            from: request.caller,
            limits: limits.content,
            now: request.now,
            payload: payload
        )
        let silent = ApplePayload(silent: [(idName, "\(id)")] + members)
        var notification = OutgoingNotification.apple(
            silent,
            to: TagQuery(text: content.recipient.tag)
        )
        if let key = content.identity?.key { notification.idempotencyKey = key }
        do throws(SenderError) {
            let sent = try await request.hub.send(notification)
            return try Self.answer(id, sent)
        } catch {
            // An earlier request for the same content may have been accepted too.
            if isNew, error.isRefusedForGood { try await store.content.remove(id: id) }
            throw error
        }
    }

    private static func answer(
        _ id: Int64,
        _ sent: SentNotification
    ) throws(SenderError) -> Response {
        do {
            return try Response.json(SentAnswer(id: id, notification: sent.id))
        } catch {
            throw .answerMalformed(reason: "the id cannot be written")
        }
    }

    // MARK: Out

    /// `GET /api/notifications/{id}`: the bytes of rich content, the JSON of secure content; 403 for
    /// anybody but the addressee.
    func get(_ text: String, _ request: UserRequest) async throws -> Response {
        let user = request.user
        let unknown = BackendRefusal(404, "there is no such notification")
        guard text.utf8.count <= 10, let id = Int64(text), (1...limits.content.idMax).contains(id),
            let content = try await store.content.find(
                id: id,
                limits: limits.content,
                now: request.now
            )
        else { throw unknown }
        guard content.recipient == user else {
            throw BackendRefusal(403, "the notification is for somebody else")
        }
        let share = answers.share(of: user)
        let response =
            content.isSecure
            ? try await secure(content, share) : try await rich(content, request.http, share)
        // Who asks for the head alone has read nothing.
        if !content.isRead, request.http.method == .get, response.status.code < 300 {
            try await store.content.markRead(id: id)
        }
        return response
    }

    /// Bytes of a payload, held while the share is.
    private func payload(
        _ content: StoredContent,
        _ part: Range<Int>,
        _ share: MemoryBudget.Share
    ) async throws -> Data {
        try share.hold(part.count)
        guard let bytes = try await store.content.payload(of: content.id, part) else {
            throw BackendRefusal(404, "there is no such notification")
        }
        return bytes
    }

    private func secure(
        _ content: StoredContent,
        _ share: MemoryBudget.Share
    ) async throws -> Response {
        let bytes = try cipher.open(
            try await payload(content, 0..<content.payloadBytes, share),
            for: Self.place(content.id, content.recipient)
        )
        let sealed = try JSONDecoder().decode(Sealed.self, from: Data(bytes))
        let response = try Response.json(
            Served(
                id: content.id,
                message: sealed.message,
                richType: content.richType,
                payload: sealed.payload,
                isRead: true
            )
        )
        // It is little: counting it while it is made keeps many at once apart.
        withExtendedLifetime(share) {}
        return response
    }

    private func rich(
        _ content: StoredContent,
        _ request: Request,
        _ share: MemoryBudget.Share
    ) async throws -> Response {
        var headers: HTTPFields = [
            .contentType: content.mediaType, .eTag: content.etag, .acceptRanges: "bytes",
            // Each request proves its user again, also behind a cache that several users share.
            .cacheControl: "private, no-cache", .vary: "Authorization",
            .xContentTypeOptions: "nosniff",
        ]
        let known = request.headers[.ifNoneMatch]?.split(separator: ",").map {
            let tag = $0.trimmingCharacters(in: .whitespaces)
            // Caches compare weakly here.
            return tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
        }
        if let known, known.contains(content.etag) || known.contains("*") {
            return Response(status: .notModified, headers: headers)
        }
        let total = content.payloadBytes
        var part = 0..<total
        var status = HTTPResponse.Status.ok
        let condition = request.headers[.ifRange]
        // Ranges are of GET alone.
        if let range = request.headers[.range], request.method == .get,
            condition == nil || condition == content.etag
        {
            switch ByteRange(range, of: total) {
            case .all: break
            case .part(let wanted):
                part = wanted
                status = .partialContent
                headers[.contentRange] =
                    "bytes \(wanted.lowerBound)-\(wanted.upperBound - 1)/\(total)"
            case .unsatisfiable:
                headers[.contentRange] = "bytes */\(total)"
                return Response(status: .rangeNotSatisfiable, headers: headers)
            }
        }
        guard request.method == .get else {
            headers[.contentLength] = "\(total)"
            return Response(status: status, headers: headers)
        }
        let bytes = ByteBuffer(bytes: try await payload(content, part, share))
        return Response(
            status: status,
            headers: headers,
            body: .init(bytes, pieces: limits.answers.pieceBytes, holding: share)
        )
    }

    /// Returns the text to which sealed bytes are bound: those of one row open in no other.
    private static func place(_ id: Int64, _ recipient: UserName) -> String {
        "content \(id) for \(recipient.text)"
    }

    private static func etag(_ bytes: [UInt8]) -> String {
        let digest = SHA256.hash(data: bytes).prefix(12)
        return "\"" + Base64.encode(Array(digest)) + "\""
    }
}
