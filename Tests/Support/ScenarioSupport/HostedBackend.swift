import AppBackend
import AsyncHTTPClient
import Foundation
import HubClient
import HubSender
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL

/// An app backend inside the test process, over real HTTPS, beside a hub.
final class HostedBackend: Sendable {
    let folder: ScenarioFolder
    let options: BackendOptions
    let port: Int
    private let running: Task<Void, any Error>
    /// Reads the certificate again, as on SIGHUP.
    let reloadCertificate: @Sendable () -> Void
    private let client: HTTPClient
    private let owned: OwnedHTTPClient

    /// An answer of the backend.
    struct Answer: Sendable {
        var status: Int
        var headers: [String: String]
        var bytes: [UInt8]
        var text: String { String(decoding: bytes, as: UTF8.self) }

        /// A member of a JSON object, as text.
        func member(_ name: String) -> String? {
            let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
            return object?[name].map { "\($0)" }
        }
    }

    /// Starts on a free port beside a hub with a data folder and waits until it listens.
    init(
        hubData: String,
        in folder: ScenarioFolder = ScenarioFolder(),
        limits: (inout BackendLimits) -> Void = { _ in },
        options change: (inout BackendOptions) -> Void = { _ in }
    ) async throws {
        self.folder = folder
        var options = BackendOptions(hubData: hubData, data: folder.file("app"))
        options.port = 0
        options.limits.users.passwordCost = PasswordCost(logRounds: 4, blockSize: 8, parallelism: 1)
        options.limits.hub.patienceSeconds = 20
        limits(&options.limits)
        change(&options)
        self.options = options
        let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = try BackendServer(options, logger: silent)
        // The holder of the server holds its folder.
        reloadCertificate = { [weak server] in server?.reloadCertificate() }
        let listening = EventLog<BackendDescription>()
        running = Task {
            defer { listening.finish() }
            try await server.run { listening.append($0) }
        }
        let described = try await listening.wait(for: "a backend that listens") { !$0.isEmpty }
        port = described[0].port
        var configuration = HTTPClient.Configuration()
        configuration.httpVersion = .http1Only
        var tls = TLSConfiguration.makeClientConfiguration()
        if let authority = described[0].ca { tls.trustRoots = .file(authority) }
        configuration.tlsConfiguration = tls
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        owned = OwnedHTTPClient(client)
    }

    /// Runs a test with a hub and a backend that are stopped afterwards, whatever happens.
    static func run(
        limits: @Sendable (inout BackendLimits) -> Void = { _ in },
        _ body: (HostedHub, HostedBackend) async throws -> Void
    ) async throws {
        try await HostedHub.run { hub in
            let backend = try await HostedBackend(hubData: hub.folder.path, limits: limits)
            do {
                try await body(hub, backend)
            } catch {
                try await backend.stop()
                throw error
            }
            try await backend.stop()
        }
    }

    /// Ends the backend in order.
    func stop() async throws {
        try await client.shutdown()
        running.cancel()
        // Cancelling is what ends it; where requests are still answered after the limit, it says so.
        do { try await running.value } catch is CancellationError { return }
    }

    deinit { running.cancel() }

    /// Adds users whose password is their name behind `password of `.
    func add(_ names: String...) throws {
        let users = try BackendUsers(options)
        defer { users.close() }
        for name in names { try users.add(name, password: Array("password of \(name)".utf8)) }
    }

    /// Gives a user another password as the command does.
    func setPassword(of name: String, _ password: String) async throws {
        let users = try BackendUsers(options)
        defer { users.close() }
        try await users.setPassword(of: name, Array(password.utf8))
    }

    /// Removes a user as the command does.
    func remove(_ name: String) async throws {
        let users = try BackendUsers(options)
        defer { users.close() }
        try await users.remove(name)
    }

    /// The Basic header of a user that `add` added.
    static func basic(_ name: String, password: String? = nil) -> String {
        let text = "\(name):\(password ?? "password of \(name)")"
        return "Basic " + Data(text.utf8).base64EncodedString()
    }

    /// A request; as a user that `add` added, or with another header.
    func ask(
        _ method: HTTPMethod,
        _ path: String,
        as user: String? = nil,
        authorization: String? = nil,
        headers: [String: String] = [:],
        body: [UInt8]? = nil
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: "https://localhost:\(port)\(path)")
        request.method = method
        if let header = authorization ?? user.map({ Self.basic($0) }) {
            request.headers.add(name: "Authorization", value: header)
        }
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await client.execute(request, timeout: .seconds(60))
        let content = try await response.body.collect(upTo: 16_777_216)
        return Answer(
            status: Int(response.status.code),
            headers: Dictionary(
                response.headers.map { ($0.name.lowercased(), $0.value) },
                uniquingKeysWith: { first, _ in first }
            ),
            bytes: Array(content.readableBytesView)
        )
    }

    /// A request with a JSON body.
    func ask(
        _ method: HTTPMethod,
        _ path: String,
        as user: String,
        json: String
    ) async throws -> Answer {
        try await ask(
            method,
            path,
            as: user,
            headers: ["Content-Type": "application/json"],
            body: Array(json.utf8)
        )
    }

    /// Registers a handle for a user as an app does, and returns the registration's id.
    @discardableResult
    func register(
        _ user: String,
        handle: String,
        platform: String = "apns",
        tags: [String] = []
    ) async throws -> String {
        let reserved = try await ask(.POST, "/api/register?handle=\(handle)", as: user)
        let id = reserved.text.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        let put = try await self.put(
            user,
            id: id,
            handle: handle,
            platform: platform,
            tags: tags
        )
        guard reserved.status == 200, put.status == 200 else {
            throw Refused(description: "\(reserved.text) \(put.status) \(put.text)")
        }
        return id
    }

    /// The PUT of a registration.
    func put(
        _ user: String,
        id: String,
        handle: String,
        platform: String = "apns",
        tags: [String] = []
    ) async throws -> Answer {
        let list = tags.map(PlatformPayload.json).joined(separator: ",")
        return try await ask(
            .PUT,
            "/api/register/\(id)",
            as: user,
            json: #"{"Platform":"\#(platform)","Handle":"\#(handle)","Tags":[\#(list)]}"#
        )
    }

    /// Sends a text from user to user.
    func send(
        _ text: String,
        from user: String,
        to other: String,
        pns: String = "apns"
    ) async throws -> Answer {
        try await ask(
            .POST,
            "/api/notifications?pns=\(pns)&to_tag=\(other)",
            as: user,
            json: PlatformPayload.json(text)
        )
    }

    /// The backend refused what a test needs.
    struct Refused: Error, CustomStringConvertible { var description: String }
}

extension Phone {
    /// A device that is connected and registers nothing itself.
    static func bare(_ connection: ConnectionFile, name: String = "phone") async throws -> Phone {
        let phone = try Phone(connection, name: name)
        try await phone.connected(times: 1)
        return phone
    }
}
