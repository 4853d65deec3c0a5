import AsyncHTTPClient
import FoundationEssentials
package import HubClient
import HubSender
import HubVocabulary
import NIOCore
import NIOHTTP1
import NIOSSL

/// Many senders: each has a connection of its own, and all use one token that was made before.
///
/// The senders' own work is not the hub's, so they do as little as possible for a request.
package final class RESTLoad: Sendable {
    /// The protocol of the connections.
    package enum Version: String, CaseIterable, Codable, Sendable {
        case http1 = "1.1"
        case http2 = "2"
    }

    private static let timeout: TimeAmount = .seconds(60)
    private static let answerBytesMax = 4_194_304

    /// Each has one connection, used by one sender, or by several at once with HTTP/2.
    private let clients: [HTTPClient]
    private let root: String
    private let token: String

    /// Senders to the hub that a data folder describes; they connect with their first request.
    ///
    /// - Throws: `.sending` when its authority or connection string cannot be read.
    package init(
        _ file: ConnectionFile,
        connections: Int,
        version: Version
    ) throws(BenchFailure) {
        let connection: ConnectionString
        do throws(ConnectionStringError) {
            connection = try ConnectionString(parsing: file.connectionStrings.full)
        } catch {
            throw .sending(.answerMalformed(reason: error.description))
        }
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.timeout.connect = .seconds(30)
        configuration.httpVersion = version == .http1 ? .http1Only : .automatic
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
        if let path = file.ca {
            do {
                var tls = TLSConfiguration.makeClientConfiguration()
                tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(path))
                configuration.tlsConfiguration = tls
            } catch {
                throw .sending(.authorityUnreadable(path: path))
            }
        }
        let host = connection.host.contains(":") ? "[\(connection.host)]" : connection.host
        let expiry = UInt64(max(0, Date.now.timeIntervalSince1970)) + 86_400
        root = "https://\(host):\(connection.port)/\(file.hub)/"
        token = SharedAccessSigner(connection).token(host: host, path: file.hub, expiry: expiry)
        clients = (0..<max(1, connections)).map { _ in
            HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        }
    }

    /// Closes all connections.
    package func close() async {
        // Only a second close fails, and it changes nothing.
        for client in clients { try? await client.shutdown() }
    }

    /// Sends a payload to the native registrations of FCM with a tag, and reads the answer.
    func send(_ body: [UInt8], tags: String, over connection: Int) async -> SendRecord {
        var request = request(.POST, "messages/?api-version=\(SenderClient.apiVersion)", body)
        request.headers.add(name: "Content-Type", value: "application/json;charset=utf-8")
        request.headers.add(
            name: "ServiceBusNotification-Format",
            value: Platform.gcm.format
        )
        request.headers.add(name: "ServiceBusNotification-Tags", value: tags)
        let sentAt = Instant.now
        do throws(SenderError) {
            let answer = try await execute(request, over: connection, wanted: 201).headers
            let answeredAt = Instant.now
            let id = answer.first(name: "Location")?.prefix { $0 != "?" }.split(separator: "/").last
            let name = id.flatMap { Self.identifier(String($0)) }
            return SendRecord(
                sentAt: sentAt,
                answeredAt: answeredAt,
                id: name,
                payloadBytes: body.count,
                failure: name == nil ? .answerMalformed(reason: "unknown id") : nil
            )
        } catch {
            return SendRecord(
                sentAt: sentAt,
                answeredAt: .now,
                id: nil,
                payloadBytes: body.count,
                failure: error
            )
        }
    }

    /// Sends many payloads in one request, each to the native registrations of FCM with its tag, and
    /// reads what the answer says of each.
    func send(
        _ sends: [(body: [UInt8], tags: String)],
        over connection: Int
    ) async -> [SendRecord] {
        var body: [UInt8] = []
        for send in sends {
            body += "{\"format\":\"\(Platform.gcm.format)\",\"tags\":\"\(send.tags)\",".utf8
            body += "\"body\":".utf8
            body += send.body
            body += "}\n".utf8
        }
        let path = "$belfry/messages?api-version=\(SenderClient.apiVersion)"
        var request = request(.POST, path, body)
        request.headers.add(name: "Content-Type", value: "application/x-ndjson")
        let sentAt = Instant.now
        var ids: [NotificationIdentifier?] = []
        var failure: SenderError?
        do throws(SenderError) {
            let answer = try await execute(request, over: connection, wanted: 200)
            ids = answer.body.readableBytesView.split(separator: UInt8(ascii: "\n"))
                .map(Self.identifier(ofLine:))
        } catch {
            failure = error
        }
        let answeredAt = Instant.now
        return sends.enumerated().map { index, send in
            let id = index < ids.count ? ids[index] : nil
            return SendRecord(
                sentAt: sentAt,
                answeredAt: answeredAt,
                id: id,
                payloadBytes: send.body.count,
                failure: id == nil
                    ? failure ?? .answerMalformed(reason: "line \(index + 1) was refused") : nil
            )
        }
    }

    private static func identifier(_ id: String) -> NotificationIdentifier? {
        NotificationIdentifier(uuidText: String(id.prefix { $0 != "-" }))
            ?? NotificationIdentifier(uuidText: String(id.prefix(36)))
    }

    /// The id in a line of the hub's answer, `{"line":1,"status":201,"id":"…`; nil for a refusal.
    ///
    /// Looked for as it is written, since reading the whole would cost more than sending it.
    private static func identifier(ofLine line: some Collection<UInt8>) -> NotificationIdentifier? {
        let mark = Array("\"status\":201,\"id\":\"".utf8)
        guard let found = line.firstRange(of: mark) else { return nil }
        let id = line[found.upperBound...].prefix { $0 != UInt8(ascii: "\"") }
        return identifier(String(decoding: id, as: UTF8.self))
    }

    /// Creates or overwrites an installation, and reads the answer; the record has no id.
    func putInstallation(
        _ id: String,
        _ document: [UInt8],
        over connection: Int
    ) async -> SendRecord {
        let path = "installations/\(id)?api-version=\(SenderClient.apiVersion)"
        var request = request(.PUT, path, document)
        request.headers.add(name: "Content-Type", value: "application/json")
        let sentAt = Instant.now
        do throws(SenderError) {
            _ = try await execute(request, over: connection, wanted: 200)
            let answeredAt = Instant.now
            return SendRecord(
                sentAt: sentAt,
                answeredAt: answeredAt,
                id: nil,
                payloadBytes: document.count,
                failure: nil
            )
        } catch {
            return SendRecord(
                sentAt: sentAt,
                answeredAt: .now,
                id: nil,
                payloadBytes: document.count,
                failure: error
            )
        }
    }

    private func request(
        _ method: HTTPMethod,
        _ path: String,
        _ body: [UInt8]
    ) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: root + path)
        request.method = method
        request.headers.add(name: "Authorization", value: token)
        request.body = .bytes(ByteBuffer(bytes: body))
        return request
    }

    private func execute(
        _ request: HTTPClientRequest,
        over connection: Int,
        wanted: Int
    ) async throws(SenderError) -> (headers: HTTPHeaders, body: ByteBuffer) {
        let client = clients[connection % clients.count]
        let response: HTTPClientResponse
        let body: ByteBuffer
        do {
            response = try await client.execute(request, timeout: Self.timeout)
            body = try await response.body.collect(upTo: Self.answerBytesMax)
        } catch {
            throw .unanswered(reason: String(describing: error))
        }
        let status = Int(response.status.code)
        guard status == wanted else {
            throw .refused(
                RefusedRequest(
                    status: status,
                    code: status,
                    detail: String(buffer: body),
                    retryAfterSeconds: nil
                )
            )
        }
        return (response.headers, body)
    }
}
