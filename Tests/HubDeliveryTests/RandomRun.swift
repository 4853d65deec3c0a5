import HubDelivery
import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubTags
import HubVocabulary
import HubWire
import Testing

/// Random sends, now and for later, cancellations, tag changes, cuts, windows and full sockets, beside a model that says what each
/// device must get.
struct RandomRun {
    private let hub: WholeHub
    private var devices: [ScriptedDevice] = []
    private var tags: [Set<String>] = []
    private var isConnected: [Bool] = []
    private var expected: [[String]] = []
    private var random: SeededRandom
    private var count = 0
    private let words = ["a", "b", "c", "d"]
    private let expressions = ["a", "b || c", "a && !b", "!d", "(a || b) && c", "d"]
    /// What waits for its time, as its callers know it.
    private var scheduled: [(place: SchedulePlace, text: String, expression: String)] = []
    private(set) var violations: [String] = []

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        hub = try WholeHub(shards: 2, seed: seed)
        for number in 0..<4 {
            let device = ScriptedDevice(hub, shard: number % 2)
            device.windowMessages = UInt16(1 + random.next() % 8)
            device.instance = UInt64(number + 1)
            try device.hello()
            let chosen = pick()
            try device.register(tags: Array(chosen).sorted())
            devices.append(device)
            tags.append(chosen)
            isConnected.append(true)
            expected.append([])
        }
    }

    private mutating func pick() -> Set<String> {
        Set(words.filter { _ in random.next() % 2 == 0 })
    }

    mutating func steps(_ number: Int) throws {
        for _ in 0..<number {
            let target = Int(random.next() % UInt64(devices.count))
            switch random.next() % 13 {
            case 0...3: try send()
            case 4: try change(target)
            case 5: cut(target)
            case 6: try reconnect(target)
            case 7: block(target)
            case 8: unblock(target)
            case 9: acknowledge(target)
            case 10, 11: try schedule()
            default: cancelSchedule()
            }
            try expectFired()
        }
    }

    private mutating func send() throws {
        let expression = expressions[Int(random.next() % UInt64(expressions.count))]
        count += 1
        hub.run(Send(try WholeHub.apple("\(count)", tags: expression)))
        try expect("\(count)", expression)
    }

    /// Everybody who matches now is owed a text.
    private mutating func expect(_ text: String, _ expression: String) throws {
        let parsed = try TagExpression(parsing: Array(expression.utf8))
        for number in devices.indices {
            let set = TagSet(tags[number].sorted().map { Array($0.utf8) })
            if parsed.matches(tags: set) { expected[number].append(text) }
        }
    }

    private mutating func schedule() throws {
        let expression = expressions[Int(random.next() % UInt64(expressions.count))]
        count += 1
        // Some at the same time, some at once.
        let delay = random.next() % 6 * 500
        let due = Timestamp(milliseconds: hub.now.time.milliseconds + delay)
        let draft = try WholeHub.apple("\(count)", tags: expression)
        let reply = hub.run(ScheduleSend(ScheduleRequest(draft: draft, due: due)))
        guard case .success(let id) = reply else {
            violations.append("schedule: \(String(describing: reply))")
            return
        }
        scheduled.append((SchedulePlace(due: due, id: id), "\(count)", expression))
    }

    private mutating func cancelSchedule() {
        guard !scheduled.isEmpty else { return }
        let index = Int(random.next() % UInt64(scheduled.count))
        let reply = hub.run(CancelSchedule(scheduled.remove(at: index).place.id))
        guard case .some(.success) = reply else {
            violations.append("cancel: \(String(describing: reply))")
            return
        }
    }

    /// Whatever has come due was fired, to those who match now, in the order of time and id.
    private mutating func expectFired() throws {
        let now = hub.now.time
        let due = scheduled.filter { $0.place.due <= now }.sorted { $0.place < $1.place }
        scheduled.removeAll { $0.place.due <= now }
        for one in due { try expect(one.text, one.expression) }
    }

    private mutating func change(_ number: Int) throws {
        guard isConnected[number] else { return }
        let chosen = pick()
        let results = devices[number].results.count
        try devices[number].register(tags: chosen.sorted())
        hub.advance(milliseconds: 1_000)
        devices[number].read()
        // A full socket hides the answer, but the change was made.
        if devices[number].results.count > results {
            guard devices[number].results.last?.status == 0 else {
                violations.append("REGISTER: \(String(describing: devices[number].results.last))")
                return
            }
        }
        tags[number] = chosen
    }

    private mutating func cut(_ number: Int) {
        guard isConnected[number] else { return }
        unblock(number)
        devices[number].cut()
        isConnected[number] = false
    }

    private mutating func reconnect(_ number: Int) throws {
        guard !isConnected[number] else { return }
        try devices[number].reconnect(shard: Int(random.next() % 2))
        if devices[number].welcome?.resume != .resumed {
            violations.append("device \(number): \(String(describing: devices[number].welcome))")
        }
        isConnected[number] = true
    }

    private func block(_ number: Int) {
        guard isConnected[number] else { return }
        let address = devices[number].address
        hub.shards[address.shard].output.full.insert(address.connection.slot)
    }

    private func unblock(_ number: Int) {
        let address = devices[number].address
        guard hub.shards[address.shard].output.full.remove(address.connection.slot) != nil else {
            return
        }
        hub.shards[address.shard].loop.core.writable(address.connection, now: hub.now)
        hub.runUntilIdle()
        devices[number].read()
    }

    private func acknowledge(_ number: Int) {
        guard isConnected[number] else { return }
        devices[number].read()
        devices[number].acknowledge()
    }

    /// The faults are gone: every device must end with exactly what it was owed.
    mutating func finish() throws {
        for number in devices.indices {
            unblock(number)
            try reconnect(number)
        }
        for _ in 0..<200 {
            for device in devices {
                device.read()
                device.acknowledge()
            }
            hub.advance(milliseconds: 100)
        }
        try expectFired()
        if !scheduled.isEmpty { violations.append("\(scheduled.count) never fired") }
        for number in devices.indices where devices[number].alerts != expected[number] {
            violations.append(
                "device \(number) got \(devices[number].alerts), owed \(expected[number])"
            )
        }
        for device in devices where !device.errors.isEmpty {
            violations.append("errors: \(device.errors)")
        }
    }
}
