import Foundation
import HubClient
import HubServer
import HubVocabulary
import HubWire
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("Hubs that come and go")
struct HubManagementTests {
    private static let connect =
        "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"

    static func description(_ members: String = "") -> String {
        "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\">"
            + "<NotificationHubDescription xmlns=\"\(connect)\">\(members)"
            + "</NotificationHubDescription></content></entry>"
    }

    /// An administrator of a namespace.
    private struct Administrator {
        let caller: RESTCaller
        let connection: ConnectionFile

        init(_ connection: ConnectionFile) throws {
            caller = try RESTCaller(connection)
            self.connection = connection
        }

        func ask(
            _ method: HTTPMethod,
            _ path: String,
            headers: [String: String] = [:],
            body: String? = nil
        ) async throws -> RESTCaller.Answer {
            let root = try #require(connection.connectionStrings.namespace)
            return try await caller.perform(
                method,
                path,
                headers: headers,
                body: body,
                authorization: caller.token(root, path: "")
            )
        }

        /// Makes a hub; how devices and senders reach it.
        func create(_ name: String) async throws -> ConnectionFile {
            let answer = try await ask(.PUT, name, body: description())
            #expect(answer.status == 201, "\(answer.text)")
            return try self.connection(to: name, answer.text)
        }

        /// How a hub is reached by the keys that its entry shows.
        func connection(to name: String, _ entry: String) throws -> ConnectionFile {
            var made = connection
            made.hub = name
            func string(_ rule: String) throws -> String {
                let start = try #require(
                    entry.firstRange(of: "<KeyName>\(rule)</KeyName><PrimaryKey>")
                )
                let key = entry[start.upperBound...].prefix { $0 != "<" }
                return
                    "Endpoint=sb://localhost:\(connection.rest.port)/;SharedAccessKeyName=\(rule)"
                    + ";SharedAccessKey=\(key)"
            }
            made.connectionStrings.full = try string("DefaultFullSharedAccessSignature")
            made.connectionStrings.listen = try string("DefaultListenSharedAccessSignature")
            made.connectionStrings.send = try string("DefaultSendSharedAccessSignature")
            return made
        }
    }

    private static func send(_ text: String, to connection: ConnectionFile) async throws -> Int {
        let caller = try RESTCaller(connection)
        let body = #"{"aps":{"alert":"\#(text)"}}"#
        let status = try await caller.send(body, format: "apple", tags: "World").status
        await caller.close()
        return status
    }

    private static let choice = RegistrationChoice(platform: .apple, tags: ["World"])

    @Test("a new hub serves at once beside the first, neither sees the other, also after a restart")
    func created() async throws {
        let hub = try await RunningHub.startRestartable()
        let admin = try Administrator(hub.connection)
        let sports = try await admin.create("Sports")
        let first = try await Phone.subscribed(hub.connection, name: "first", Self.choice)
        let store = MemoryDeviceStore()
        let second = try Phone(sports, name: "second", store: store)
        try await second.register(Self.choice)
        #expect(try await Self.send("for the first", to: hub.connection) == 201)
        #expect(try await Self.send("for sports", to: sports) == 201)
        try await first.receive(1)
        try await second.receive(1)
        #expect(first.texts == [#"{"aps":{"alert":"for the first"}}"#])
        #expect(second.texts == [#"{"aps":{"alert":"for sports"}}"#])
        let list = try await admin.ask(.GET, "sports/registrations")
        #expect(list.text.components(separatedBy: "<entry ").count == 2, "\(list.text)")
        // A key of one hub opens nothing of the other, on REST or on the link.
        var crossed = sports
        crossed.hub = hub.connection.hub
        #expect(try await Self.send("crossed", to: crossed) == 401)
        let stranger = try Phone(crossed, name: "stranger")
        try await stranger.disconnected(times: 1)
        #expect(stranger.openings.isEmpty)
        for phone in [first, second, stranger] { await phone.close() }
        await admin.caller.close()
        let code = try await hub.terminate()
        #expect(code == 0, "\(hub.program.errors.events)")

        let again = try await hub.startedAgain()
        #expect(again.connection.hub == hub.connection.hub)
        let back = try Phone(sports, name: "back", store: store)
        #expect(try await Self.send("after the restart", to: sports) == 201)
        try await back.receive(containing: "after the restart")
        await back.close()
        let end = try await again.terminate()
        #expect(end == 0, "\(again.program.errors.events)")
    }

    @Test("a hub's own Manage key reads the hub's entry, and is told why it may do no more")
    func ownKey() async throws {
        let hub = try await RunningHub.start()
        let caller = try RESTCaller(hub.connection)
        let strings = hub.connection.connectionStrings
        let name = hub.connection.hub
        let own = try caller.token(strings.full)
        let read = try await caller.perform(.GET, name, authorization: own)
        #expect(read.status == 200, "\(read.text)")
        #expect(read.text.contains("<KeyName>DefaultListenSharedAccessSignature</KeyName>"))
        for method in [HTTPMethod.PUT, .DELETE] {
            let answer = try await caller.perform(
                method,
                name,
                body: Self.description(""),
                authorization: own
            )
            #expect(answer.status == 403, "\(answer.text)")
            #expect(answer.text.contains("Manage claim is required"), "\(answer.text)")
            #expect(answer.text.contains("A rule of the namespace"), "\(answer.text)")
        }
        let listen = try await caller.perform(
            .GET,
            name,
            authorization: caller.token(strings.listen)
        )
        #expect(listen.status == 403, "\(listen.text)")
        #expect(!listen.text.contains("namespace"), "\(listen.text)")
        await caller.close()
        #expect(try await hub.terminate() == 0)
    }

    @Test("the life of registrations is what the hub's entry says, also after a restart")
    func registrationLife() async throws {
        var hub = try await RunningHub.startRestartable()
        var admin = try Administrator(hub.connection)
        let sports = try await admin.create("sports")
        func expiry() async throws -> String {
            let caller = try RESTCaller(sports)
            let answer = try await caller.perform(
                .POST,
                "sports/registrations",
                body: "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"text/xml\">"
                    + "<GcmRegistrationDescription xmlns=\"\(Self.connect)\"><GcmRegistrationId>x"
                    + "</GcmRegistrationId></GcmRegistrationDescription></content></entry>",
                authorization: caller.token(sports.connectionStrings.listen)
            )
            await caller.close()
            #expect(answer.status == 200, "\(answer.text)")
            let start = try #require(answer.text.firstRange(of: "<ExpirationTime>")).upperBound
            return String(answer.text[start...].prefix(10))
        }
        func day(_ days: Double) -> String {
            let time = Date().addingTimeInterval(days * 86_400)
            return String(time.formatted(Date.ISO8601FormatStyle()).prefix(10))
        }
        #expect(try await expiry() == "9999-12-31")
        let changed = try await admin.ask(
            .PUT,
            "sports",
            headers: ["If-Match": "*"],
            body: Self.description("<RegistrationTtl>P90D</RegistrationTtl>")
        )
        #expect(changed.text.contains("<RegistrationTtl>P90D</RegistrationTtl>"), "\(changed)")
        for isAgain in [false, true] {
            let early = day(90)
            let found = try await expiry()
            #expect([early, day(90)].contains(found), "\(found)")
            guard !isAgain else { break }
            #expect(try await hub.terminate() == 0)
            hub = try await hub.startedAgain()
            await admin.caller.close()
            admin = try Administrator(hub.connection)
        }
        let short = try await admin.ask(
            .PUT,
            "sports",
            headers: ["If-Match": "*"],
            body: Self.description("<RegistrationTtl>PT1H</RegistrationTtl>")
        )
        #expect(short.status == 400 && short.text.contains("RegistrationTtl"), "\(short)")
        await admin.caller.close()
        #expect(try await hub.terminate() == 0)
    }

    @Test("bulk jobs go with their hub, the one that runs too")
    func jobs() async throws {
        let files = try await FileServer(["/in.txt": .beginning("not yet")])
        let hub = try await RunningHub.start(["--jobs-url", files.address])
        let admin = try Administrator(hub.connection)
        _ = try await admin.create("sports")
        let job =
            "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\">"
            + "<NotificationHubJob xmlns=\"\(Self.connect)\"><Type>ImportCreateRegistrations</Type>"
            + "<OutputContainerUri>file:///</OutputContainerUri><ImportFileUri>"
            + "\(files.address)/in.txt</ImportFileUri></NotificationHubJob></content></entry>"
        let begun = try await admin.ask(.POST, "sports/jobs", body: job)
        #expect(begun.status == 201, "\(begun.text)")
        try await files.visits.wait(for: "a job that reads") { !$0.isEmpty }
        #expect(try await admin.ask(.DELETE, "sports").status == 200)
        let folder = hub.folder.file("hubs/sports")
        #expect(!FileManager.default.fileExists(atPath: folder))
        _ = try await admin.create("sports")
        let list = try await admin.ask(.GET, "sports/jobs")
        #expect(list.status == 200 && !list.text.contains("<entry"), "\(list.text)")
        await admin.caller.close()
        #expect(try await hub.terminate() == 0)
        try await files.close()
    }

    @Test("new keys are in force with the answer, on REST and on the device link")
    func rotated() async throws {
        try await HostedHub.run { hub in
            let admin = try Administrator(hub.connection)
            let old = try await admin.create("sports")
            #expect(try await Self.send("before", to: old) == 201)
            let rules = ["Full": "Manage", "Listen": "Listen", "Send": "Send"].map { name, right in
                "<AuthorizationRule><Rights><AccessRights>\(right)</AccessRights></Rights>"
                    + "<KeyName>Default\(name)SharedAccessSignature</KeyName>"
                    + "<PrimaryKey>new-\(name)</PrimaryKey><SecondaryKey>other</SecondaryKey>"
                    + "</AuthorizationRule>"
            }
            let answer = try await admin.ask(
                .PUT,
                "sports",
                headers: ["If-Match": "*"],
                body: Self.description(
                    "<AuthorizationRules>\(rules.joined())</AuthorizationRules>"
                )
            )
            #expect(answer.status == 200, "\(answer.text)")
            let new = try admin.connection(to: "sports", answer.text)
            #expect(try await Self.send("with the old key", to: old) == 401)
            #expect(try await Self.send("with the new key", to: new) == 201)
            let refused = try Phone(old, name: "old key")
            try await refused.disconnected(times: 1)
            #expect(refused.openings.isEmpty)
            let phone = try await Phone.subscribed(new, name: "new key", Self.choice)
            #expect(try await Self.send("hello", to: new) == 201)
            try await phone.receive(containing: "hello")
            // What programs on this machine read is the first hub's, as before.
            let file = try ConnectionFile(dataFolder: hub.folder.path)
            #expect(file == hub.connection)
            for phone in [refused, phone] { await phone.close() }
            await admin.caller.close()
        }
    }

    @Test("a deleted hub tells its devices, leaves nothing behind, and can be made anew")
    func deleted() async throws {
        try await HostedHub.run { hub in
            let admin = try Administrator(hub.connection)
            let old = try await admin.create("sports")
            let phone = try await Phone.subscribed(old, name: "of the old hub", Self.choice)
            let other = try await Phone.subscribed(hub.connection, name: "other", Self.choice)
            #expect(try await Self.send("old", to: old) == 201)
            try await phone.receive(1)
            let answer = try await admin.ask(.DELETE, "sports")
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.text.isEmpty)
            try await phone.disconnected(times: 1)
            guard case .refused(let code, _, _, _) = phone.departures.first else {
                Issue.record("\(phone.departures)")
                return
            }
            #expect(code == ErrorNumber.unknownHub.rawValue)
            #expect(Self.folders(hub) == ["hub"])
            #expect(try await admin.ask(.GET, "sports").status == 404)
            #expect(try await admin.ask(.DELETE, "sports").status == 404)
            #expect(try await admin.ask(.GET, "sports/registrations").status == 404)
            #expect(try await Self.send("to nobody", to: old) == 401)

            let new = try await admin.create("sports")
            let list = try await admin.ask(.GET, "sports/registrations")
            #expect(list.status == 200)
            #expect(!list.text.contains("<entry"))
            #expect(try await Self.send("with a key of the old", to: old) == 401)
            let fresh = try await Phone.subscribed(new, name: "of the new hub", Self.choice)
            #expect(try await Self.send("new", to: new) == 201)
            try await fresh.receive(1)
            #expect(fresh.received[0].sequence == 1)
            #expect(fresh.texts == [#"{"aps":{"alert":"new"}}"#])
            // The hub beside it has not noticed.
            #expect(try await Self.send("beside", to: hub.connection) == 201)
            try await other.receive(1)
            #expect(other.departures.isEmpty)
            for phone in [phone, other, fresh] { await phone.close() }
            await admin.caller.close()
        }
    }

    @Test("the last hub can go, stays away over a restart, and comes back when it is made")
    func none() async throws {
        let hub = try await RunningHub.startRestartable()
        var admin = try Administrator(hub.connection)
        #expect(try await admin.ask(.DELETE, hub.connection.hub).status == 200)
        await admin.caller.close()
        let file = try ConnectionFile(dataFolder: hub.folder.path)
        #expect(file.hub == "" && file.connectionStrings.full == "")
        #expect(try await Self.send("nowhere", to: hub.connection) == 401)
        try await hub.kill()
        let again = try await hub.startedAgain()
        admin = try Administrator(hub.connection)
        let list = try await admin.ask(.GET, "$Resources/NotificationHubs")
        #expect(list.status == 200)
        #expect(!list.text.contains("<entry"), "\(list.text)")
        let made = try await admin.create(hub.connection.hub)
        #expect(try await Self.send("again", to: made) == 201)
        let described = try ConnectionFile(dataFolder: hub.folder.path)
        #expect(described.connectionStrings == made.with(described.connectionStrings.namespace))
        await admin.caller.close()
        let code = try await again.terminate()
        #expect(code == 0, "\(again.program.errors.events)")
    }

    @Test("only rules of the namespace make hubs, only so many, and only with names for devices")
    func refused() async throws {
        try await HostedHub.run(configure: { $0.coreLimits.namespace.hubsMax = 2 }) { hub in
            let admin = try Administrator(hub.connection)
            let caller = admin.caller
            for string in [hub.connection.connectionStrings.full] {
                for (method, path) in [(HTTPMethod.DELETE, "hub"), (.PUT, "hub")] {
                    let answer = try await caller.perform(
                        method,
                        path,
                        body: method == .PUT ? Self.description() : nil,
                        authorization: caller.token(string)
                    )
                    #expect(answer.status == 403, "\(method) \(path): \(answer.text)")
                    #expect(answer.text.contains("Manage claim is required for this operation."))
                }
            }
            _ = try await admin.create("second")
            let third = try await admin.ask(.PUT, "third", body: Self.description())
            #expect(third.status == 403, "\(third.text)")
            #expect(third.text.contains("hubs: the limit of 2 is reached."))
            #expect(Self.folders(hub) == ["hub", "second"])
            let long = String(repeating: "x", count: 65)
            #expect(try await admin.ask(.DELETE, "second").status == 200)
            let tooLong = try await admin.ask(.PUT, long, body: Self.description())
            #expect(tooLong.status == 400, "\(tooLong.text)")
            #expect(tooLong.text.contains("hub: names have 1 to 64 letters"))
            let longest = try await admin.create(String(long.dropLast()))
            let phone = try await Phone.subscribed(longest, name: "longest", Self.choice)
            #expect(try await Self.send("by a long name", to: longest) == 201)
            try await phone.receive(1)
            await phone.close()
            await caller.close()
        }
    }

    /// What lies in the folder of hubs, hidden folders too.
    private static func folders(_ hub: HostedHub) -> [String] {
        let content = try? FileManager.default.contentsOfDirectory(
            atPath: hub.folder.file("hubs")
        )
        return (content ?? []).sorted()
    }
}

extension ConnectionFile {
    /// The connection strings with a namespace's beside them.
    fileprivate func with(_ namespace: String?) -> ConnectionStrings {
        var strings = connectionStrings
        strings.namespace = namespace
        return strings
    }
}
