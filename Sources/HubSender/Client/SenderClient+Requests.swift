import AsyncHTTPClient
import FoundationEssentials
import HubVocabulary
import HubWire
import NIOCore
import NIOHTTP1
import Synchronization

// One request of the sender with its token, its repeats and what its answer means.
extension SenderClient {
    struct Answer {
        let status: Int
        let headers: HTTPHeaders
        let text: String

        /// Where what was made is found, and its id: the last segment of the path.
        var place: (location: String, id: String) {
            get throws(SenderError) {
                guard let location = headers.first(name: "Location"),
                    let id = location.prefix(while: { $0 != "?" }).split(separator: "/").last
                else { throw .answerMalformed(reason: "there is no Location with an id") }
                return (location, String(id))
            }
        }
    }

    /// The text of what is found at a path below the hub; `query` begins with `&` or is empty.
    ///
    /// - Throws: `SenderError`.
    func read(path: String, query: String) async throws(SenderError) -> String {
        let answer = try await perform(
            .GET,
            path: path,
            query: query,
            headers: HTTPHeaders(),
            body: nil
        )
        return answer.text
    }

    /// Does something at a path below the hub, and gives the text of the answer.
    ///
    /// - Throws: `SenderError`.
    func write(
        _ method: HTTPMethod,
        path: String,
        query: String,
        body: [UInt8]
    ) async throws(SenderError) -> String {
        var headers = HTTPHeaders()
        headers.add(name: "Content-Type", value: "application/json")
        let answer = try await perform(
            method,
            path: path,
            query: query,
            headers: headers,
            body: body
        )
        return answer.text
    }

    /// The answer to a POST without a body to a path below the hub; `query` begins with `&`.
    ///
    /// - Throws: `SenderError`.
    func post(path: String, query: String) async throws(SenderError) -> String {
        let answer = try await perform(
            .POST,
            path: path,
            query: query,
            headers: HTTPHeaders(),
            body: nil
        )
        return answer.text
    }

    /// A request, repeated as the policy says while the hub is away, up to the client's deadline.
    ///
    /// - Throws: `SenderError`, that of the last attempt that reached the hub, if one did;
    ///   `.unanswered` when an earlier one may have been accepted and nothing says that it was not.
    func perform(
        _ method: HTTPMethod,
        path: String,
        query: String = "",
        headers: HTTPHeaders,
        body: [UInt8]?,
        isRepeatable: Bool = true
    ) async throws(SenderError) -> Answer {
        var repeats = RetryTimes(retries, deadline: deadline)
        var isUnanswered = false
        var refusal: SenderError?
        while true {
            let error: SenderError
            do throws(SenderError) {
                return try await once(
                    method,
                    path: path,
                    query: query,
                    headers: headers,
                    body: body
                )
            } catch let failure {
                error = failure
            }
            let known = isUnanswered ? error.following : error.behind(refusal)
            switch error {
            case .unanswered: isUnanswered = true
            case .refused: refusal = error
            default: break
            }
            guard isRepeatable, await repeats.wait(behind: error) else { throw known }
        }
    }

    /// How long an attempt may take; nil when there is no time left.
    private var attemptTimeout: TimeAmount? {
        guard let deadline else { return timeout }
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return nil }
        let (seconds, attoseconds) = left.components
        let most =
            TimeAmount.seconds(min(seconds, 86_400)) + .nanoseconds(attoseconds / 1_000_000_000)
        return min(timeout, most)
    }

    /// A path below the hub as one of the server; without a hub it is one already.
    private func resource(_ path: String) -> String {
        if hub.isEmpty { return path }
        return path.isEmpty ? hub : "\(hub)/\(path)"
    }

    private func once(
        _ method: HTTPMethod,
        path: String,
        query: String,
        headers: HTTPHeaders,
        body: [UInt8]?
    ) async throws(SenderError) -> Answer {
        let now = UInt64(max(0, Date.now.timeIntervalSince1970))
        var request = HTTPClientRequest(
            url: "https://\(connection.bracketedHost):\(connection.port)/\(resource(path))"
                + "?api-version=\(Self.apiVersion)\(query)"
        )
        request.method = method
        request.headers = headers
        request.headers.add(
            name: "Authorization",
            value: signer.token(
                host: connection.bracketedHost,
                // The namespace's rules answer for the hub itself.
                path: path.isEmpty ? "" : resource(path),
                expiry: now + Self.tokenSeconds
            )
        )
        let mark = WrittenMark(isWritten: body?.isEmpty != false)
        if let body, body.isEmpty {
            request.body = .bytes(ByteBuffer())
        } else if let body {
            let noted = NotedBody(bytes: ByteBuffer(bytes: body), mark: mark)
            request.body = .stream(noted, length: .known(Int64(body.count)))
        }
        guard let timeout = attemptTimeout else {
            throw .unreached(reason: "no time was left to try")
        }
        let answer: Answer
        do {
            let response = try await client.execute(request, timeout: timeout)
            let content = try await response.body.collect(upTo: answerBytesMax)
            answer = Answer(
                status: Int(response.status.code),
                headers: response.headers,
                text: String(buffer: content)
            )
        } catch {
            tell(request, body, status: nil)
            throw failure(error, isWritten: mark.isWritten)
        }
        tell(request, body, status: answer.status)
        guard 200..<300 ~= answer.status else { throw .refused(Self.refusal(answer)) }
        return answer
    }

    /// The meaning of an attempt without an answer.
    private func failure(_ error: any Error, isWritten: Bool) -> SenderError {
        let problem = ConnectionProblem(error)
        let reason =
            problem?.sentence(
                host: connection.bracketedHost,
                port: Int(connection.port),
                command: "belfry serve"
            ) ?? String(describing: error)
        let isUnreached = problem?.isBeforeRequest == true || !isWritten
        return isUnreached ? .unreached(reason: reason) : .unanswered(reason: reason)
    }

    private func tell(_ request: HTTPClientRequest, _ body: [UInt8]?, status: Int?) {
        guard let onRequest else { return }
        let headers = request.headers.map { header in
            let isToken = header.name.lowercased() == "authorization"
            return NotificationHeader(
                name: header.name,
                value: isToken ? "SharedAccessSignature …" : header.value
            )
        }
        onRequest(
            SentRequest(
                method: request.method.rawValue,
                url: request.url,
                headers: headers,
                body: body ?? [],
                status: status
            )
        )
    }

    private static func refusal(_ answer: Answer) -> RefusedRequest {
        RefusedRequest(
            status: answer.status,
            code: XMLText.content(of: "Code", in: answer.text).flatMap(Int.init) ?? answer.status,
            detail: XMLText.content(of: "Detail", in: answer.text) ?? "",
            retryAfterSeconds: answer.headers.first(name: "Retry-After").flatMap { Int($0) }
        )
    }
}

extension SenderError {
    /// Returns the error after an attempt without an answer: only a final refusal says more.
    var following: SenderError {
        switch self {
        case .refused(var refused) where !invitesRepeat:
            refused.followsUnanswered = true
            return .refused(refused)
        case .refused, .unreached:
            return .unanswered(reason: "\(self), and an earlier attempt was not answered")
        case .unanswered, .answerMalformed, .authorityUnreadable, .platformUnsupported: return self
        }
    }

    /// Returns the refusal of an earlier attempt when this failure says less.
    ///
    /// A later failure says less when the hub was away, or when no time was left.
    func behind(_ refusal: SenderError?) -> SenderError {
        if case .unreached = self { refusal ?? self } else { self }
    }
}

/// Whether a request may have reached the hub as a whole.
private final class WrittenMark: Sendable {
    private let mark: Atomic<Bool>

    /// A request without a body is whole with its head.
    ///
    /// Its writing is not told: it counts as written.
    init(isWritten: Bool) { mark = Atomic(isWritten) }

    var isWritten: Bool { mark.load(ordering: .sequentiallyConsistent) }

    func note() { mark.store(true, ordering: .sequentiallyConsistent) }
}

/// A body that notes when the connection asks for it; before that the hub cannot act on the request.
private struct NotedBody: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
        var bytes: ByteBuffer?
        let mark: WrittenMark

        mutating func next() async throws -> ByteBuffer? {
            mark.note()
            defer { bytes = nil }
            return bytes
        }
    }

    let bytes: ByteBuffer
    let mark: WrittenMark

    func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes, mark: mark) }
}
