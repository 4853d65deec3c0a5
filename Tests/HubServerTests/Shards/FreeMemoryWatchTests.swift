import HubTransport
import Testing

@testable import HubServer

@Suite("When a shard gives memory back")
struct FreeMemoryWatchTests {
    private static let quiet = FreeMemoryWatch.quietNanoseconds
    private static let enough = FreeMemoryWatch.changesMin

    /// What the watch says at each of these times, with so many changes until then.
    private static func answers(_ readings: [(changes: UInt64, time: UInt64)]) -> [Bool] {
        var watch = FreeMemoryWatch()
        return readings.map { reading in
            guard watch.isDue(reading.changes, at: reading.time) else { return false }
            watch.hasReturned()
            return true
        }
    }

    @Test("once connections have stopped coming and going, and only once")
    func quiet() {
        let answers = Self.answers([
            (Self.enough, 1_000),
            (Self.enough, 999 + Self.quiet),
            (Self.enough, 1_000 + Self.quiet),
            (Self.enough, 2_000 + 2 * Self.quiet),
        ])
        #expect(answers == [false, false, true, false])
    }

    @Test("asks again until it was given back")
    func refused() {
        var watch = FreeMemoryWatch()
        var answers: [[Bool]] = []
        func look(_ changes: UInt64, _ time: UInt64) {
            let isDue = watch.isDue(changes, at: time)
            answers.append([isDue, watch.waits])
        }
        look(Self.enough - 1, 1)
        look(Self.enough, 2)
        look(Self.enough, 2 + Self.quiet)
        look(Self.enough, 3 + Self.quiet)
        watch.hasReturned()
        look(Self.enough, 4 + Self.quiet)
        #expect(
            answers == [
                [false, false], [false, true], [true, true], [true, true], [false, false],
            ]
        )
    }

    @Test("the process gives back once in a while, whoever asks")
    func once() {
        // Far ahead of every clock, so that shards of other tests have not asked since.
        let now = UInt64.max / 2
        let pause = ProcessMemory.returnSeconds * 1_000_000_000
        #expect(ProcessMemory.returnFreeMemory(atNanoseconds: now))
        #expect(!ProcessMemory.returnFreeMemory(atNanoseconds: now))
        #expect(!ProcessMemory.returnFreeMemory(atNanoseconds: now + pause - 1))
        #expect(ProcessMemory.returnFreeMemory(atNanoseconds: now + pause))
    }

    @Test("not while one comes now and then")
    func busy() {
        let readings: [(changes: UInt64, time: UInt64)] = (1...20).map { step in
            (Self.enough + step, step * (Self.quiet - 1))
        }
        #expect(Self.answers(readings).allSatisfy { !$0 })
    }

    @Test("not for a few, and again for many more")
    func few() {
        let answers = Self.answers([
            (Self.enough - 1, 1),
            (Self.enough - 1, 1 + 2 * Self.quiet),
            (Self.enough, 2 + 2 * Self.quiet),
            (Self.enough, 2 + 3 * Self.quiet),
            (2 * Self.enough - 1, 10 * Self.quiet),
            (2 * Self.enough - 1, 12 * Self.quiet),
            (2 * Self.enough, 13 * Self.quiet),
            (2 * Self.enough, 14 * Self.quiet),
        ])
        #expect(answers == [false, false, false, true, false, false, false, true])
    }
}
