import Foundation
import HubDelivery
import HubMetrics
import HubParcel
import HubClient
import HubSender
import HubServer
import HubWire
import Testing

@testable import ScenarioSupport

@Suite("The wire, seen by other programs")
struct WireTests {
    @Test("DELIVER carries deflate with the well-known dictionary, at most 85 % of the raw size")
    func isCompressed() async throws {
        try await HostedHub.run { hub in
            let link = try await RawLink(hub.connection)
            try await link.open(hub.connection)
            var register: [UInt8] = []
            try RegisterMessage(slot: 3, platform: 0, tags: [Array("World".utf8)])
                .encode(into: &register, ref: 1)
            await link.write(register)
            _ = try await link.frame(.result)

            let payload =
                #"{"aps":{"alert":{"title":"Breaking World News","body":"The council has signed the "#
                + #"treaty of the river; the summit goes on."},"badge":7,"sound":"default"},"#
                + #""url":"https://news.example/World/8f1c2d"}"#
            let sender = try SenderClient(hub.connection)
            let sent = try await sender.send(
                .native(.apple, body: Array(payload.utf8), tags: "World")
            )
            await sender.close()
            let deliver = try await link.frame(.deliver)
            let read = try Self.read(deliver)
            #expect(read.slot == 3)
            #expect(read.codec == .wellKnownDictionary)
            #expect(read.payload == Array(payload.utf8))
            #expect(read.id == sent.identifier)
            let onTheWire = deliver.bytes.count
            #expect(
                onTheWire * 100 <= payload.utf8.count * 85,
                "\(onTheWire) of \(payload.utf8.count)"
            )

            var acknowledgement: [UInt8] = []
            AckFrame(seq: read.seq).encode(into: &acknowledgement)
            await link.write(acknowledgement)
            try await hub.report(of: "an acknowledgement") { reports in
                reports.contains { $0.core.acknowledged == 1 }
            }
            await link.close()
            await hub.expectNoConnections()
        }
    }

    @Test("a device without the capabilities gets the payload as it is")
    func isIdentity() async throws {
        try await HostedHub.run { hub in
            let link = try await RawLink(hub.connection)
            try await link.open(hub.connection) { $0.capabilities = [] }
            var register: [UInt8] = []
            try RegisterMessage(slot: 0, platform: 0, tags: [Array("World".utf8)])
                .encode(into: &register, ref: 1)
            await link.write(register)
            _ = try await link.frame(.result)
            let payload = Array(NewsFormat.payload(.apple, "The council has signed").utf8)
            let sender = try SenderClient(hub.connection)
            _ = try await sender.send(.native(.apple, body: payload, tags: "World"))
            await sender.close()
            let read = try Self.read(try await link.frame(.deliver))
            #expect(read.codec == .identity)
            #expect(read.payload == payload)
            await link.close()
        }
    }

    private struct Entry {
        var seq: UInt64
        var slot: UInt16
        var codec: ParcelCodec
        var id: NotificationIdentifier
        var payload: [UInt8]
    }

    /// The one entry of a DELIVER, inflated.
    private static func read(_ frame: RawLink.Frame) throws -> Entry {
        let deliver = try DeliverFrame(
            decoding: frame.bytes.span.extracting(8..<frame.bytes.count),
            header: frame.header
        )
        var entries = deliver.makeIterator()
        let first = entries.next()
        let entry = try #require(first)
        let view = try ParcelView(decoding: deliver.parcel(entry))
        var inflater = ParcelInflater()
        return Entry(
            seq: entry.seq ?? 0,
            slot: entry.slot,
            codec: view.codec,
            id: NotificationIdentifier(high: view.id.hi, low: view.id.lo),
            payload: try inflater.payload(of: view, maxPayload: 8_192)
        )
    }
}
