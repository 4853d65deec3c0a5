import Foundation
import Glibc
import HubTestSupport
@testable import HubTransport
import HubVocabulary
import Testing

/// The ends of some sockets, in each state in which a send may meet one.
private final class SocketRow {
    enum State: CaseIterable {
        case empty
        case nearlyFull
        case full
        case closedByPeer
    }

    let mine: [Int32]
    let theirs: [Int32]
    private var gone: Set<Int> = []

    init(_ states: [State]) throws {
        var mine: [Int32] = []
        var theirs: [Int32] = []
        for (index, state) in states.enumerated() {
            var pair: [Int32] = [-1, -1]
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            try #require(unsafe socketpair(AF_UNIX, kind, 0, &pair) == 0)
            mine.append(pair[0])
            theirs.append(pair[1])
            let filler = [UInt8](repeating: 0, count: 4_096)
            switch state {
            case .empty: break
            case .nearlyFull:
                while unsafe send(pair[0], filler, filler.count, 0) > 0 {}
                var part = [UInt8](repeating: 0, count: 40_000)
                _ = unsafe recv(pair[1], &part, part.count, 0)
            case .full:
                while unsafe send(pair[0], filler, filler.count, 0) > 0 {}
            case .closedByPeer:
                close(pair[1])
                gone.insert(index)
            }
        }
        self.mine = mine
        self.theirs = theirs
    }

    deinit {
        for descriptor in mine { close(descriptor) }
        for (index, descriptor) in theirs.enumerated() where !gone.contains(index) {
            close(descriptor)
        }
    }

    /// All that waits at the other ends.
    func received() -> [[UInt8]] {
        theirs.enumerated().map { index, descriptor in
            var all: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 65_536)
            while !gone.contains(index) {
                let count = unsafe recv(descriptor, &part, part.count, 0)
                if count <= 0 { break }
                all += part.prefix(count)
            }
            return all
        }
    }
}

@Suite("Many sends in one call", .enabled(if: Submission.probeRing() == nil))
struct RingTests {
    /// Submits one batch to a row of sockets; the results.
    private static func submit(
        _ counts: [Int],
        to row: SocketRow,
        with submitter: inout Submitter
    ) -> [Int] {
        let output = (0..<counts.reduce(0, +)).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        var start = 0
        var entries: [OutputEntry] = []
        for (index, count) in counts.enumerated() {
            entries.append(
                OutputEntry(
                    slot: UInt32(index),
                    generation: 1,
                    descriptor: row.mine[index],
                    start: start,
                    count: count,
                    result: 77
                )
            )
            start += count
        }
        unsafe output.withUnsafeBufferPointer { output in
            unsafe entries.withUnsafeMutableBufferPointer { entries in
                // Never empty: every count is at least 1.
                guard let base = output.baseAddress else { return }
                unsafe submitter.submit(entries, from: base)
            }
        }
        return entries.map(\.result)
    }

    @Test("ends as single sends do, whatever the sockets", arguments: 0..<4 as Range<UInt64>)
    func agrees(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let count = [2, 3, 40, 256][Int(seed % 4)]
        let states = (0..<count).map { _ in
            SocketRow.State.allCases.randomElement(using: &random) ?? .empty
        }
        var ring = Submitter(.ring)
        var single = Submitter(.send)
        let first = try SocketRow(states)
        let second = try SocketRow(states)
        for _ in 0..<3 {
            let sizes = (0..<count).map { _ in Int.random(in: 1...30_000, using: &random) }
            let ours = Self.submit(sizes, to: first, with: &ring)
            let theirs = Self.submit(sizes, to: second, with: &single)
            #expect(ours == theirs, "seed \(seed)")
        }
        #expect(first.received() == second.received(), "seed \(seed)")
        let batches = (ring.ringBatches, single.ringBatches)
        #expect(batches == (3, 0))
    }

    @Test("a ring that fails leaves the batch to single sends, and is not used again")
    func fallsBack() async throws {
        await #expect(processExitsWith: .success) {
            var submitter = Submitter(.ring)
            // The only ring of this process becomes something else.
            let folder = "/proc/self/fd/"
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                let target = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: folder + name
                )
                guard target == "anon_inode:[io_uring]", let ring = Int32(name) else { continue }
                let other = unsafe open("/dev/null", O_RDWR)
                precondition(dup2(other, ring) == ring)
            }
            let row = try SocketRow([.empty, .full, .empty])
            for round in 1...2 {
                let results = Self.submit([10, 20, 30], to: row, with: &submitter)
                precondition(results == [10, -Int(EAGAIN), 30], "round \(round): \(results)")
            }
            precondition(submitter.ringBatches == 1)
        }
    }

    @Test(
        "slow and leaving peers in a batch keep every other's bytes whole and in order",
        arguments: RecordSealing.allCases,
        Submission.allCases
    )
    func delivers(sealing: RecordSealing, submission: Submission) throws {
        let net = try TestNet(sealing: sealing, submission: submission)
        let client = try net.client()
        let pairs = try (0..<12).map { _ in try net.open(client) }
        let block = (0..<16_000).map { UInt8(truncatingIfNeeded: $0 &* 11) }
        // More than the kernel holds for who does not read, some blocks for the others.
        let blocks = pairs.indices.map { $0 < 2 ? 1_000 : 10 }
        for pair in pairs.prefix(2) {
            try client.run { $0.connections.pauseReading(pair.client) }
        }
        let owed = Dictionary(uniqueKeysWithValues: zip(pairs.map(\.server), blocks))
        try net.server.run { handler in
            let left = Owed(owed)
            let more = { [unowned handler] (connection: ConnectionID) in
                while let count = left.blocks[connection], count > 0,
                    handler.write(block, to: connection) == .accepted
                { left.blocks[connection] = count - 1 }
            }
            handler.writable = more
            for connection in owed.keys { more(connection) }
        }
        _ = try net.statistics("blocked") { $0.blockedSends > 0 }
        // Three leave in the middle.
        for pair in pairs[2..<5] {
            try client.run { $0.connections.close(pair.client, .atOnce) }
        }
        for pair in pairs.prefix(2) {
            try client.run { $0.connections.resumeReading(pair.client) }
        }
        for (index, pair) in pairs.enumerated() where !(2..<5).contains(index) {
            let expected = (0..<blocks[index]).flatMap { _ in block }
            try client.log.wait("all bytes") { events in
                events.count(of: pair.client) == expected.count ? () : nil
            }
            let isWhole = client.log.all.bytes(from: pair.client) == expected
            #expect(isWhole, "connection \(index)")
        }
        let counted = try net.statistics("three have left") { $0.closed == 3 }
        #expect((counted.ringBatches > 0) == (submission == .ring))
    }

    /// The blocks that each connection is still to be given.
    private final class Owed {
        var blocks: [ConnectionID: Int]

        init(_ blocks: [ConnectionID: Int]) { self.blocks = blocks }
    }
}

extension [Event] {
    /// How many bytes came from a connection.
    fileprivate func count(of connection: ConnectionID) -> Int {
        reduce(0) { sum, event in
            if case .received(connection, let bytes) = event { sum + bytes.count } else { sum }
        }
    }
}
