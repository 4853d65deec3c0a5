@testable import HubTransport
import Testing

@Suite("Deadlines after a stall")
struct StallTests {
    private static let start: UInt64 = 5_000_000_000

    @Test("wait while input is left over, and no longer")
    func waits() {
        var watch = StallWatch()
        var now = Self.start
        func putsOff(after nanoseconds: UInt64, full: Bool) -> Bool {
            now += nanoseconds
            return watch.putsOff(isListFull: full, atNanoseconds: now)
        }
        #expect(!putsOff(after: 0, full: true))
        #expect(!putsOff(after: StallWatch.leastNanoseconds - 1, full: true))
        #expect(!putsOff(after: 10 * StallWatch.leastNanoseconds, full: false))
        #expect(putsOff(after: StallWatch.leastNanoseconds, full: true))
        #expect(putsOff(after: 1_000, full: true))
        #expect(!putsOff(after: 1_000, full: false))
        #expect(!putsOff(after: 1_000, full: true))
    }

    @Test("are not put off for ever by a flood")
    func bounded() {
        var watch = StallWatch()
        _ = watch.putsOff(isListFull: false, atNanoseconds: Self.start)
        var turns = 0
        var now = Self.start + StallWatch.leastNanoseconds
        while watch.putsOff(isListFull: true, atNanoseconds: now), turns < 1_000 {
            turns += 1
            now += 1_000
        }
        #expect(turns == StallWatch.turnsMax)
        let isPutOffAgain = watch.putsOff(isListFull: true, atNanoseconds: now + 1_000)
        #expect(!isPutOffAgain)
    }
}
