import HubClient
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("An installation")
struct InstallationTests {
    /// One installation of one phone, as a backend manages it over REST.
    private struct Backend {
        let caller: RESTCaller
        let connection: ConnectionFile
        let id = "5B0C6F0E-9d2a-4b62-8f35-0f6a2f6a7d11"

        func ask(
            _ method: HTTPMethod,
            _ body: String? = nil,
            listen: Bool = false
        ) async throws -> RESTCaller.Answer {
            let strings = connection.connectionStrings
            return try await caller.perform(
                method,
                "\(connection.hub)/installations/\(id)",
                headers: ["Content-Type": "application/json"],
                body: body,
                authorization: caller.token(listen ? strings.listen : strings.full)
            )
        }

        func put(_ handle: String, user: String, tags: String) async throws -> Int {
            let template = #"{\"aps\":{\"alert\":\"{$(nick) + ': ' + $(messageParam)}\"}}"#
            let body = """
                {"installationId":"\(id)","platform":"apns","pushChannel":"\(handle)",\
                "pushChannelExpired":null,"expirationTime":"2099-08-02T11:12+0200",\
                "userId":\(user),"tags":[\(tags)],"pushVariables":{"nick":"Mara"},\
                "templates":{"Daily news":{"name":"Daily news","body":"\(template)"}}}
                """
            return try await ask(.PUT, body, listen: user == "null").status
        }

        func send(_ message: String, _ tags: String) async throws {
            let answer = try await caller.send(#"{"messageParam":"\#(message)"}"#, tags: tags)
            #expect(answer.status == 201, "\(answer.text)")
        }
    }

    @Test("reaches its device by tag, user and id until it is deleted, also over a restart")
    func story() async throws {
        var hub = try await RunningHub.startRestartable()
        let phone = try Phone(hub.connection)
        try await phone.connected(times: 1)
        var caller = try RESTCaller(hub.connection)
        var backend = Backend(caller: caller, connection: hub.connection)
        #expect(try await backend.put(phone.handle, user: "null", tags: #""World""#) == 200)
        try await backend.send("to the world", "World")
        try await phone.receive(1)

        // A patch retargets from its place in the log on.
        let patch =
            #"[{"op":"replace","path":"/tags","value":"Sports,locale:fr"},"#
            + #"{"op":"add","path":"/userId","value":"mara"}]"#
        #expect(try await backend.ask(.PATCH, patch).status == 200)
        try await backend.send("to nobody", "World")
        try await backend.send("to fans", "Sports && locale:fr")
        try await backend.send("to the user", "$UserId:{mara}")
        try await phone.receive(3)
        #expect(try await backend.put(phone.handle, user: "null", tags: #""x""#) == 403)
        await caller.close()

        try await hub.kill()
        hub = try await hub.startedAgain()
        try await phone.disconnected(times: 1)
        phone.reconnect()
        caller = try RESTCaller(hub.connection)
        backend = Backend(caller: caller, connection: hub.connection)
        let read = try await backend.ask(.GET, listen: true)
        #expect(read.status == 200)
        #expect(read.headers["content-type"] == "application/json; charset=utf-8")
        #expect(
            read.text.contains(#""userId":"mara","tags":["Sports","locale:fr"]"#),
            "\(read.text)"
        )
        #expect(
            read.text.contains(#""pushChannelExpired":false,"platform":"apns""#),
            "\(read.text)"
        )
        try await backend.send("to the install", "$InstallationId:{\(backend.id.lowercased())}")
        try await phone.receive(4)

        #expect(try await backend.ask(.DELETE).status == 204)
        #expect(try await backend.ask(.DELETE).status == 204)
        #expect(try await backend.ask(.GET).status == 404)
        try await backend.send("to nobody", "Sports")
        // The same content again begins a new life.
        #expect(try await backend.put(phone.handle, user: #""mara""#, tags: #""Sports""#) == 200)
        try await backend.send("again", "Sports || $UserId:{mara}")
        try await phone.receive(5)
        let texts = ["to the world", "to fans", "to the user", "to the install", "again"].map {
            #"{"aps":{"alert":"Mara: \#($0)"}}"#
        }
        #expect(phone.texts == texts)
        await phone.close()
        await caller.close()
        #expect(try await hub.terminate() == 0)
    }

    @Test("with several templates gets each different text once, whatever the device has itself")
    func templates() async throws {
        try await HostedHub.run { hub in
            let own = RegistrationChoice.template(
                platform: .apple,
                name: "own",
                body: NewsFormat.payload(.apple, "$(messageParam)"),
                tags: ["World"]
            )
            let phone = try await Phone.subscribed(hub.connection, own)
            let caller = try RESTCaller(hub.connection)
            let backend = Backend(caller: caller, connection: hub.connection)
            func template(_ name: String, _ text: String) -> String {
                #""\#(name)":{"body":"{\"aps\":{\"alert\":\"\#(text)\"}}"}"#
            }
            let templates = [
                template("same as the device's", "$(messageParam)"),
                template("another", "{'2: ' + $(messageParam)}"),
                template("same as another", "{'2: ' + $(messageParam)}"),
            ]
            let put = try await backend.ask(
                .PUT,
                """
                {"installationId":"\(backend.id)","platform":"apns","tags":["World"],\
                "pushChannel":"\(phone.handle)","templates":{\(templates.joined(separator: ","))}}
                """
            )
            #expect(put.status == 200, "\(put.text)")
            let messages = ["one", "two", "three"]
            for message in messages { try await backend.send(message, "World") }
            try await phone.receive(messages.count * 2)
            // Taking the installation away leaves what is the device's own.
            #expect(try await backend.ask(.DELETE).status == 204)
            try await backend.send("last", "World")
            try await phone.receive(containing: "last")
            let expected = messages.flatMap { [$0, "2: \($0)"] } + ["last"]
            #expect(phone.texts == expected.map { NewsFormat.payload(.apple, $0) })
            await phone.close()
            await caller.close()
        }
    }
}
