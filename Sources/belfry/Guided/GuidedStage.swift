import DeviceEmulator
import Foundation
import HubClient
import Synchronization

/// What came of a guided run.
struct GuidedResult: Codable, Equatable {
    /// One thing that must hold.
    struct Check: Codable, Equatable {
        var text: String
        var holds: Bool
    }

    var scenario: String
    var checks: [Check]

    /// Whether everything held, and there was something to hold.
    var isGood: Bool { !checks.isEmpty && checks.allSatisfy(\.holds) }
}

/// Where a guided run is played: hub, backend and phones, and what is told of them.
///
/// What it shows of requests and frames is what went over the wire, with credentials and push
/// handles cut short.
final class GuidedStage {
    let hub: ChildHub
    private(set) var backend: ChildBackend?
    private(set) var result: GuidedResult
    private let patience: Duration
    private let changedTag: (from: String, to: String)?
    private let write: (String) -> Void
    private var phones: [ChildPhone] = []
    private var step = 0
    private let requests = Recorder()
    /// How many requests of each phone and sender were shown.
    private var shown: [String: Int] = [:]

    /// Starts a hub.
    init(
        scenario: String,
        patience: Duration,
        changedTag: (from: String, to: String)?,
        write: @escaping (String) -> Void
    ) throws {
        result = GuidedResult(scenario: scenario, checks: [])
        self.patience = patience
        self.changedTag = changedTag
        self.write = write
        hub = try ChildHub()
        write("hub: process \(hub.pid), REST on port \(hub.connection.rest.port)")
    }

    /// Ends everybody, the phones first.
    func close() {
        for phone in phones { phone.stop() }
        backend?.stop()
        hub.stop()
    }

    // MARK: Who takes part

    /// Starts an app backend with users, whose passwords it makes up.
    func startBackend(users: [String]) async throws {
        let backend = try await ChildBackend(hubData: hub.folderPath, patience: patience * 2)
        self.backend = backend
        write("backend: process \(backend.pid)")
        for user in users { try backend.add(user, password: Self.password(of: user)) }
        write("users: \(users.joined(separator: ", "))")
    }

    static func password(of user: String) -> String { "the password of \(user)" }

    /// Starts a phone of a user, logs in and shows what that took.
    func loggedIn(
        _ user: String,
        platform: String = "apple",
        name: String? = nil,
        tags: [String] = []
    ) async throws -> ChildPhone {
        guard let backend else { throw Failure("there is no backend") }
        let phone = try ChildPhone(
            name ?? user,
            platform: platform,
            place: ["--backend-data", backend.folder],
            patience: patience
        )
        phones.append(phone)
        try await phone.perform(logIn(user, tags: tags))
        showRequests(of: phone)
        return phone
    }

    /// The command that logs a user in.
    func logIn(_ user: String, tags: [String] = []) -> PhoneCommand {
        PhoneCommand(.logIn, user: user, password: Self.password(of: user), tags: changed(tags))
    }

    /// Starts a phone with a Listen key that subscribes to tags with a template.
    func subscribed(
        _ name: String,
        platform: String,
        tags: [String],
        template: String
    ) async throws -> ChildPhone {
        let phone = try ChildPhone(
            name,
            platform: platform,
            place: ["--data", hub.folderPath],
            patience: patience
        )
        phones.append(phone)
        try await subscribe(phone, tags: tags, template: template)
        return phone
    }

    /// Lets a phone subscribe again, to other tags.
    func subscribe(_ phone: ChildPhone, tags: [String], template: String) async throws {
        let tags = changed(tags)
        try await phone.perform(PhoneCommand(.subscribe, tags: tags, text: template))
        write("   \(phone.label) subscribes to \(tags.joined(separator: ", "))")
        write("     template \(template)")
    }

    private func changed(_ tags: [String]) -> [String] {
        guard let changedTag else { return tags }
        return tags.map { $0 == changedTag.from ? changedTag.to : $0 }
    }

    // MARK: What is told

    /// Begins a step.
    func say(_ text: String) {
        step += 1
        write("\n\(step). \(text)")
    }

    /// Says whether something holds that must.
    func check(_ text: String, _ holds: Bool) {
        result.checks.append(GuidedResult.Check(text: text, holds: holds))
        write((holds ? Terminal.good("   ok   ") : "   WRONG ") + text)
    }

    /// Shows the requests that a phone made since it was last asked, and what the backend then asked
    /// the hub.
    func showRequests(of phone: ChildPhone) {
        for line in phone.lines.filter({ $0.event == .request }).dropFirst(shown[phone.name] ?? 0) {
            write("   \(phone.label) -> backend   \(Self.masked(line.request ?? ""))")
            for header in line.headers ?? [] { write("     \(header)") }
            if let body = line.body, !body.isEmpty { write("     \(Self.masked(body))") }
            write("     <- \(line.status ?? 0) \(line.mediaType ?? ""), \(line.bytes ?? 0) bytes")
            shown[phone.name, default: 0] += 1
        }
        showHubRequests()
    }

    /// Shows what the backend, or this program, asked the hub since it was last shown.
    func showHubRequests() {
        show(backend?.requests ?? [], of: "backend")
        show(requests.lines, of: "sender")
    }

    private func show(_ lines: [RequestLine], of name: String) {
        for line in lines.dropFirst(shown[name] ?? 0) {
            write("   \(name) -> hub   \(line.method) \(Self.masked(line.url))")
            for header in line.headers where header.count == 2 && header[0] != "Authorization" {
                write("     \(header[0]): \(Self.masked(header[1]))")
            }
            if !line.body.isEmpty { write("     \(Self.masked(line.body))") }
            write("     <- \(line.status.map(String.init) ?? "no answer")")
        }
        shown[name] = lines.count
    }

    /// Shows the frame that brought a notification to a phone.
    func showFrame(_ line: PhoneLine, on phone: ChildPhone) {
        let frame = line.frame ?? ""
        write("   hub -> \(phone.label)   DELIVER, \(frame.utf8.count / 2) bytes")
        var rest = frame[...]
        while !rest.isEmpty {
            write("     \(rest.prefix(64))")
            rest = rest.dropFirst(64)
        }
        write("     which says   \(line.payload ?? "")")
    }

    /// Waits until a phone has so many notifications, and shows the frame of the last.
    @discardableResult
    func arrived(_ count: Int, on phone: ChildPhone) async throws -> PhoneLine {
        _ = await phone.wait { lines in lines.count { $0.event == .push } >= count }
        let pushes = phone.pushes
        guard pushes.count >= count else {
            throw Failure("\(phone.label) has \(pushes.count) notifications of \(count)")
        }
        showFrame(pushes[count - 1], on: phone)
        return pushes[count - 1]
    }

    // MARK: What this program sends

    /// A sender with the hub's full key, or with that of its phones; its requests are shown.
    func sender(mayOnlyListen: Bool = false) throws -> SenderClient {
        var connection = hub.connection
        if mayOnlyListen { connection.connectionStrings.full = connection.connectionStrings.listen }
        do throws(SenderError) {
            return try SenderClient(connection) { [requests] in requests.add($0) }
        } catch {
            throw Failure(error)
        }
    }

    /// Cuts what could be a push handle or a token.
    static func masked(_ text: String) -> String {
        var result = ""
        var run = ""
        func flush() {
            result += run.utf8.count >= 40 ? "\(run.prefix(8))…" : run
            run = ""
        }
        for character in text {
            if character.isHexDigit {
                run.append(character)
            } else {
                flush()
                result.append(character)
            }
        }
        flush()
        return result
    }
}

/// Requests that this process made.
private final class Recorder: Sendable {
    private let state = Mutex<[RequestLine]>([])

    func add(_ request: SentRequest) { state.withLock { $0.append(RequestLine(request)) } }

    var lines: [RequestLine] { state.withLock { $0 } }
}
