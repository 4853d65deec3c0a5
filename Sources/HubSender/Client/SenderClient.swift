package import AsyncHTTPClient
public import FoundationEssentials
package import HubEndpoint
import HubVocabulary
import NIOCore
import NIOHTTP1
import NIOSSL

/// Sends notifications and manages registrations over the REST API: TLS, HTTP/2 where offered.
///
///     let connection = try ConnectionString(parsing: text)
///     let sender = try SenderClient(connection, hub: "hub", caPath: caPath, retries: .standard)
///     let sent = try await sender.send(.template(["messageParam": "Hello"], to: "World"))
///     await sender.close()
///
/// With a retry policy a request whose hub is away is repeated, with the same idempotency key, so
/// that nothing is sent twice. The chapter `HubClient.docc` shows all kinds of sends, and a page for
/// each scenario.
public final class SenderClient: Sendable {
    /// The version of the API that requests name.
    public static let apiVersion = "2020-06"
    /// Seconds for which a token is valid; a new one is made for each request.
    public static let tokenSeconds: UInt64 = 1_200
    /// Bytes of an answer's body at most.
    public static let answerBytesMax = 4_194_304

    private static let handleHeader = "ServiceBusNotification-DeviceHandle"

    /// Endpoint, rule and key.
    package let connection: ConnectionString
    /// The hub's name; empty for rows of the server.
    package let hub: String
    let signer: SharedAccessSigner
    /// The client of its requests, with the authority that it trusts.
    package let client: HTTPClient
    private let owned: OwnedHTTPClient
    let timeout: TimeAmount
    let retries: RetryPolicy
    let answerBytesMax: Int
    let listPagesMax: Int
    /// When every attempt is given up; nil for never.
    let deadline: ContinuousClock.Instant?
    let onRequest: (@Sendable (SentRequest) -> Void)?

    /// A client for one hub.
    ///
    /// - Parameters:
    ///   - connection: endpoint, rule and key.
    ///   - hub: the hub's name.
    ///   - caPath: PEM file of the CA to trust instead of the system's; nil trusts the system's.
    ///   - timeoutSeconds: for one request with its answer.
    ///   - retries: what happens when the hub is away.
    ///   - answerBytesMax: bytes of an answer's body; a longer one counts as none.
    ///   - listPagesMax: pages of a list that are read; a longer one is an error.
    ///   - onRequest: told of each attempt when it has ended.
    /// - Throws: `.authorityUnreadable`.
    public init(
        _ connection: ConnectionString,
        hub: String,
        caPath: String? = nil,
        timeoutSeconds: Int64 = 30,
        retries: RetryPolicy = .never,
        answerBytesMax: Int = SenderClient.answerBytesMax,
        listPagesMax: Int = SenderClient.listPagesMax,
        onRequest: (@Sendable (SentRequest) -> Void)? = nil
    ) throws(SenderError) {
        self.connection = connection
        self.hub = hub
        self.retries = retries
        self.answerBytesMax = answerBytesMax
        self.listPagesMax = listPagesMax
        self.onRequest = onRequest
        deadline = nil
        signer = SharedAccessSigner(connection)
        timeout = .seconds(timeoutSeconds)
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.timeout.connect = .seconds(10)
        // Where nothing listens, the answer comes at once; repeats are the policy's.
        configuration.connectionPool.retryConnectionEstablishment = false
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
        owned = OwnedHTTPClient(client)
    }

    /// A client for the hub that a data folder describes, with its full rights.
    ///
    /// - Throws: `.authorityUnreadable`; `.answerMalformed` when the file's own connection string
    ///   cannot be read.
    public convenience init(
        _ file: ConnectionFile,
        retries: RetryPolicy = .never,
        onRequest: (@Sendable (SentRequest) -> Void)? = nil
    ) throws(SenderError) {
        let connection: ConnectionString
        do throws(ConnectionStringError) {
            connection = try ConnectionString(parsing: file.connectionStrings.full)
        } catch {
            throw .answerMalformed(reason: error.description)
        }
        try self.init(
            connection,
            hub: file.hub,
            caPath: file.ca,
            retries: retries,
            onRequest: onRequest
        )
    }

    /// The same client, on the same connections, for something that must be over at an instant.
    ///
    /// Every attempt ends then, and none begins later. Only the whole client is to be closed.
    public func until(_ deadline: ContinuousClock.Instant) -> SenderClient {
        SenderClient(self, deadline: deadline)
    }

    private init(_ other: SenderClient, deadline: ContinuousClock.Instant) {
        connection = other.connection
        hub = other.hub
        signer = other.signer
        client = other.client
        owned = other.owned
        timeout = other.timeout
        retries = other.retries
        answerBytesMax = other.answerBytesMax
        listPagesMax = other.listPagesMax
        onRequest = other.onRequest
        self.deadline = deadline
    }

    /// Closes all connections; the client cannot be used afterwards.
    public func close() async {
        // Only a second close fails, and it changes nothing.
        try? await client.shutdown()
    }

    /// Sends a notification: when this returns, the hub has it on stable storage.
    ///
    /// - Throws: `SenderError`.
    public func send(
        _ notification: OutgoingNotification
    ) async throws(SenderError) -> SentNotification {
        try await post(notification, to: "messages/")
    }

    /// Sends a notification to one push handle, whatever its registrations.
    ///
    /// - Throws: `SenderError`; status 400 for the template format, which needs registrations.
    public func sendDirect(
        _ notification: OutgoingNotification,
        to handle: String
    ) async throws(SenderError) -> SentNotification {
        try await post(
            notification,
            to: "messages/",
            query: "&direct",
            extra: [(Self.handleHeader, handle)]
        )
    }

    /// Schedules a notification: when this returns, the hub has it on stable storage and will send
    /// it once, at `time`, or at once when that has passed.
    ///
    /// The id in the answer is that of the schedule. `time` is a date and time such as
    /// `2026-05-06T18:30:00Z`, read as UTC when it names no zone.
    /// - Throws: `SenderError`; status 400 when the hub cannot read the time or it is too far ahead.
    public func schedule(
        _ notification: OutgoingNotification,
        at time: String
    ) async throws(SenderError) -> SentNotification {
        try await post(
            notification,
            to: "schedulednotifications/",
            extra: [("ServiceBusNotification-ScheduleTime", time)]
        )
    }

    /// Schedules a notification for a time; see above.
    ///
    /// - Throws: `SenderError`; status 400 when it is too far ahead.
    public func schedule(
        _ notification: OutgoingNotification,
        at time: Date
    ) async throws(SenderError) -> SentNotification {
        try await schedule(notification, at: time.formatted(.iso8601))
    }

    /// Cancels a scheduled notification: when this returns, it will never be sent.
    ///
    /// - Throws: `SenderError`; status 404 when it is unknown, was cancelled, or was sent.
    public func cancelSchedule(id: String) async throws(SenderError) {
        let path = "schedulednotifications/\(id)"
        _ = try await perform(.DELETE, path: path, headers: HTTPHeaders(), body: nil)
    }

    /// Sends a notification to at most ten of the registrations that it matches, and says what
    /// happens at each.
    ///
    /// - Throws: `SenderError`.
    public func test(_ notification: OutgoingNotification) async throws(SenderError) -> TestAnswer {
        let answer = try await perform(notification, to: "messages/", query: "&test")
        let location = answer.headers.first(name: "Location")
        guard let outcome = TestAnswer(xml: answer.text, location: location) else {
            throw .answerMalformed(reason: "there is no outcome")
        }
        return outcome
    }

    /// Posts a notification and reads where it is found.
    func post(
        _ notification: OutgoingNotification,
        to path: String,
        query: String = "",
        extra: [(String, String)] = []
    ) async throws(SenderError) -> SentNotification {
        let answer = try await perform(notification, to: path, query: query, extra: extra)
        let (location, id) = try answer.place
        return SentNotification(
            id: id,
            location: location,
            status: answer.status,
            trackingID: answer.headers.first(name: "TrackingId") ?? ""
        )
    }

    /// Posts a notification; what only asks for something takes no idempotency key.
    func perform(
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
        if let handle = notification.handle, !extra.contains(where: { $0.0 == Self.handleHeader }) {
            headers.add(name: Self.handleHeader, value: handle)
        }
        // A test send takes none, so it is not repeated either.
        let isTest = query == "&test" || path.hasPrefix("$belfry/")
        if !isTest { headers.add(name: "Idempotency-Key", value: notification.idempotencyKey) }
        for header in notification.headers { headers.add(name: header.name, value: header.value) }
        return try await perform(
            .POST,
            path: path,
            query: query,
            headers: headers,
            body: notification.body,
            isRepeatable: !isTest
        )
    }
}
