import Foundation
import HubClient
import HubSender
import HubWire
import Testing

@testable import ScenarioSupport

@Suite("Secrets")
struct SecrecyTests {
    @Test("no log line and no file but those meant for it holds a secret, handle or payload")
    func staySecret() async throws {
        let hub = try await RunningHub.start(["--log-level", "trace"])
        let canary = "canary-\(UUID().uuidString)"
        let phone = try await Phone.subscribed(
            hub.connection,
            .news(.apple, tags: ["World"])
        )
        var secrets = ["payload": canary, "handle": phone.handle]
        let identity = try #require(phone.store.state.identity)
        secrets["device key (base64)"] = Data(identity.key).base64EncodedString()
        secrets["device key (hex)"] = Self.hex(identity.key)
        for (name, text) in [
            ("full", hub.connection.connectionStrings.full),
            ("listen", hub.connection.connectionStrings.listen),
            ("send", hub.connection.connectionStrings.send),
        ] {
            secrets["\(name) key"] = try ConnectionString(parsing: text).key
        }
        try await Self.exercise(hub, phone, canary: canary, secrets: &secrets)
        await phone.close()
        #expect(try await hub.terminate() == 0)

        let log = hub.program.output.events + hub.program.errors.events
        #expect(log.count >= 4, "a session at level trace says something: \(log)")
        for (name, secret) in secrets {
            #expect(secret.count >= 16, "\(name) is no secret to look for")
            #expect(!log.contains { $0.contains(secret) }, "the log shows the \(name)")
        }
        try Self.search(hub.folder, for: secrets)
    }

    /// A session with much that goes right and wrong.
    private static func exercise(
        _ hub: RunningHub,
        _ phone: Phone,
        canary: String,
        secrets: inout [String: String]
    ) async throws {
        let caller = try RESTCaller(hub.connection)
        let good = try caller.token(hub.connection.connectionStrings.full)
        let forged = try Tokens.forged(hub.connection)
        for (name, token) in [("signature", good), ("forged signature", forged)] {
            let part = token.split(separator: "&").first { $0.hasPrefix("sig=") }
            secrets[name] = String(part?.dropFirst(4) ?? "")
        }
        let body = #"{"messageParam":"\#(canary)"}"#
        let sent = try await caller.send(body, tags: "World", authorization: good)
        #expect(sent.status == 201)
        #expect(try await caller.send(body, authorization: forged).status == 401)
        #expect(try await caller.send("[\"\(canary)\"]", authorization: good).status == 400)
        #expect(try await caller.send(canary, format: "apple", authorization: good).status == 400)
        try await phone.receive(containing: canary)
        await caller.close()

        let sender = try SenderClient(hub.connection)
        _ = try await sender.createRegistration(
            RegistrationEntry(platform: .apple, handle: phone.handle, tags: ["Sports"])
        )
        await sender.close()

        let link = try await RawLink(hub.connection)
        await link.write(try RawLink.hello(hub.connection, token: forged))
        #expect(try await link.refusal()?.code == ErrorNumber.authFailed.rawValue)
        let open = try await RawLink(hub.connection)
        try await open.open(hub.connection)
        var message = RegisterMessage(slot: 0, platform: 0, tags: [Array("World".utf8)])
        message.template = TemplateMessage(name: "t", body: Array("{\"\(canary)\": $(".utf8))
        var bytes: [UInt8] = []
        try message.encode(into: &bytes, ref: 1)
        await open.write(bytes)
        _ = try await open.frame(.result)
        await open.close()
    }

    /// Looks through the data folder; the store holds what was sent, three files hold the keys, and
    /// their owner alone may read any of them.
    private static func search(_ folder: ScenarioFolder, for secrets: [String: String]) throws {
        let manager = FileManager.default
        let names = try #require(manager.enumerator(atPath: folder.path)?.allObjects as? [String])
        // The search finds a key where one is meant to be.
        let keys = try Data(contentsOf: URL(fileURLWithPath: folder.file("hubs/hub/keys.json")))
        let listen = try #require(secrets["listen key"])
        #expect(keys.range(of: Data(listen.utf8)) != nil)
        for name in names {
            let attributes = try manager.attributesOfItem(atPath: folder.file(name))
            let mode = attributes[.posixPermissions] as? Int ?? 0
            #expect(mode & 0o077 == 0, "\(name) has mode \(String(mode, radix: 8))")
            guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
            let isStore = name.hasPrefix("hubs/") && name.contains(".sqlite")
            guard !isStore, !name.hasSuffix("keys.json"), name != "namespace.json" else { continue }
            let content = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
            for (secret, text) in secrets {
                #expect(content.range(of: Data(text.utf8)) == nil, "\(name) holds the \(secret)")
            }
        }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
