import AsyncHTTPClient
import Foundation
import HubClient
import HubVocabulary
import NIOCore
import NIOHTTP1
import NIOSSL

/// Requests exactly as a test words them, over one version of HTTP.
final class RESTCaller: Sendable {
    /// An answer.
    struct Answer: Sendable {
        var status: Int
        var version: HTTPVersion
        var headers: [String: String]
        var text: String
    }

    private let connection: ConnectionFile
    private let client: HTTPClient

    init(
        _ connection: ConnectionFile,
        version: HTTPClient.Configuration.HTTPVersion = .automatic
    ) throws {
        self.connection = connection
        var configuration = HTTPClient.Configuration()
        configuration.httpVersion = version
        var tls = TLSConfiguration.makeClientConfiguration()
        if let authority = connection.ca { tls.trustRoots = .file(authority) }
        configuration.tlsConfiguration = tls
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// A test that fails does not come to `close`, and a client that was not shut down ends the
    /// process.
    deinit { try? client.syncShutdown() }

    func close() async { try? await client.shutdown() }

    /// Sends a body to the hub's messages.
    func send(
        _ body: String,
        format: String = "template",
        tags: String? = nil,
        headers: [String: String] = [:],
        authorization: String? = nil
    ) async throws -> Answer {
        var all = [
            "ServiceBusNotification-Format": format,
            "Content-Type": format == "windows"
                ? "application/xml" : "application/json;charset=utf-8",
        ]
        all["ServiceBusNotification-Tags"] = tags
        all.merge(headers) { _, new in new }
        return try await perform(
            .POST,
            "\(connection.hub)/messages/",
            headers: all,
            body: body,
            authorization: authorization ?? token(connection.connectionStrings.full)
        )
    }

    /// Sends a text to Apple's devices that want the world's news; its key is the text, or none.
    func sendNews(
        _ text: String,
        hasKey: Bool = true,
        headers: [String: String] = [:]
    ) async throws -> Answer {
        try await send(
            NewsFormat.payload(.apple, text),
            format: "apple",
            tags: "World",
            headers: hasKey ? headers.merging(["Idempotency-Key": text]) { $1 } : headers
        )
    }

    /// A request with a path below the namespace; `query` goes behind the version.
    func perform(
        _ method: HTTPMethod,
        _ path: String,
        query: String = "",
        headers: [String: String] = [:],
        body: String? = nil,
        content: HTTPClientRequest.Body? = nil,
        authorization: String?
    ) async throws -> Answer {
        var request = HTTPClientRequest(
            url: "https://localhost:\(connection.rest.port)/\(path)?api-version=2020-06\(query)"
        )
        request.method = method
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let authorization { request.headers.add(name: "Authorization", value: authorization) }
        request.body = content ?? body.map { .bytes(ByteBuffer(string: $0)) }
        let response = try await client.execute(request, timeout: .seconds(30))
        let content = try await response.body.collect(upTo: 1_048_576)
        return Answer(
            status: Int(response.status.code),
            version: response.version,
            headers: Dictionary(
                response.headers.map { ($0.name.lowercased(), $0.value) },
                uniquingKeysWith: { first, _ in first }
            ),
            text: String(buffer: content)
        )
    }

    /// A token of a connection string for the whole hub, valid for some seconds from now.
    func token(_ text: String, path: String? = nil, seconds: Int = 600) throws -> String {
        let string = try ConnectionString(parsing: text)
        let expiry = Int(Date().timeIntervalSince1970) + seconds
        return SharedAccessSigner(string).token(
            host: "localhost",
            path: path ?? connection.hub,
            expiry: UInt64(max(0, expiry))
        )
    }
}
