import HubClient
import HubParcel
import HubSender
import HubServer
import HubTransport
import HubVocabulary
import HubWire
import Testing

@testable import ScenarioSupport

@Suite("A slow device")
struct SlowDeviceTests {
    @Test("loses nothing when it stops reading during a broadcast, and delays nobody")
    func losesNothing() async throws {
        let count = 120
        try await HostedHub.run { options in
            // Far more than the sockets take may be in flight, so that it is the reading that stops.
            options.devices.sessionLimits.windowBytesMax = 8_388_608
            // However long a busy machine takes for the others, this is not about deadlines.
            options.devices.sessionLimits.timers.acknowledgementMilliseconds = 600_000
            options.devices.transportLimits.timers.unreadMilliseconds = 600_000
            options.devices.transportLimits.timers.userTimeoutMilliseconds = 600_000
        } _: { hub in
            let slow = try await RawLink(hub.connection, receiveBuffer: 4_096)
            try await slow.open(hub.connection) {
                $0.windowBytes = 8_388_608
                $0.windowMessages = 1_000
            }
            var register: [UInt8] = []
            try RegisterMessage(slot: 0, platform: 0, tags: [Array("World".utf8)])
                .encode(into: &register, ref: 1)
            await slow.write(register)
            _ = try await slow.frame(.result)
            try await slow.setReading(false)

            var phones: [Phone] = []
            for number in 0..<3 {
                let choice = RegistrationChoice(platform: .apple, tags: ["World"])
                phones.append(try await .subscribed(hub.connection, name: "\(number)", choice))
            }
            let payloads = (0..<count).map(Self.payload)
            let sender = try SenderClient(hub.connection)
            for payload in payloads {
                _ = try await sender.send(.native(.apple, body: Array(payload.utf8)))
            }
            await sender.close()
            for phone in phones {
                try await phone.receive(count)
                #expect(phone.texts == payloads, "phone \(phone.name)")
            }
            // Everybody else is done, and it has not even been given half of it.
            #expect(slow.frames.count { $0.type == .deliver } < count / 2)

            try await slow.setReading(true)
            _ = try await slow.frame("the last notification") { frame in
                Self.entries(frame).contains { $0.seq == UInt64(count) }
            }
            let entries = slow.frames.flatMap(Self.entries)
            #expect(entries.map(\.seq) == (1...UInt64(count)).map { $0 })
            #expect(entries.map(\.payload) == payloads)
            for phone in phones { await phone.close() }
            await slow.close()
            await hub.expectNoConnections()
        }
    }

    /// A payload of some 7 KB that hardly compresses, different for each number.
    private static func payload(_ number: Int) -> String {
        var state = UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15
        var text = ""
        while text.utf8.count < 7_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            text += String(state, radix: 36)
        }
        return #"{"aps":{"alert":"\#(text)"}}"#
    }

    private struct Entry: Equatable {
        var seq: UInt64
        var payload: String
    }

    /// The entries of a DELIVER; none of another frame.
    private static func entries(_ frame: RawLink.Frame) -> [Entry] {
        guard frame.type == .deliver else { return [] }
        do {
            let deliver = try DeliverFrame(
                decoding: frame.bytes.span.extracting(8..<frame.bytes.count),
                header: frame.header
            )
            var found: [Entry] = []
            var inflater = ParcelInflater()
            var entries = deliver.makeIterator()
            while let entry = entries.next() {
                let view = try ParcelView(decoding: deliver.parcel(entry))
                let payload = try inflater.payload(of: view, maxPayload: 8_192)
                let text = String(decoding: payload, as: UTF8.self)
                found.append(Entry(seq: entry.seq ?? 0, payload: text))
            }
            return found
        } catch {
            Issue.record("a DELIVER that cannot be read: \(error)")
            return []
        }
    }
}
