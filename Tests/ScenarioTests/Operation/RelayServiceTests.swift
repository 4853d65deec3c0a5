import Foundation
import HubRelayLink
import HubServer
import HubTestSupport
import NIOHTTP1
import RelayFakes
import Testing

@testable import ScenarioSupport

/// From a send over REST to a service's journal and back to what operators are told, over real
/// connections and with the real store.
@Suite("Push services, played by fakes")
struct RelayServiceTests {
    @Test(
        "a send reaches a service, counts as Success, and is explained and shown",
        arguments: FakedRelay.Service.all
    )
    func delivers(service: FakedRelay.Service) async throws {
        try await FakedRelay.run(service) { relay in
            let registration = try await relay.register(1)
            let id = try await relay.send()
            try await relay.wait(id, "Success")
            let messages = relay.messages(1)
            #expect(messages.count == 1)
            let message = try #require(messages.first)
            #expect([200, 201].contains(message.answer?.status))
            let text = String(decoding: message.text, as: UTF8.self)
            #expect(text.contains("hello") || text == service.body, "\(text)")
            let reason = try await relay.admin.explain(id, registration)
            #expect(reason.contains("\"relayed\""), "\(reason)")
            let status = try await relay.admin.ask(.GET, "/$belfry/relays").text
            #expect(status.contains("\"\(service.format)\"") && status.contains("\"behind\":0"))
            #expect(!status.contains("cause"), "\(status)")
            try await eventually("the lane's numbers") {
                let status = try await relay.admin.ask(.GET, "/$belfry/relays").text
                return status.contains("\"answers\":1,")
                    && status.contains("\"credential\":\"works\"")
            }
        }
    }

    @Test(
        "113: a dead handle goes, the feedback names it, and it is asked no more",
        arguments: FakedRelay.Service.all
    )
    func dead(service: FakedRelay.Service) async throws {
        let rule = "\(service.handle(1))=\(service.dead.word)"
        try await FakedRelay.run(service, rules: [rule]) { relay in
            let registration = try await relay.register(1)
            _ = try await relay.register(2)
            let first = try await relay.send()
            try await relay.wait(first, "Success")
            try await relay.wait(first, service.dead.outcome)
            let reason = try await relay.admin.explain(first, registration)
            #expect(
                reason.contains("\"relayRefused\"") || reason.contains("\"deleted\""),
                "\(reason)"
            )
            let second = try await relay.send()
            try await relay.wait(second, "Success")
            #expect(relay.messages(1).count == 1 && relay.messages(2).count == 2)
            let left = try await relay.admin.ask(.GET, "/registrations").text
            #expect(!left.contains(registration))
            let address = try await relay.admin.ask(.GET, "/feedbackcontainer").text
            let told = try await relay.admin.caller.feedback(address, count: 1)
            let word = "<NotificationSystemError>\(service.dead.outcome)<"
            #expect(told.count == 1 && told[0].contains(word), "\(told)")
            #expect(told[0].contains("<RegistrationId>\(registration)<"), "\(told)")
        }
    }

    @Test(
        "a stale access token is renewed once, and the same notification is sent again",
        arguments: [("fcm", "@3=UNAUTHENTICATED"), ("wns", "@3=401")]
    )
    func renews(kind: String, rule: String) async throws {
        let service = FakedRelay.Service.of(try #require(FakeFolder.Kind(rawValue: kind)))
        // The first request is for a token, the second is the first message.
        try await FakedRelay.run(service, rules: [rule]) { relay in
            _ = try await relay.register(1)
            let first = try await relay.send()
            try await relay.wait(first, "Success")
            let second = try await relay.send()
            try await relay.wait(second, "Success")
            #expect(relay.tokenRequests == 2)
            #expect(relay.messages(1).map { $0.answer?.status } == [200, 401, 200])
        }
    }

    @Test("the pause that a service asks for is kept, and nothing is lost in it")
    func pauses() async throws {
        let service = FakedRelay.Service.of(.fcm)
        try await FakedRelay.run(service, rules: ["@2=QUOTA_EXCEEDED+2"]) { relay in
            let registration = try await relay.register(1)
            let id = try await relay.send()
            try await eventually("a rest") {
                try await relay.admin.ask(.GET, "/$belfry/relays").text
                    .contains("asks for a pause")
            }
            let reason = try await relay.admin.explain(id, registration)
            #expect(reason.contains("\"relayWaiting\""), "\(reason)")
            try await relay.wait(id, "Success")
            #expect(relay.messages(1).map { $0.answer?.status } == [429, 200])
        }
    }

    @Test(
        "one host that wants less holds up its own registration alone",
        arguments: [FakeFolder.Kind.webpush, .wns]
    )
    func waitsAlone(kind: FakeFolder.Kind) async throws {
        let service = FakedRelay.Service.of(kind)
        try await FakedRelay.run(service, rules: ["\(service.handle(1))=429+60"]) { relay in
            let registration = try await relay.register(1)
            _ = try await relay.register(2)
            let id = try await relay.send()
            try await relay.wait(id, "Success")
            try await eventually("a row") {
                try await relay.admin.explain(id, registration).contains("\"relayDeferred\"")
            }
            let status = try await relay.admin.ask(.GET, "/$belfry/relays").text
            #expect(status.contains("\"deferred\":1") && !status.contains("cause"), "\(status)")
            #expect(relay.messages(1).count == 1)
        }
    }

    @Test(
        "a test send tells the service's own answer, and counts nothing",
        arguments: FakedRelay.Service.all
    )
    func tests(service: FakedRelay.Service) async throws {
        let rule = "\(service.handle(1))=\(service.dead.word)"
        try await FakedRelay.run(service, rules: [rule]) { relay in
            let registration = try await relay.register(1)
            _ = try await relay.register(2)
            let answer = try await relay.post(query: "&test")
            #expect(answer.status == 201, "\(answer.text)")
            #expect(answer.text.contains("<Success>1</Success><Failure>1</Failure>"))
            #expect(answer.text.contains("refuses it: \(service.dead.outcome)"), "\(answer.text)")
            #expect(answer.text.contains("successfully sent"))
            #expect(relay.messages(1).count == 1 && relay.messages(2).count == 1)
            // A test removes nothing.
            let left = try await relay.admin.ask(.GET, "/registrations").text
            #expect(left.contains(registration))
        }
    }

    @Test(
        "a direct send reaches a handle that no registration has",
        arguments: [FakeFolder.Kind.apns, .fcm, .wns]
    )
    func direct(kind: FakeFolder.Kind) async throws {
        let service = FakedRelay.Service.of(kind)
        let rule = "\(service.handle(2))=\(service.dead.word)"
        try await FakedRelay.run(service, rules: [rule]) { relay in
            for (number, outcome) in [(1, "Success"), (2, service.dead.outcome)] {
                let answer = try await relay.post(
                    query: "&direct",
                    headers: ["ServiceBusNotification-DeviceHandle": service.handle(number)]
                )
                #expect(answer.status == 201, "\(answer.text)")
                let location = try #require(answer.headers["location"])
                let path = location.split(separator: "?")[0]
                let id = String(try #require(path.split(separator: "/").last))
                try await relay.wait(id, outcome)
                #expect(relay.messages(number).count == 1)
            }
            let tested = try await relay.post(
                query: "&direct&test",
                headers: ["ServiceBusNotification-DeviceHandle": service.handle(2)]
            )
            #expect(tested.text.contains("refuses it: \(service.dead.outcome)"), "\(tested.text)")
        }
    }

    @Test(
        "a check asks the service about the credential, and delivers nothing",
        arguments: [
            ("apns", "", "taken"), ("apns", "@1=InvalidProviderToken", "refused"),
            ("fcm", "", "taken"), ("fcm", "@1=invalid_grant", "refused"), ("wns", "", "taken"),
            ("webpush", "", "untestable"),
        ]
    )
    func checks(kind: String, rule: String, word: String) async throws {
        let service = FakedRelay.Service.of(try #require(FakeFolder.Kind(rawValue: kind)))
        try await FakedRelay.run(service, rules: rule.isEmpty ? [] : [rule]) { relay in
            _ = try await relay.register(1)
            let path = "/$belfry/relays/\(service.format)/check"
            let answer = try await relay.admin.ask(.POST, path)
            #expect(answer.text.contains("\"answer\":\"\(word)\""), "\(answer.text)")
            #expect(relay.messages(1).isEmpty)
        }
    }

    @Test("the commands check a credential and give up what waits")
    func commands() async throws {
        let service = FakedRelay.Service.of(.apns)
        try await FakedRelay.run(service, rules: ["\(service.handle(1))=ServiceUnavailable"]) {
            relay in
            func belfry(_ arguments: [String]) async throws -> (code: Int32, text: String) {
                let program = try Program.belfry(
                    ["relay"] + arguments + ["--data", relay.admin.hub.folder.path]
                )
                let code = try await program.exitCode(seconds: 120)
                let lines = program.output.events + program.errors.events
                return (code, lines.joined(separator: "\n"))
            }
            let check = try await belfry(["check", "apns"])
            #expect(check.code == 0 && check.text.contains("takes the credential"), "\(check)")
            let none = try await belfry(["check", "fcm"])
            #expect(none.code == 1 && none.text.contains("no relay runs"), "\(none)")
            let registration = try await relay.register(1)
            let first = try await relay.send()
            let second = try await relay.send()
            try await eventually("a rest") {
                try await relay.admin.explain(second, registration).contains("not there")
            }
            let skip = try await belfry(["skip", "apns", "--through", second])
            #expect(skip.code == 0 && skip.text.contains("gave up"), "\(skip)")
            try await eventually("nothing waits") {
                let text = try await relay.admin.ask(.GET, "/$belfry/relays").text
                return text.contains("\"open\":0") && text.contains("\"behind\":0")
            }
            for id in [first, second] {
                let reason = try await relay.admin.explain(id, registration)
                #expect(reason.contains("\"relayedOrDropped\""), "\(reason)")
            }
        }
    }

    @Test("104: a channel of a foreign host is never contacted, and counts as BadChannel")
    func foreignHost() async throws {
        let service = FakedRelay.Service.of(.wns)
        try await FakedRelay.run(service) { relay in
            _ = try await relay.register(1)
            for address in [
                "https://notify.windows.com.evil.example/?token=a",
                "http://db5p.notify.windows.com/?token=a",
                "https://db5p.notify.windows.com:8443/?token=a",
            ] {
                try await relay.admin.register("Windows", "<ChannelUri>\(address)</ChannelUri>")
            }
            let id = try await relay.send()
            try await relay.wait(id, "BadChannel", 3)
            try await relay.wait(id, "Success")
            #expect(relay.journal.entries.count == 2 && relay.tokenRequests == 1)
        }
    }

    @Test("a backup leaves credentials out")
    func backup() async throws {
        try await FakedRelay.run(FakedRelay.Service.of(.fcm)) { relay in
            let target = relay.files.file("backup")
            let program = try Program.belfry(
                ["backup", "--data", relay.admin.hub.folder.path, "--to", target]
            )
            #expect(try await program.exitCode(seconds: 120) == 0)
            let paths = FileManager.default.enumerator(atPath: target)?.allObjects as? [String]
            let all = try #require(paths)
            #expect(all.contains { $0.hasSuffix("keys.json") })
            #expect(!all.contains { $0.contains("credentials") })
            for path in all {
                let data = FileManager.default.contents(atPath: target + "/" + path) ?? Data()
                #expect(data.range(of: Data("fake-project".utf8)) == nil, "\(path)")
            }
        }
    }

    @Test("an authority that cannot be read shows as the relay's cause, and is no silence")
    func authorityMissing() async throws {
        let service = FakedRelay.Service.of(.apns)
        try await FakedRelay.run(
            service,
            configure: { $0.relay.carrier.trust = .file("/none.pem") }
        ) {
            relay in
            let registration = try await relay.register(1)
            let id = try await relay.send()
            try await eventually("a cause") {
                try await relay.admin.ask(.GET, "/$belfry/relays").text
                    .contains("no authority can be read from")
            }
            let reason = try await relay.admin.explain(id, registration)
            #expect(reason.contains("no authority can be read from"), "\(reason)")
            #expect(relay.journal.entries.isEmpty)
        }
    }
}
