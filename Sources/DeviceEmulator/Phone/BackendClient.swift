import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1
import NIOSSL

/// A request of an app to its backend, with the answer, as they went over the wire.
package struct BackendExchange: Equatable, Sendable {
    /// The method.
    package var method: String
    /// Path and query.
    package var path: String
    /// Headers of the request, with the credentials cut to their scheme.
    package var headers: [String]
    /// The body of the request.
    package var body: [UInt8]
    /// The status of the answer.
    package var status: Int
    /// The media type of the answer.
    package var mediaType: String
    /// The body of the answer.
    package var answer: [UInt8]

    /// The sentence of a refusal.
    package var message: String {
        let read = try? JSONDecoder().decode([String: String].self, from: Data(answer))
        return read?["Message"] ?? ""
    }
}

/// An app's HTTPS connection to its backend.
package final class BackendClient: Sendable {
    /// Bytes of an answer at most; richer content is refused.
    package static let answerBytesMax = 16_777_216

    private let file: BackendFile
    private let client: HTTPClient

    /// A client of the backend that a file describes.
    /// - Throws: `.backend` when the authority cannot be read.
    package init(_ file: BackendFile) throws(PhoneFault) {
        self.file = file
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.timeout.connect = .seconds(10)
        configuration.redirectConfiguration = .disallow
        if let path = file.ca {
            guard let roots = try? NIOSSLCertificate.fromPEMFile(path), !roots.isEmpty else {
                throw .backend("cannot read a CA certificate from \(path)")
            }
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .certificates(roots)
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Closes all connections.
    package func close() async {
        // Only a second close fails, and it changes nothing.
        try? await client.shutdown()
    }

    /// Asks the backend; every status is an answer.
    /// - Throws: `.backend` when there is none.
    package func ask(
        _ method: String,
        _ path: String,
        authorization: String?,
        json: String? = nil
    ) async throws(PhoneFault) -> BackendExchange {
        var request = HTTPClientRequest(url: "https://\(file.host):\(file.port)\(path)")
        request.method = HTTPMethod(rawValue: method)
        if let authorization { request.headers.add(name: "Authorization", value: authorization) }
        if let json {
            request.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
            request.body = .bytes(ByteBuffer(string: json))
        }
        do {
            let response = try await client.execute(request, timeout: .seconds(60))
            let content = try await response.body.collect(upTo: Self.answerBytesMax)
            return BackendExchange(
                method: method,
                path: path,
                headers: request.headers.map { header in
                    guard header.name == "Authorization" else {
                        return "\(header.name): \(header.value)"
                    }
                    return "Authorization: \(header.value.prefix { $0 != " " }) …"
                },
                body: Array((json ?? "").utf8),
                status: Int(response.status.code),
                mediaType: response.headers.first(name: "Content-Type") ?? "",
                answer: Array(content.readableBytesView)
            )
        } catch {
            throw .backend("\(error)")
        }
    }
}
