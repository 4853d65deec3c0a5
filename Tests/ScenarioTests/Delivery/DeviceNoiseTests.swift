import DeviceEmulator
import HubClient
import HubTestSupport
import NIOHTTP1
import Testing

@testable import ScenarioSupport

/// Frames that mean nothing, over connection after connection, beside a sender that means it.
///
/// `make attacks NAMES=frames` plays the same for as long as it is told.
@Suite("Noise at the device port", .timeLimit(.minutes(5)))
struct DeviceNoiseTests {
    /// Types that a device sends, with their smallest body.
    private static let known: [(type: UInt8, bytes: Int)] = [
        (0x01, 91), (0x03, 16), (0x06, 8), (0x08, 8), (0x10, 20), (0x11, 4), (0x12, 20),
        (0x21, 8), (0x30, 40),
    ]

    /// Whole frames, with one at the end that no hub bears.
    private static func noise(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<4 {
            var (type, count) = known[random.below(known.count)]
            if random.below(4) == 0 { type = UInt8(random.below(256)) }
            if random.below(2) == 0 { count = random.below(200) }
            let flags = random.below(4) == 0 ? UInt8(random.below(256)) : 0
            bytes += [type, flags, 0, UInt8(random.below(3)), 0, 0, 0, UInt8(count)]
            bytes += random.bytes(count)
        }
        return bytes + [0x7F, 0, 0, 0, 0, 0, 0, 0]
    }

    private static let leastConnections = 6

    /// Plays noise over connections until the task is cancelled, and over a few in any case.
    ///
    /// Every second one has a session first. Returns how many the hub has ended.
    private static func play(seed: UInt64, _ connection: ConnectionFile) async throws -> Int {
        var random = SeededGenerator(seed: seed)
        var count = 0
        repeat {
            let link = try await RawLink(connection)
            if count % 2 == 1 { try await link.open(connection) }
            await link.write(noise(&random))
            try await link.closedByHub()
            count += 1
        } while count < leastConnections || !Task.isCancelled
        return count
    }

    @Test("fails no send, loses no notification, and leaves the hub's memory as it was")
    func noise() async throws {
        let hub = try await RunningHub.start()
        let connection = hub.connection
        let phone = try await Phone.subscribed(
            connection,
            RegistrationChoice(platform: .apple, tags: ["quiet"])
        )
        let caller = try RESTCaller(connection)
        let token = try caller.token(connection.connectionStrings.send)
        func send(_ numbers: Range<Int>) async throws {
            for number in numbers {
                let answer = try await caller.perform(
                    .POST,
                    "\(connection.hub)/messages/",
                    headers: [
                        "ServiceBusNotification-Format": "apple",
                        "ServiceBusNotification-Tags": "quiet",
                    ],
                    body: NewsFormat.payload(.apple, "\(number)"),
                    authorization: token
                )
                #expect(answer.status == 201, "\(number): \(answer.status) \(answer.text)")
            }
        }
        // What every hub takes once is taken before it is measured.
        try await send(0..<20)
        let before = try #require(HubProcess.residentBytes(hub.program.pid))
        let ended = try await withThrowingTaskGroup(of: Int.self) { group in
            for seed in 1...3 as ClosedRange<UInt64> {
                group.addTask { try await Self.play(seed: seed, connection) }
            }
            try await send(20..<120)
            group.cancelAll()
            return try await group.reduce(0, +)
        }
        #expect(ended >= 3 * Self.leastConnections)
        let expected = (0..<120).map { NewsFormat.payload(.apple, "\($0)") }
        #expect(try await phone.receive(120).compactMap(\.text) == expected)
        #expect(phone.departures.isEmpty)
        let more = try #require(HubProcess.residentBytes(hub.program.pid)) - before
        #expect(more < 32 << 20, "\(more) bytes more after \(ended) connections")
        await phone.close()
        await caller.close()
        #expect(try await hub.terminate() == 0)
    }
}
