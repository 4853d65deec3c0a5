import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1

// One request of the sender with its token, its repeats and what its answer means.
extension SenderClient {
    struct Answer {
        let status: Int
        let headers: HTTPHeaders
        let text: String
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

    /// A request, repeated as the policy says while the hub is away.
    ///
    /// - Throws: `SenderError`, that of the last attempt.
    func perform(
        _ method: HTTPMethod,
        path: String,
        query: String = "",
        headers: HTTPHeaders,
        body: [UInt8]?,
        isRepeatable: Bool = true
    ) async throws(SenderError) -> Answer {
        let start = ContinuousClock.now
        var attempt = 0
        while true {
            attempt += 1
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
            guard isRepeatable, error.invitesRepeat else { throw error }
            var asked: Int?
            if case .refused(let refused) = error { asked = refused.retryAfterSeconds }
            let pause = retries.pause(after: attempt, asked: asked)
            guard ContinuousClock.now - start + pause <= retries.patience,
                (try? await Task.sleep(for: pause)) != nil
            else { throw error }
        }
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
            url: "https://\(connection.bracketedHost):\(connection.port)/\(hub)/\(path)"
                + "?api-version=\(Self.apiVersion)\(query)"
        )
        request.method = method
        request.headers = headers
        request.headers.add(
            name: "Authorization",
            value: signer.token(
                host: connection.bracketedHost,
                path: "\(hub)/\(path)",
                expiry: now + Self.tokenSeconds
            )
        )
        if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
        let answer: Answer
        do {
            let response = try await client.execute(request, timeout: timeout)
            let content = try await response.body.collect(upTo: 4_194_304)
            answer = Answer(
                status: Int(response.status.code),
                headers: response.headers,
                text: String(buffer: content)
            )
        } catch {
            tell(request, body, status: nil)
            throw .unanswered(reason: String(describing: error))
        }
        tell(request, body, status: answer.status)
        guard 200..<300 ~= answer.status else { throw .refused(Self.refusal(answer)) }
        return answer
    }

    private func tell(_ request: HTTPClientRequest, _ body: [UInt8]?, status: Int?) {
        guard let onRequest else { return }
        let headers = request.headers.map { header in
            let isToken = header.name.lowercased() == "authorization"
            return ReceivedNotification.Header(
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

    /// A text as a value of a query: everything but letters, digits and `-._~` as its bytes.
    static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = scalar.properties.isAlphabetic || (0x30...0x39).contains(byte)
            if byte < 0x80, isPlain || "-._~".unicodeScalars.contains(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
    }
}
