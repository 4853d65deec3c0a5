import Dispatch
import HubDirectory
import HubMemory
import HubModel
import HubRules
@testable import HubServer
import HubTags
import HubTestSupport
import HubTransport
import HubVocabulary
import HubWire
import Synchronization

/// Values that tests need and whose content does not matter.
enum Example {
    /// The hub of every test.
    static var hub: HubName {
        guard let hub = HubName("hub") else { preconditionFailure("hub is a name") }
        return hub
    }

    /// A native send with a body of so many bytes.
    static func draft(bytes: Int = 10) -> NotificationDraft {
        NotificationDraft(
            format: .native(.apple),
            target: .broadcast,
            body: Array(repeating: UInt8(ascii: "x"), count: bytes),
            timeToLive: .seconds(60)
        )
    }

    /// A record at a place in the log.
    static func record(_ sequence: UInt64, bytes: Int = 10) -> NotificationRecord {
        NotificationRecord(
            sequence: sequence,
            // Accepted far in the future, so that nothing expires.
            id: NotificationID(high: (4_000_000_000_000 + sequence) << 16, low: sequence),
            draft: draft(bytes: bytes)
        )
    }

    /// A device that was never here asks for its session.
    static var attach: AttachRequest {
        AttachRequest(
            address: ConnectionAddress(
                shard: 0,
                connection: ConnectionID(slot: 1, generation: 1)
            ),
            device: DeviceID(high: 1, low: 1),
            keyGeneration: 0,
            instance: 1,
            position: Position(epoch: 0, sequence: 0, check: 0),
            isNew: true
        )
    }

    /// That device's session.
    static var attached: AttachReply {
        AttachReply(
            address: attach.address,
            device: attach.device,
            sessionGeneration: 1,
            outcome: .fresh,
            start: Position(epoch: 7, sequence: 0, check: 0),
            lost: 0,
            scannedThrough: 0,
            registrations: [],
            etag: 1,
            devices: 1,
            head: 0
        )
    }

    /// What a device that takes every record of `record(_:bytes:)` asks of a log.
    static func query(
        after: UInt64,
        through: UInt64,
        limit: Int,
        shard: Int = 0,
        slot: UInt32 = 1,
        ticket: UInt32 = 1
    ) -> LogQuery {
        let device = DeviceID(high: 1, low: UInt64(slot))
        let registration = Registration(
            number: RegistrationNumber(1),
            id: Array("1-1-1".utf8),
            version: 1,
            content: RegistrationContent(platform: .apple, handle: [], tags: TagSet()),
            granted: TagSet(),
            target: RegistrationTarget(device: device, slot: 0),
            template: nil,
            since: LogPlace(epoch: 7, sequence: 1),
            tagsSince: LogPlace(epoch: 7, sequence: 1)
        )
        return LogQuery(
            address: ConnectionAddress(
                shard: shard,
                connection: ConnectionID(slot: slot, generation: 1)
            ),
            ticket: ticket,
            after: after,
            through: through,
            limit: limit,
            device: device,
            handle: [],
            registrations: [registration]
        )
    }

    /// A feed item with one record.
    static func item(_ number: UInt64, bytes: Int = 10) -> FeedItem {
        FeedItem(
            number: number,
            changes: [],
            records: [record(number, bytes: bytes)],
            head: number,
            headCheck: UInt32(truncatingIfNeeded: number),
            durable: Instant(nanoseconds: 0)
        )
    }
}

/// A writer over a memory store whose commits a test can stop, with everything that leaves it in
/// the order in which it left.
final class WriterBench: Sendable {
    /// What leaves a writer.
    enum Event: Equatable, Sendable {
        case commitBegan
        case feed(shard: Int, head: UInt64)
        case accepted(UInt64)
        case refused(Refusal)
    }

    /// Where the writer posts.
    private final class Shards: ShardPosting {
        let shardCount = 2
        let journal: Journal

        init(_ journal: Journal) { self.journal = journal }

        func post(_ message: ShardMessage, of hub: HubName, to shard: Int) {
            guard case .feed(let item) = message else { return }
            journal.append(.feed(shard: shard, head: item.head))
        }
    }

    /// Events, and who waits for so many of them.
    final class Journal: Sendable {
        private let events = Mutex<[Event]>([])
        private let arrived = DispatchSemaphore(value: 0)

        func append(_ event: Event) {
            events.withLock { $0.append(event) }
            arrived.signal()
        }

        var all: [Event] { events.withLock { $0 } }

        /// Blocks until a condition holds; looks again with each event.
        func wait(until isReached: ([Event]) -> Bool) throws -> [Event] {
            while true {
                let now = all
                if isReached(now) { return now }
                try arrived.waitInTime("what comes after \(now.suffix(5))")
            }
        }
    }

    let disk = MemoryDisk()
    let journal = Journal()
    let writer: HubWriter
    private let gate = DispatchSemaphore(value: 0)

    /// Starts the writer; with `isStalled` each commit waits for `release`.
    init(isStalled: Bool = false, waitingBytesMax: Int = 1 << 20) throws {
        let journal = journal
        writer = HubWriter(
            hub: Example.hub,
            recent: SharedRecords(recordsMax: 100, bytesMax: 1 << 20),
            shards: Shards(journal),
            waitingBytesMax: waitingBytesMax
        ) { _, _ in }
        setFaults(isStalled: isStalled)
        let disk = disk
        _ = try writer.start { () throws(StoreError) in
            let store = MemoryStore(disk: disk, newEpoch: 7)
            guard let secret = HubSecret(Array(repeating: 1, count: HubSecret.byteCount)) else {
                preconditionFailure("a secret of the right size")
            }
            let directory = try Hub(
                hub: Example.hub,
                secret: secret,
                storage: store,
                limits: .standard,
                protected: ProtectedTags(),
                seed: 1,
                now: Clock.now
            )
            return HubFiles(hub: directory, storage: store)
        }
    }

    /// What goes wrong from the next commit on.
    func setFaults(records: StoreError? = nil, isStalled: Bool = false) {
        disk.setFaults(
            MemoryFaults(records: records) { [journal, gate] in
                journal.append(.commitBegan)
                if isStalled { _ = gate.wait(timeout: .now() + .seconds(60)) }
            }
        )
    }

    /// Lets so many stalled commits go on.
    func release(_ count: Int = 1) {
        for _ in 0..<count { gate.signal() }
    }

    /// Submits a send; the answer goes into the journal.
    func send(bytes: Int = 10) {
        let journal = journal
        writer.submit(Send(Example.draft(bytes: bytes))) { result in
            switch result {
            case .success(let sent): journal.append(.accepted(sent.sequence))
            case .failure(let refusal): journal.append(.refused(refusal))
            }
        }
    }
}

extension [WriterBench.Event] {
    /// How many answers there are.
    var answers: Int {
        count { event in
            switch event {
            case .accepted, .refused: true
            case .commitBegan, .feed: false
            }
        }
    }

    /// How many commits have begun.
    var commits: Int { count { $0 == .commitBegan } }
}
