import HubClient
import HubRelay
import HubSender
import HubTestSupport
import NIOHTTP1
import Synchronization
import Testing

@testable import ScenarioSupport

/// What senders and operators are told of relayed notifications, over REST.
@Suite("Relayed notifications, as they are told")
struct RelayTellingTests {
    private static func token(_ byte: String) -> String { String(repeating: byte, count: 32) }

    @Test("86: three own devices and two tokens of one tag are reached, each on its way")
    func mixed() async throws {
        let journal = EventLog<RelayRequest>()
        try await HostedHub.run(configure: RelayTests.relaying(to: journal)) { hub in
            let admin = try RelayOperator(hub)
            #expect(try await admin.put(RelayTests.credential).status == 200)
            var phones: [Phone] = []
            for number in 1...3 {
                let phone = try await Phone.subscribed(
                    hub.connection,
                    name: "phone \(number)",
                    RegistrationChoice(platform: .apple, tags: ["a"])
                )
                phones.append(phone)
            }
            var foreign: [String] = []
            for byte in ["ab", "cd"] {
                let members = "<DeviceToken>\(Self.token(byte))</DeviceToken>"
                foreign.append(try await admin.register("Apple", members))
            }
            let id = try await admin.send(RelayTests.alert("hello"))
            for phone in phones { try await phone.receive(1) }
            try await admin.wait(
                id,
                for: "<ApnsOutcomeCounts><Outcome><Name>Success</Name><Count>5</Count>"
            )
            let paths = ["ab", "cd"].map { "/3/device/\(Self.token($0))" }
            #expect(journal.events.map(\.path).sorted() == paths)
            for registration in foreign {
                let reason = try await admin.explain(id, registration)
                #expect(reason.contains("\"relayed\""), "\(reason)")
            }
            let sender = try SenderClient(hub.connection)
            for phone in phones {
                try await eventually("an explanation that \(phone.name) has stored it") {
                    try await sender.explain(notification: id, device: phone.handle).sentence
                        .hasPrefix("The device has stored it")
                }
                await phone.close()
            }
            await sender.close()
            await admin.caller.close()
        }
    }

    @Test("108: a service's reason of line breaks and markup stays one plain text everywhere")
    func reasons() async throws {
        let reason = #"No\r\nX-Evil: 1\u001b[31m</Outcome><Count>9&\"'"#
        let journal = EventLog<RelayRequest>()
        let refusing = RelayTests.relaying(to: journal) { _ in
            RelayAnswer(status: 400, body: Array("{\"reason\":\"\(reason)\"}".utf8))
        }
        try await HostedHub.run(configure: refusing) { hub in
            let admin = try RelayOperator(hub)
            #expect(try await admin.put(RelayTests.credential).status == 200)
            let members = "<DeviceToken>\(Self.token("ab"))</DeviceToken>"
            let registration = try await admin.register("Apple", members)
            let id = try await admin.send(RelayTests.alert("hello"))
            try await admin.wait(id, for: "<Name>UnknownError</Name><Count>1</Count>")
            let told = try await admin.ask(.GET, "/messages/\(id)").text
            #expect(!told.contains("X-Evil") || !told.contains("</Outcome><Count>9"))
            let why = try await admin.explain(id, registration)
            #expect(why.contains("relayRefused") && why.contains("X-Evil: 1"), "\(why)")
            let isPlain = why.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
            #expect(isPlain && why.contains(#"&\""#), "\(why)")
            let direct = try await admin.ask(
                .POST,
                "/messages",
                query: "&test&direct",
                headers: [
                    "ServiceBusNotification-Format": "apple",
                    "ServiceBusNotification-DeviceHandle": Self.token("ab"),
                    "Content-Type": "application/json;charset=utf-8",
                ],
                body: RelayTests.alert("hello")
            )
            #expect(direct.status == 201, "\(direct.text)")
            #expect(direct.text.contains("X-Evil: 1"), "\(direct.text)")
            #expect(!direct.text.contains("</Outcome><Count>9"), "\(direct.text)")
            await admin.caller.close()
        }
    }

    @Test("114: a notification is processing while its service is away, and completed for good")
    func states() async throws {
        let journal = EventLog<RelayRequest>()
        let isAway = Mutex(true)
        let coming = RelayTests.relaying(to: journal) { _ in
            RelayAnswer(status: isAway.withLock(\.self) ? 503 : 200)
        }
        try await HostedHub.run(configure: coming) { hub in
            let admin = try RelayOperator(hub)
            #expect(try await admin.put(RelayTests.credential).status == 200)
            let members = "<DeviceToken>\(Self.token("ab"))</DeviceToken>"
            try await admin.register("Apple", members)
            let id = try await admin.send(RelayTests.alert("hello"))
            try await journal.wait(for: "two attempts") { $0.count >= 2 }
            let waiting = try await admin.ask(.GET, "/messages/\(id)").text
            #expect(waiting.contains("<State>Processing</State>"), "\(waiting)")
            isAway.withLock { $0 = false }
            try await admin.wait(id, for: "<State>Completed</State>")
            // Another one that waits changes nothing of it.
            isAway.withLock { $0 = true }
            let next = try await admin.send(RelayTests.alert("next"))
            try await admin.wait(next, for: "<State>Processing</State>")
            let told = try await admin.ask(.GET, "/messages/\(id)").text
            #expect(told.contains("<State>Completed</State>"), "\(told)")
            #expect(told.contains("<Name>Success</Name><Count>1</Count>"), "\(told)")
            await admin.caller.close()
        }
    }
}
