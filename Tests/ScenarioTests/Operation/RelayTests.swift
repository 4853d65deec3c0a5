import Crypto
import Foundation
import HubClient
import HubRelay
import HubServer
import HubTestSupport
import HubVocabulary
import NIOHTTP1
import Synchronization
import Testing

@testable import ScenarioSupport

@Suite("Notifications for phones through a push service")
struct RelayTests {
    private static let token = String(repeating: "AB", count: 32)
    private static let members = "<DeviceToken>\(token)</DeviceToken>"
    private static let secret = P256.Signing.PrivateKey()

    static func alert(_ text: String) -> String { #"{"aps":{"alert":"\#(text)"}}"# }

    static var credential: String {
        let body = secret.derRepresentation.base64EncodedString()
        return RelayOperator.credential(
            "ApnsCredential",
            [
                ("Token", body), ("KeyId", "ABC1234567"), ("AppId", "TEAM123456"),
                ("AppName", "com.example.app"),
            ]
        )
    }

    static func relaying(
        to journal: EventLog<RelayRequest>,
        _ answer: @escaping @Sendable (RelayRequest) -> RelayAnswer = { _ in
            RelayAnswer(status: 200)
        }
    ) -> @Sendable (inout ServerOptions) -> Void {
        { options in
            options.relay.link = { _ in
                RelayLink { request, _ in
                    journal.append(request)
                    return .success(answer(request))
                }
            }
        }
    }

    @Test("a credential, a token and a send make one request, which is counted as Success")
    func relays() async throws {
        let journal = EventLog<RelayRequest>()
        try await HostedHub.run(configure: Self.relaying(to: journal)) { hub in
            let admin = try RelayOperator(hub)
            try await admin.register("Apple", Self.members)
            let early = try await admin.send(Self.alert("before the credential"))
            let changed = try await admin.put(Self.credential)
            #expect(changed.status == 200, "\(changed.text)")
            let id = try await admin.send(Self.alert("hello"))
            try await journal.wait(for: "a request") { !$0.isEmpty }
            try await admin.wait(
                id,
                for: "<ApnsOutcomeCounts><Outcome><Name>Success</Name><Count>1</Count>"
            )
            let request = try #require(journal.events.first)
            #expect(request.path == "/3/device/\(Self.token.lowercased())")
            #expect(request["apns-topic"] == "com.example.app")
            #expect(String(decoding: request.body, as: UTF8.self) == #"{"aps":{"alert":"hello"}}"#)
            #expect(journal.events.count == 1)
            try await admin.wait(early, for: "<Name>BadChannel</Name><Count>1</Count>")
            await admin.caller.close()
        }
    }

    @Test("reading, changing and writing back a hub neither shows nor loses a credential")
    func masks() async throws {
        let journal = EventLog<RelayRequest>()
        try await HostedHub.run(configure: Self.relaying(to: journal)) { hub in
            let admin = try RelayOperator(hub)
            #expect(try await admin.put(Self.credential).status == 200)
            let read = try await admin.ask(.GET).text
            let start = try #require(read.firstRange(of: "<ApnsCredential>"))
            let end = try #require(read.firstRange(of: "</ApnsCredential>"))
            let shown = String(read[start.lowerBound..<end.upperBound])
            #expect(shown.contains("belfry:kept:") && shown.contains("com.example.app"))
            let secret = Self.secret.derRepresentation.base64EncodedString()
            #expect(!read.contains(secret.prefix(16)))
            let again = try await admin.put(shown + "<UserMetadata>changed</UserMetadata>")
            #expect(again.status == 200 && again.text.contains(shown), "\(again.text)")
            // Another mask is that of another secret.
            let mask = try #require(shown.firstRange(of: "belfry:kept:"))
            var other = shown
            other.replaceSubrange(
                mask.upperBound..<other.index(mask.upperBound, offsetBy: 8),
                with: "00000000"
            )
            #expect(try await admin.put(other).status == 409)
            try await admin.register("Apple", Self.members)
            _ = try await admin.send(Self.alert("still there"))
            try await journal.wait(for: "a request") { !$0.isEmpty }
            let path = hub.folder.path + "/hubs/\(hub.connection.hub)/credentials.json"
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try await admin.put("<ApnsCredential nil=\"true\"/>").text.contains("Apns"))
            #expect(try await admin.put("<ApnsCredential/>").text.contains("Apns") == false)
            await admin.caller.close()
        }
    }

    @Test("a lane goes on behind a restart, and repeats nothing that ended in order")
    func restarts() async throws {
        let journal = EventLog<RelayRequest>()
        let folder = ScenarioFolder()
        try await HostedHub.run(in: folder, configure: Self.relaying(to: journal)) { hub in
            let admin = try RelayOperator(hub)
            #expect(try await admin.put(Self.credential).status == 200)
            try await admin.register("Apple", Self.members)
            _ = try await admin.send(Self.alert("one"))
            try await journal.wait(for: "a request") { $0.count == 1 }
            await admin.caller.close()
        }
        try await HostedHub.run(in: folder, configure: Self.relaying(to: journal)) { hub in
            let admin = try RelayOperator(hub)
            let id = try await admin.send(Self.alert("two"))
            try await admin.wait(id, for: "<Name>Success</Name><Count>1</Count>")
            let bodies = journal.events.map { String(decoding: $0.body, as: UTF8.self) }
            #expect(bodies == ["one", "two"].map { #"{"aps":{"alert":"\#($0)"}}"# })
            await admin.caller.close()
        }
    }

    @Test("an answer to a lane that was replaced ends no request of the one in its place")
    func replacedLane() async throws {
        let journal = EventLog<RelayRequest>()
        let released = EventLog<Int>()
        let lanes = Mutex(0)
        let dead = RelayAnswer(
            status: 410,
            body: Array(#"{"reason":"Unregistered","timestamp":9000000000000}"#.utf8)
        )
        try await HostedHub.run(configure: { options in
            options.relay.limits.endMilliseconds = 200
            options.relay.link = { _ in
                let lane = lanes.withLock { count in
                    count += 1
                    return count
                }
                return RelayLink { request, _ in
                    journal.append(request)
                    // The deadline of the test is that of its other waits.
                    _ = try? await released.wait(for: "lane \(lane)") { $0.contains(lane) }
                    return .success(lane == 1 ? dead : RelayAnswer(status: 200))
                }
            }
        }) { hub in
            let admin = try RelayOperator(hub)
            #expect(try await admin.put(Self.credential).status == 200)
            try await admin.register("Apple", Self.members)
            let id = try await admin.send(Self.alert("hello"))
            try await journal.wait(for: "the first lane's request") { $0.count == 1 }
            let other = Self.credential.replacing("com.example.app", with: "com.example.other")
            #expect(try await admin.put(other).status == 200)
            try await journal.wait(for: "the second lane's request") { $0.count == 2 }
            released.append(1)
            for _ in 0..<5 { #expect(try await admin.ask(.GET).status == 200) }
            released.append(2)
            try await admin.wait(id, for: "<Name>Success</Name><Count>1</Count>")
            #expect(try await admin.ask(.GET, "/registrations").text.contains(Self.token))
            await admin.caller.close()
        }
    }

    @Test("a handle of a hub that was deleted reaches no service, not even behind a restart")
    func deletedHub() async throws {
        let journal = EventLog<RelayRequest>()
        let folder = ScenarioFolder()
        var dead = ""
        try await HostedHub.run(in: folder, configure: Self.relaying(to: journal)) { hub in
            let admin = try RelayOperator(hub)
            let root = try #require(hub.connection.connectionStrings.namespace)
            func other(_ method: HTTPMethod, _ body: String? = nil) async throws -> Int {
                let answer = try await admin.caller.perform(
                    method,
                    "other",
                    body: body,
                    authorization: admin.caller.token(root, path: "")
                )
                return answer.status
            }
            #expect(try await other(.PUT, RelayOperator.description("")) == 201)
            let handle = try Self.handle(of: "other", in: folder.path)
            dead = handle
            #expect(try await other(.DELETE) == 200)
            #expect(try await admin.put(Self.credential).status == 200)
            try await admin.register("Apple", "<DeviceToken>\(handle)</DeviceToken>")
            try await admin.register("Apple", Self.members)
            let id = try await admin.send(Self.alert("one"))
            try await admin.wait(id, for: "<Name>Success</Name><Count>1</Count>")
            try await admin.wait(id, for: "<Name>BadChannel</Name><Count>1</Count>")
            await admin.caller.close()
        }
        try await HostedHub.run(in: folder, configure: Self.relaying(to: journal)) { hub in
            let admin = try RelayOperator(hub)
            let id = try await admin.send(Self.alert("two"))
            try await admin.wait(id, for: "<Name>Success</Name><Count>1</Count>")
            try await admin.wait(id, for: "<Name>BadChannel</Name><Count>1</Count>")
            await admin.caller.close()
        }
        #expect(journal.events.count == 2 && !dead.isEmpty)
        #expect(!journal.events.contains { $0.path.contains(dead.lowercased()) })
    }

    /// The handle that a hub would give its first device.
    private static func handle(of hub: String, in folder: String) throws -> String {
        struct Keys: Decodable { var secret: String }
        let path = URL(fileURLWithPath: "\(folder)/hubs/\(hub)/keys.json")
        let keys = try JSONDecoder().decode(Keys.self, from: Data(contentsOf: path))
        let bytes = try #require(Data(base64Encoded: keys.secret))
        let handle = PushHandle(
            device: DeviceID(high: 1, low: 2),
            hub: try #require(HubName(hub)),
            secret: try #require(HubSecret([UInt8](bytes))),
            generation: 0
        )
        return String(decoding: handle.text, as: UTF8.self)
    }

    @Test("a credential that is not right any more shows as the relay's cause")
    func brokenCredential() async throws {
        let journal = EventLog<RelayRequest>()
        let folder = ScenarioFolder()
        var path = ""
        try await HostedHub.run(in: folder, configure: Self.relaying(to: journal)) { hub in
            let admin = try RelayOperator(hub)
            #expect(try await admin.put(Self.credential).status == 200)
            path = "\(folder.path)/hubs/\(hub.connection.hub)/credentials.json"
            await admin.caller.close()
        }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let key = Self.secret.derRepresentation.base64EncodedString()
        let kept = Data(key.utf8).base64EncodedString()
        let wrong = text.replacing(kept, with: Data("no key".utf8).base64EncodedString())
        try #require(wrong != text)
        try Data(wrong.utf8).write(to: URL(fileURLWithPath: path))
        try await HostedHub.run(in: folder, configure: Self.relaying(to: journal)) { hub in
            let admin = try RelayOperator(hub)
            try await eventually("a cause") {
                let answer = try await admin.ask(.GET, "/$belfry/relays").text
                return answer.contains("the credential is refused: InvalidCredentials")
                    && answer.contains("\"credential\":\"refused\"")
            }
            try await admin.register("Apple", Self.members)
            _ = try await admin.send(Self.alert("one"))
            #expect(journal.events.isEmpty)
            await admin.caller.close()
        }
    }

    @Test("a property that is wrong is named, and its value is not")
    func refusal() async throws {
        let journal = EventLog<RelayRequest>()
        try await HostedHub.run(configure: Self.relaying(to: journal)) { hub in
            let admin = try RelayOperator(hub)
            let wrong = Self.credential.replacing(
                Self.secret.derRepresentation.base64EncodedString(),
                with: "c2VjcmV0IHRoYXQgaXMgbm8ga2V5"
            )
            let answer = try await admin.put(wrong)
            #expect(answer.status == 400 && answer.text.contains("ApnsCredential.Token"))
            #expect(!answer.text.contains("c2VjcmV0"))
            await admin.caller.close()
        }
    }
}
