import AsyncHTTPClient
import FoundationEssentials
import HubSender
import NIOCore
import NIOHTTP1
import NIOSSL

/// An app's HTTPS connection to its backend.
package final class BackendClient: Sendable {
    /// Bytes of an answer at most; richer content is refused.
    package static let answerBytesMax = 16_777_216
    private let file: BackendFile
    private let client: HTTPClient
    private let owned: OwnedHTTPClient
    private let answerBytesMax: Int
    private let patience: BackendPatience

    /// A client of the backend that a file describes.
    /// - Throws: `.backend` when the authority cannot be read.
    package init(
        _ file: BackendFile,
        answerBytesMax: Int = BackendClient.answerBytesMax,
        patience: BackendPatience = .standard
    ) throws(PhoneFault) {
        self.file = file
        self.answerBytesMax = answerBytesMax
        self.patience = patience
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.timeout.connect = .seconds(min(10, patience.answerSeconds))
        // Where nothing listens, the answer comes at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.redirectConfiguration = .disallow
        if let path = file.ca {
            // The library's error does not name the file, so this one does.
            guard let roots = try? NIOSSLCertificate.fromPEMFile(path), !roots.isEmpty else {
                throw .backend("cannot read a CA certificate from \(path)")
            }
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .certificates(roots)
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        owned = OwnedHTTPClient(client)
    }

    /// Closes all connections.
    package func close() async {
        // Only a second close fails, and it changes nothing.
        try? await client.shutdown()
    }

    /// Asks the backend; every status is an answer.
    ///
    /// A key belongs to one thing that a user does. With a key it asks again when no answer comes,
    /// or when the backend does not know the outcome: the same key never does it twice.
    /// - Throws: `.backend` when there is no answer.
    package func ask(
        _ method: String,
        _ path: String,
        authorization: String?,
        json: String? = nil,
        key: String? = nil,
        seconds: Int64? = nil
    ) async throws(PhoneFault) -> BackendExchange {
        var attempt = 1
        while true {
            let isLast = key == nil || attempt == patience.attemptsMax
            do throws(PhoneFault) {
                let exchange = try await once(
                    method,
                    path,
                    authorization,
                    json,
                    key,
                    seconds ?? patience.answerSeconds
                )
                guard !isLast, exchange.status == 500 || exchange.status == 503 else {
                    return exchange
                }
            } catch {
                guard !isLast else { throw error }
            }
            attempt += 1
        }
    }

    private func once(
        _ method: String,
        _ path: String,
        _ authorization: String?,
        _ json: String?,
        _ key: String?,
        _ seconds: Int64
    ) async throws(PhoneFault) -> BackendExchange {
        var request = HTTPClientRequest(url: "https://\(file.host):\(file.port)\(path)")
        request.method = HTTPMethod(rawValue: method)
        if let authorization { request.headers.add(name: "Authorization", value: authorization) }
        if let key { request.headers.add(name: "Idempotency-Key", value: key) }
        if let json {
            request.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
            request.body = .bytes(ByteBuffer(string: json))
        }
        do {
            let response = try await client.execute(
                request,
                timeout: .seconds(seconds)
            )
            let content = try await response.body.collect(upTo: answerBytesMax)
            return BackendExchange(
                method: method,
                path: HandleMask.masked(path),
                headers: request.headers.map { header in
                    guard header.name == "Authorization" else {
                        return "\(header.name): \(header.value)"
                    }
                    return "Authorization: \(header.value.prefix { $0 != " " }) …"
                },
                body: Array(HandleMask.masked(Self.withoutSecret(json ?? "")).utf8),
                status: Int(response.status.code),
                mediaType: response.headers.first(name: "Content-Type") ?? "",
                answer: Array(content.readableBytesView)
            )
        } catch {
            let sentence = ConnectionProblem(error)?
                .sentence(host: file.host, port: file.port, command: "belfry backend")
            throw .backend(sentence ?? "\(error)")
        }
    }

    /// A body as it may be shown: without the payload that is sealed as soon as it arrives.
    private static func withoutSecret(_ json: String) -> String {
        guard
            // A body that is not such an object has no payload to hide.
            var members = try? JSONDecoder().decode([String: String].self, from: Data(json.utf8)),
            members["kind"] == "secure", members["payload"] != nil
        else { return json }
        members["payload"] = "…"
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts are JSON; what cannot be written is not shown at all.
        guard let data = try? encoder.encode(members) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }

    /// A key for one thing that a user does.
    package static func newKey() -> String { OutgoingNotification.newIdempotencyKey() }
}
