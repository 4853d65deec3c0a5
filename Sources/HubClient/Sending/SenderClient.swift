import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1
import NIOSSL

/// Sends notifications and manages registrations over the REST API: TLS, HTTP/2 where offered.
///
///     let connection = try ConnectionString(parsing: text)
///     let sender = try SenderClient(connection, hub: "hub", caPath: "data/ca.pem")
///     let sent = try await sender.send(.template(["messageParam": "Hello"], tags: "World"))
///     print(sent.id)
///     await sender.close()
package final class SenderClient: Sendable {
    /// The version of the API that requests name.
    package static let apiVersion = "2020-06"
    /// Seconds for which a token is valid; a new one is made for each request.
    package static let tokenSeconds: UInt64 = 1_200

    private let connection: ConnectionString
    private let hub: String
    private let signer: SharedAccessSigner
    private let client: HTTPClient
    private let timeout: TimeAmount

    /// A client for one hub.
    ///
    /// - Parameters:
    ///   - connection: endpoint, rule and key.
    ///   - hub: the hub's name.
    ///   - caPath: PEM file of the CA to trust instead of the system's; nil trusts the system's.
    ///   - timeoutSeconds: for one request with its answer.
    /// - Throws: `.authorityUnreadable`.
    package init(
        _ connection: ConnectionString,
        hub: String,
        caPath: String? = nil,
        timeoutSeconds: Int64 = 30
    ) throws(SenderError) {
        self.connection = connection
        self.hub = hub
        signer = SharedAccessSigner(connection)
        timeout = .seconds(timeoutSeconds)
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.timeout.connect = .seconds(10)
        configuration.httpVersion = .automatic
        configuration.redirectConfiguration = .disallow
        if let caPath {
            do {
                let roots = try NIOSSLCertificate.fromPEMFile(caPath)
                guard !roots.isEmpty else { throw SenderError.authorityUnreadable(path: caPath) }
                var tls = TLSConfiguration.makeClientConfiguration()
                tls.trustRoots = .certificates(roots)
                configuration.tlsConfiguration = tls
            } catch {
                throw .authorityUnreadable(path: caPath)
            }
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// A client for the hub that a data folder describes, with its full rights.
    ///
    /// - Throws: `.authorityUnreadable`; `.answerMalformed` when the file's own connection string
    ///   cannot be read.
    package convenience init(_ file: ConnectionFile) throws(SenderError) {
        let connection: ConnectionString
        do throws(ConnectionStringError) {
            connection = try ConnectionString(parsing: file.connectionStrings.full)
        } catch {
            throw .answerMalformed(reason: error.description)
        }
        try self.init(connection, hub: file.hub, caPath: file.ca)
    }

    /// Closes all connections; the client cannot be used afterwards.
    package func close() async {
        // Only a second close fails, and it changes nothing.
        try? await client.shutdown()
    }

    /// Sends a notification: when this returns, the hub has it on stable storage.
    ///
    /// - Throws: `SenderError`.
    package func send(
        _ notification: OutgoingNotification
    ) async throws(SenderError) -> SentNotification {
        try await post(notification, to: "messages/")
    }

    /// Schedules a notification: when this returns, the hub has it on stable storage and will send
    /// it once, at `time`, or at once when that has passed.
    ///
    /// The id in the answer is that of the schedule. `time` is a date and time such as
    /// `2026-05-06T18:30:00Z`, read as UTC when it names no zone.
    /// - Throws: `SenderError`; status 400 when the hub cannot read the time or it is too far ahead.
    package func schedule(
        _ notification: OutgoingNotification,
        at time: String
    ) async throws(SenderError) -> SentNotification {
        try await post(
            notification,
            to: "schedulednotifications/",
            extra: [("ServiceBusNotification-ScheduleTime", time)]
        )
    }

    /// Cancels a scheduled notification: when this returns, it will never be sent.
    ///
    /// - Throws: `SenderError`; status 404 when it is unknown, was cancelled, or was sent.
    package func cancelSchedule(id: String) async throws(SenderError) {
        let path = "schedulednotifications/\(id)"
        _ = try await perform(.DELETE, path: path, headers: HTTPHeaders(), body: nil)
    }

    /// Sends a notification to at most ten of the registrations that it matches, and says what
    /// happens at each.
    ///
    /// - Throws: `SenderError`.
    package func test(_ notification: OutgoingNotification) async throws(SenderError) -> TestAnswer
    {
        let answer = try await perform(notification, to: "messages/", query: "&test")
        let location = answer.headers.first(name: "Location")
        guard let outcome = TestAnswer(xml: answer.text, location: location) else {
            throw .answerMalformed(reason: "there is no outcome")
        }
        return outcome
    }

    private func post(
        _ notification: OutgoingNotification,
        to path: String,
        extra: [(String, String)] = []
    ) async throws(SenderError) -> SentNotification {
        let answer = try await perform(notification, to: path, extra: extra)
        guard let location = answer.headers.first(name: "Location"),
            let id = location.split(separator: "?")[0].split(separator: "/").last
        else { throw .answerMalformed(reason: "there is no Location") }
        return SentNotification(
            id: String(id),
            location: location,
            status: answer.status,
            trackingID: answer.headers.first(name: "TrackingId") ?? ""
        )
    }

    private func perform(
        _ notification: OutgoingNotification,
        to path: String,
        query: String = "",
        extra: [(String, String)] = []
    ) async throws(SenderError) -> Answer {
        var headers = HTTPHeaders(extra)
        headers.add(name: "Content-Type", value: notification.contentType)
        headers.add(
            name: "ServiceBusNotification-Format",
            value: notification.format.headerValue
        )
        if let tags = notification.tags {
            headers.add(name: "ServiceBusNotification-Tags", value: tags)
        }
        // A test send takes none.
        if query.isEmpty {
            headers.add(name: "Idempotency-Key", value: notification.idempotencyKey)
        }
        for header in notification.headers { headers.add(name: header.name, value: header.value) }
        return try await perform(
            .POST,
            path: path,
            query: query,
            headers: headers,
            body: notification.body
        )
    }

    /// Creates a registration; the hub gives it an id.
    ///
    /// - Throws: `SenderError`.
    package func createRegistration(
        _ entry: RegistrationEntry
    ) async throws(SenderError) -> RegistrationAnswer {
        try await registration(.POST, path: "registrations/", body: entry.xml())
    }

    /// Creates or replaces the registration with an id.
    ///
    /// - Throws: `SenderError`; status 412 when `etag` is given and is not the stored one.
    package func putRegistration(
        id: String,
        _ entry: RegistrationEntry,
        etag: String? = nil
    ) async throws(SenderError) -> RegistrationAnswer {
        let condition = etag.map { [("If-Match", "\"\($0)\"")] } ?? []
        return try await registration(
            .PUT,
            path: "registrations/\(id)",
            body: entry.xml(),
            extra: condition
        )
    }

    /// Reads the registration with an id.
    ///
    /// - Throws: `SenderError`; status 404 when there is none.
    package func registration(id: String) async throws(SenderError) -> RegistrationAnswer {
        try await registration(.GET, path: "registrations/\(id)", body: nil)
    }

    /// Deletes the registration with an id, whatever its version.
    ///
    /// - Throws: `SenderError`; status 404 when there is none.
    package func deleteRegistration(id: String) async throws(SenderError) {
        var headers = HTTPHeaders()
        headers.add(name: "If-Match", value: "*")
        _ = try await perform(.DELETE, path: "registrations/\(id)", headers: headers, body: nil)
    }

    private func registration(
        _ method: HTTPMethod,
        path: String,
        body: String?,
        extra: [(String, String)] = []
    ) async throws(SenderError) -> RegistrationAnswer {
        var headers = HTTPHeaders(extra)
        if body != nil {
            headers.add(
                name: "Content-Type",
                value: "application/atom+xml;type=entry;charset=utf-8"
            )
        }
        let answer = try await perform(
            method,
            path: path,
            headers: headers,
            body: body.map { Array($0.utf8) }
        )
        guard let registration = RegistrationAnswer(xml: answer.text) else {
            throw .answerMalformed(reason: "there is no RegistrationId")
        }
        return registration
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

    private struct Answer {
        let status: Int
        let headers: HTTPHeaders
        let text: String
    }

    private func perform(
        _ method: HTTPMethod,
        path: String,
        query: String = "",
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
            throw .unanswered(reason: String(describing: error))
        }
        guard 200..<300 ~= answer.status else { throw .refused(Self.refusal(answer)) }
        return answer
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
