import Foundation
import HubModel
import HubRelay
import HubVocabulary
import Testing

/// Case 92 of the relays' reference at its size, in simulated time.
@Suite("A lane behind an outage")
struct LaneOutageTests {
    /// Sends for one device each, and registrations; `OUTAGE=1000000` is the size of a day.
    private static let count =
        ProcessInfo.processInfo.environment["OUTAGE"].flatMap { UInt64($0) } ?? 2_000
    /// Milliseconds from a request to its answer.
    private static let tripMilliseconds: UInt64 = 50

    /// A lane whose log is a rule: record 1 is for everyone, each other one for one device.
    private struct World {
        var lane: Lane
        var milliseconds: UInt64 = 1_000
        var waiting: [LaneTicket] = []
        var largest = 0
        var done: [LaneEnd: Int] = [:]

        init() {
            lane = Lane(
                mark: LaneMark(epoch: 7, scanned: 0),
                registrations: Int(LaneOutageTests.count),
                seed: 1
            )
        }

        var now: Now {
            Now(
                instant: Instant(nanoseconds: milliseconds * 1_000_000),
                time: Timestamp(milliseconds: Samples.time.milliseconds + milliseconds)
            )
        }

        static func audience(_ sequence: UInt64) -> [UInt32] {
            let count = UInt32(LaneOutageTests.count)
            return sequence == 1 ? Array(1...count) : [UInt32(sequence) % count + 1]
        }

        mutating func turn() {
            var reads = true
            while reads {
                reads = false
                var actions: [LaneAction] = []
                lane.turn(now: now, actions: &actions)
                for action in actions {
                    switch action {
                    case .send(let ticket): waiting.append(ticket)
                    case .read(let after, _, let small, _):
                        reads = true
                        read(after, small)
                    case .renewToken, .keepOlderToken, .remove, .removeSuspect, .rests, .resumes:
                        break
                    }
                }
            }
            largest = max(largest, lane.weight)
        }

        private mutating func read(_ after: UInt64, _ small: Int) {
            let through = min(after + UInt64(max(1, small)), LaneOutageTests.count + 1)
            let records = (after + 1...through).map {
                LaneBench.record($0, Self.audience($0), seconds: 90_000)
            }
            lane.receive(records, through: through, now: now)
        }

        /// All requests that wait get one answer.
        mutating func answer(_ action: RelayAction, _ outcome: RelayOutcome) {
            let answered = waiting
            waiting = []
            for ticket in answered {
                var actions: [LaneAction] = []
                lane.receive(
                    RelayVerdict(action, outcome),
                    for: ticket,
                    from: .service(sharesContent: true),
                    modified: Timestamp(milliseconds: 0),
                    now: now,
                    actions: &actions
                )
            }
        }

        mutating func store() {
            guard let checkpoint = lane.checkpoint() else { return }
            lane.checkpointStored()
            for count in checkpoint.counts { done[count.end, default: 0] += count.amount }
        }
    }

    @Test("92: sends for each of all devices, and one for all, wait for an hour in a bounded place")
    func hour() {
        var world = World()
        world.lane.committed(through: Self.count + 1)
        world.turn()
        let end = world.milliseconds + 3_600_000
        while world.milliseconds < end {
            world.milliseconds += 10_000
            world.answer(.stall(retryAfter: nil), .pnsUnavailable)
            world.turn()
            world.store()
        }
        #expect(world.done.isEmpty)
        // The back-off may have a minute left.
        while world.waiting.isEmpty {
            world.milliseconds += 1_000
            world.turn()
        }
        let began = world.milliseconds
        while !world.lane.hasNothing || !world.waiting.isEmpty {
            world.milliseconds += Self.tripMilliseconds
            world.answer(.done, .success)
            world.turn()
            if world.milliseconds % 1_000 == 0 { world.store() }
        }
        world.store()
        world.store()
        let total = Int(Self.count) * 2
        #expect(world.done == [.service(.success): total])
        #expect(world.largest < 16_000_000)
        let rate = UInt64(total) * 1_000 / (world.milliseconds - began)
        #expect(rate >= 5_000)
        print("outage: \(total) drained at \(rate) a second, \(world.largest) bytes at most")
    }
}
