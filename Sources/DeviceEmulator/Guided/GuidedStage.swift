import HubSender
import HubVocabulary

/// Where a guided run is played: hub, backend and phones, and what is told of them.
///
/// It shows requests and frames as they went over the wire, with credentials and push handles cut
/// short.
final class GuidedStage {
    let hub: ChildHub
    /// The push services of a run that has some.
    let fakes: [ChildFake]
    private(set) var backend: ChildBackend?
    private(set) var result: GuidedResult
    private let run: GuidedRun
    private let write: (String) -> Void
    private var phones: [ChildPhone] = []
    private var step = 0
    private let requests = SentRequests()
    /// How many requests of each phone and sender were shown.
    private var shown: [String: Int] = [:]

    /// Starts a hub.
    init(_ run: GuidedRun, write: @escaping (String) -> Void) async throws(ChildFault) {
        result = GuidedResult(scenario: run.scenario.rawValue)
        self.run = run
        self.write = write
        fakes = try await Self.fakes(of: run)
        do throws(ChildFault) {
            var options = ChildHub.Options()
            options.environment = try ChildFake.environment(fakes)
            hub = try await ChildHub(run.launcher, options)
        } catch {
            for fake in fakes { fake.stop() }
            throw error
        }
        tell("hub: process \(hub.pid), REST on port \(hub.connection.rest.port)")
    }

    /// Ends all processes, the phones first.
    func close() {
        for phone in phones { phone.stop() }
        backend?.stop()
        hub.stop()
        for fake in fakes { fake.stop() }
    }

    private static func fakes(of run: GuidedRun) async throws(ChildFault) -> [ChildFake] {
        guard run.scenario == .relay else { return [] }
        var fakes: [ChildFake] = []
        do throws(ChildFault) {
            for service in ChildFake.Service.allCases {
                fakes.append(
                    try await ChildFake(run.launcher, service, patience: run.patience)
                )
            }
        } catch {
            for fake in fakes { fake.stop() }
            throw error
        }
        return fakes
    }

    /// Gives the hub the credential of a fake; false when it takes none.
    func setCredential(of fake: ChildFake) throws(ChildFault) -> Bool {
        let command = try ChildProgram(
            run.launcher,
            ["hub", "credential", "set", "--data", hub.folder] + fake.credential
        )
        return command.finish() == 0
    }

    /// Waits until a fake has a message that holds a text, and shows it; nil when it does not come.
    func message(holding text: String, at fake: ChildFake) async -> ChildFake.Message? {
        guard let found = await fake.message(holding: text, run.patience) else { return nil }
        tell("   hub -> \(fake.service.name)   \(found.method) https://\(found.host)")
        tell("     \(Self.masked(found.path))")
        tell("     \(found.text)")
        tell("     <- \(found.status.map(String.init) ?? "no answer")")
        return found
    }

    // MARK: Who takes part

    /// Starts an app backend with users, whose passwords it makes up.
    func startBackend(users: [String]) async throws {
        let backend = try await ChildBackend(
            run.launcher,
            hubData: hub.folder,
            patience: run.patience * 2
        )
        self.backend = backend
        tell("backend: process \(backend.pid)")
        for user in users { try backend.add(user, password: Self.password(of: user)) }
        tell("users: \(users.joined(separator: ", "))")
    }

    static func password(of user: String) -> String { "the password of \(user)" }

    /// Starts a phone of a user, logs in and shows what that took.
    func loggedIn(
        _ user: String,
        platform: String = "apple",
        name: String? = nil,
        tags: [String] = []
    ) async throws -> ChildPhone {
        guard let backend else { preconditionFailure("a login on a stage without a backend") }
        let phone = try ChildPhone(
            run.launcher,
            name ?? user,
            platform: platform,
            place: ["--backend-data", backend.folder],
            patience: run.patience
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

    /// Starts a phone with a Listen key; it is there when it first does something.
    func phone(_ name: String, platform: String) throws(ChildFault) -> ChildPhone {
        let phone = try ChildPhone(
            run.launcher,
            name,
            platform: platform,
            place: ["--data", hub.folder],
            patience: run.patience
        )
        phones.append(phone)
        return phone
    }

    /// Starts a phone with a Listen key that subscribes to tags with a template.
    func subscribed(
        _ name: String,
        platform: String,
        tags: [String],
        template: String
    ) async throws -> ChildPhone {
        let phone = try phone(name, platform: platform)
        try await subscribe(phone, tags: tags, template: template)
        return phone
    }

    /// Lets a phone subscribe to these tags and no others.
    func subscribe(_ phone: ChildPhone, tags: [String], template: String) async throws {
        let tags = changed(tags)
        try await phone.perform(PhoneCommand(.subscribe, tags: tags, text: template))
        tell("   \(phone.label) subscribes to \(tags.joined(separator: ", "))")
        tell("     template \(template)")
    }

    private func changed(_ tags: [String]) -> [String] {
        guard let changedTag = run.changedTag else { return tags }
        return tags.map { $0 == changedTag.from ? changedTag.to : $0 }
    }

    // MARK: What is told

    /// Begins a step.
    func say(_ text: String) {
        step += 1
        if run.detail != .steps { write("") }
        write("\(step). \(text)")
    }

    /// Says whether something holds that must.
    func check(_ text: String, _ holds: Bool) {
        result.checks.append(GuidedResult.Check(text: text, holds: holds))
        if holds, run.detail != .steps {
            write((run.hasColours ? "\u{1B}[32m   ok   \u{1B}[0m" : "   ok   ") + text)
        } else if !holds {
            write("   WRONG " + text)
        }
    }

    /// Shows the requests that a phone made since it was last asked, and what the backend then asked
    /// the hub.
    func showRequests(of phone: ChildPhone) {
        let requests = phone.lines.compactMap(\.request)
        for request in requests.dropFirst(shown[phone.name] ?? 0) {
            tell("   \(phone.label) -> backend   \(Self.masked(request.request))")
            for header in request.headers { tell("     \(header)") }
            if !request.body.isEmpty { tell("     \(Self.masked(request.body))") }
            tell("     <- \(request.status) \(request.mediaType), \(request.bytes) bytes")
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
            tell("   \(name) -> hub   \(line.method) \(Self.masked(line.url))")
            for header in line.headers where header.count == 2 && header[0] != "Authorization" {
                tell("     \(header[0]): \(Self.masked(header[1]))")
            }
            if !line.body.isEmpty { tell("     \(Self.masked(line.body))") }
            tell("     <- \(line.status.map(String.init) ?? "no answer")")
        }
        shown[name] = lines.count
    }

    /// Shows the frame that brought a notification to a phone.
    func showFrame(_ push: PhoneLine.Push, on phone: ChildPhone) {
        let frame = push.frame ?? ""
        tell("   hub -> \(phone.label)   DELIVER, \(frame.utf8.count / 2) bytes")
        var rest = frame[...]
        while !rest.isEmpty {
            tell("     \(rest.prefix(64))")
            rest = rest.dropFirst(64)
        }
        tell("     which says   \(push.payload ?? "")")
    }

    /// Waits until a phone has so many notifications, and shows the frame of the last.
    /// - Throws: `.refused` when they do not come.
    @discardableResult
    func arrived(_ count: Int, on phone: ChildPhone) async throws(ChildFault) -> PhoneLine.Push {
        _ = await phone.wait { lines in lines.count { $0.event == .push } >= count }
        let pushes = phone.pushes
        guard pushes.count >= count else {
            let reason = "it has \(pushes.count) notifications of \(count)"
            throw .refused(what: phone.label, reason: reason)
        }
        showFrame(pushes[count - 1], on: phone)
        return pushes[count - 1]
    }

    /// Waits until a phone has a notification with this payload, and shows its frame; nil when it
    /// does not come.
    func arrival(of payload: String, on phone: ChildPhone) async -> PhoneLine.Push? {
        _ = await phone.wait { lines in
            lines.contains { $0.push?.payload == payload }
        }
        guard let push = phone.pushes.first(where: { $0.payload == payload }) else { return nil }
        showFrame(push, on: phone)
        return push
    }

    /// Tells who should have received what, and who did.
    func show(_ news: NewsTable) {
        result.news = news
        write("\n" + news.text)
    }

    /// Ends the run before its end.
    func end(_ fault: String) { result.fault = fault }

    /// A line that is left out when only steps, or their checks, are told.
    private func tell(_ line: String) {
        if run.detail == .everything { write(line) }
    }

    // MARK: What this program sends

    /// A sender with the hub's full key, or with that of its phones; its requests are shown.
    func sender(mayOnlyListen: Bool = false) throws(SenderError) -> SenderClient {
        var connection = hub.connection
        if mayOnlyListen { connection.connectionStrings.full = connection.connectionStrings.listen }
        return try SenderClient(connection) { [requests] in requests.add($0) }
    }

    /// Sends with the hub's full key, to everyone without tags, and shows the request.
    func send(_ properties: [String: String], to tags: String?) async throws(SenderError) {
        let sender = try sender()
        do throws(SenderError) {
            _ = try await sender.send(.template(properties, tags: tags))
        } catch {
            await sender.close()
            throw error
        }
        await sender.close()
        showHubRequests()
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
            if let byte = character.asciiValue, HexText.digit(byte) != nil {
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
