import Crypto
import HTTPTypes
import HubConsole
import HubREST
import HubRules
import HubVocabulary
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

/// The console in front of a hub, asked as a browser asks.
final class ConsoleWorld: Sendable {
    /// A signed-in browser.
    struct Browser: Sendable {
        let cookie: String

        /// What forms of its pages carry.
        var token: String {
            let text = Array("form \(cookie)".utf8).map { $0 }
            let plain = String(decoding: text, as: UTF8.self).uppercased()
                .filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
            return SHA256.hash(data: Array(plain.utf8)).map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }.joined()
        }
    }

    struct Reply {
        var status: Int
        var headers: HTTPFields
        var body: String

        subscript(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
    }

    /// What the wiring keeps: sessions, and what every rule is.
    private final class Memory: Sendable {
        let rule = Mutex((key: "key-1", rights: [AccessRight.manage]))
        let kept: Mutex<[ConsoleSession]>
        init(_ kept: [ConsoleSession]) { self.kept = Mutex(kept) }
    }

    let hub = ConsoleHub()
    let signIns: SignIns
    private let memory: Memory
    private let acts = Mutex<[ConsoleAct]>([])
    private let settings = Mutex((access: ConsoleAccess.loopback, names: [String](), audits: true))

    init(limits: ConsoleLimits = ConsoleLimits(), kept: [ConsoleSession] = []) {
        let (hub, memory) = (hub, Memory(kept))
        self.memory = memory
        signIns = SignIns(
            limits: limits,
            kept: kept,
            now: { hub.now },
            rules: { share in
                let (key, rights) = memory.rule.withLock { $0 }
                // An empty list of rights is no rule.
                let rule = try? AccessRule(
                    name: share.rule,
                    primaryKey: key,
                    secondaryKey: "second",
                    rights: rights
                )
                return rule.map { [$0] } ?? []
            },
            keep: { sessions in memory.kept.withLock { $0 = sessions } }
        )
    }

    // MARK: What tests set and read

    var audit: [ConsoleAct] { acts.withLock { $0 } }
    var keptSessions: [ConsoleSession] { memory.kept.withLock { $0 } }
    func open(to access: ConsoleAccess) { settings.withLock { $0.access = access } }
    func name(_ names: [String]) { settings.withLock { $0.names = names } }
    func breakAudit() { settings.withLock { $0.audits = false } }
    func changeKeys() { memory.rule.withLock { $0.key = "key-2" } }
    func changeRights(_ rights: [AccessRight]) { memory.rule.withLock { $0.rights = rights } }

    func code(
        _ role: ConsoleRole = .manager,
        hub: HubName? = nil,
        hours: Int = 8,
        name: String = "alice",
        rule: String = "Root"
    ) throws -> ConsoleCode {
        try signIns.code(
            ConsoleCodeRequest(
                purpose: .signIn(role, hours: hours),
                hub: hub,
                rule: rule,
                name: name
            )
        )
    }

    func digits(hub: HubName? = nil) throws -> String {
        try signIns.code(
            ConsoleCodeRequest(purpose: .confirm, hub: hub, rule: "Root", name: "alice")
        ).text
    }

    // MARK: Asking

    func browser(
        _ role: ConsoleRole = .manager,
        hub: HubName? = nil,
        name: String = "alice",
        rule: String = "Root"
    ) async throws -> Browser {
        let code = try code(role, hub: hub, name: name, rule: rule).text
        let reply = try await send("POST", "sign-in", form: ["code": code])
        let cookie = try #require(reply["Set-Cookie"])
        return Browser(cookie: String(cookie.dropFirst("__Host-belfry=".count).prefix(64)))
    }

    func confirm(_ browser: Browser, hub: HubName? = nil) async throws {
        let reply = try await post("confirm", browser, ["digits": try digits(hub: hub)])
        #expect(reply.status == 303)
    }

    func get(_ path: String, _ browser: Browser? = nil) async throws -> Reply {
        try await send("GET", path, browser)
    }

    func post(
        _ path: String,
        _ browser: Browser,
        _ form: KeyValuePairs<String, String> = [:]
    ) async throws -> Reply {
        var fields = form.map { ($0.key, $0.value) }
        fields.append(("token", browser.token))
        return try await send("POST", path, browser, fields: fields)
    }

    func send(
        _ method: String,
        _ path: String,
        _ browser: Browser? = nil,
        form: KeyValuePairs<String, String> = [:],
        headers: [(String, String)] = [("Sec-Fetch-Site", "same-origin")]
    ) async throws -> Reply {
        let fields = form.map { ($0.key, $0.value) }
        return try await send(method, path, browser, fields: fields, headers: headers)
    }

    func send(
        _ method: String,
        _ path: String,
        _ browser: Browser? = nil,
        fields: [(String, String)],
        headers: [(String, String)] = [("Sec-Fetch-Site", "same-origin")]
    ) async throws -> Reply {
        var sent = HTTPFields()
        for (name, value) in headers {
            sent.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        if method == "POST", sent[.contentType] == nil {
            sent[.contentType] = "application/x-www-form-urlencoded"
        }
        if let browser { sent[.cookie] = "other=1; __Host-belfry=\(browser.cookie)" }
        let body = fields.map { "\($0)=\(PercentCoding.encoded($1))" }.joined(separator: "&")
        let verb = try #require(HTTPRequest.Method(method))
        let uri = path.hasPrefix("/") ? path : "/$belfry/ui/\(path)"
        let sentFields = sent
        return try await Application(responder: responder).test(.router) { client in
            let response = try await client.execute(
                uri: uri,
                method: verb,
                headers: sentFields,
                body: method == "POST" ? ByteBuffer(string: body) : nil
            )
            return Reply(
                status: response.status.code,
                headers: response.headers,
                body: String(buffer: response.body)
            )
        }
    }

    /// Posts an empty form, and does something before its body comes.
    ///
    /// - Returns: The status of the answer.
    func post(
        _ path: String,
        _ browser: Browser,
        before body: @escaping @Sendable () -> Void
    ) async throws -> Int {
        let parts = Mutex([ByteBuffer(string: "token=\(browser.token)")])
        let stream = AsyncStream<ByteBuffer> {
            body()
            return parts.withLock { $0.popLast() }
        }
        var fields: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded",
            .cookie: "__Host-belfry=\(browser.cookie)",
        ]
        fields[try #require(HTTPField.Name("Sec-Fetch-Site"))] = "same-origin"
        let head = HTTPRequest(
            method: .post,
            scheme: "https",
            authority: "hub.example.net:8443",
            path: "/$belfry/ui/\(path)",
            headerFields: fields
        )
        let source = ApplicationRequestContextSource(
            channel: EmbeddedChannel(),
            logger: Logger(label: "test")
        )
        return try await responder.respond(
            to: Request(head: head, body: RequestBody(asyncSequence: stream)),
            context: BasicRequestContext(source: source)
        ).status.code
    }

    private var responder: ConsoleResponder<BasicRequestContext> {
        var rest = RESTConfiguration(externalHost: "hub.example.net:8443")
        rest.consoleCodes = signIns
        var console = ConsoleConfiguration(service: hub, signIns: signIns, rest: rest) { act in
            guard self.settings.withLock({ $0.audits }) else { return false }
            self.acts.withLock { $0.append(act) }
            return true
        }
        (console.access, console.names) = settings.withLock { ($0.access, $0.names) }
        return ConsoleResponder(HubResponder(service: hub, configuration: rest), console)
    }
}
