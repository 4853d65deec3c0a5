import HubCluster
import HubVocabulary
import Testing

@Suite("The lease of a node")
struct LeaseTests {
    private static let start = Instant(nanoseconds: 1_000_000_000)
    private let limits = LeaseLimits()

    private func at(_ milliseconds: UInt64) -> Instant {
        Self.start.adding(milliseconds: milliseconds)
    }

    private func row(_ term: UInt64, _ holder: UInt64, left: UInt64) -> LeadRow {
        LeadRow(term: term, holder: holder, node: "n\(holder)", address: "", left: left)
    }

    private func leader() -> Lease {
        var lease = Lease(run: 7, now: Self.start)
        _ = lease.receive(row(4, 7, left: limits.lease), sent: at(0), now: at(50))
        return lease
    }

    @Test("looks first, waits while another leads, and takes over when that lease has ended")
    func takes() {
        var lease = Lease(run: 7, now: Self.start)
        #expect(lease.request(now: at(0)) == .look && lease.pause(now: at(0)) == 0)
        let held = row(3, 9, left: 1_000)
        #expect(lease.receive(held, sent: at(0), now: at(10)) == .follows(held))
        #expect(lease.pause(now: at(10)) == limits.look)
        #expect(lease.receive(row(3, 9, left: 700), sent: at(310), now: at(310)) == nil)
        #expect(lease.request(now: at(1_009)) == .look)
        #expect(lease.request(now: at(1_010)) == .take(over: 3))
        #expect(lease.receive(row(4, 7, left: 3_000), sent: at(1_010), now: at(1_020)) == .took(4))
        #expect(lease.term == 4 && lease.request(now: at(1_020)) == .renew(4))
        #expect(lease.pause(now: at(1_020)) == limits.renewal - 10)
    }

    @Test("believes in its lease until a margin before its end, from before the request was sent")
    func believes() {
        let lease = leader()
        let end = limits.lease - limits.margin
        #expect(lease.leads(at: at(end - 1)) && lease.left(at: at(end - 1)) == 1)
        #expect(!lease.leads(at: at(end)) && lease.left(at: at(end)) == 0)
        #expect(lease.term == 4, "what another has not taken may be renewed")
    }

    @Test("a lease that is no longer than the margin is not believed in", arguments: [0, 1])
    func margin(more: UInt64) {
        var lease = leader()
        _ = lease.receive(row(4, 7, left: limits.margin + more), sent: at(500), now: at(500))
        #expect(lease.leads(at: at(500)) == (more > 0))
    }

    @Test("a lease of other length is renewed twice before it ends", arguments: 3...60)
    func seconds(seconds: Int) {
        let limits = LeaseLimits(seconds: seconds)
        #expect(limits.lease == UInt64(seconds) * 1_000)
        #expect(2 * limits.renewal < limits.lease - limits.margin)
        #expect(LeaseLimits(seconds: 3) == LeaseLimits())
    }

    @Test("finds that it leads by a request whose answer was lost")
    func doubt() {
        var lease = Lease(run: 7, now: Self.start)
        _ = lease.receive(row(3, 9, left: 0), sent: at(0), now: at(0))
        #expect(lease.request(now: at(0)) == .take(over: 3))
        lease.fail(now: at(1_000))
        #expect(lease.pause(now: at(1_000)) == limits.retry)
        #expect(lease.receive(row(4, 7, left: 900), sent: at(1_200), now: at(1_201)) == .took(4))
        #expect(lease.left(at: at(1_200)) == 900 - limits.margin)
        // One that has ended meanwhile is taken anew, under another term.
        var late = Lease(run: 7, now: Self.start)
        _ = late.receive(row(4, 7, left: 0), sent: at(0), now: at(0))
        #expect(late.term == nil && late.request(now: at(0)) == .take(over: 4))
    }

    @Test("a lead that is promised to another is asked for more seldom, and handed over")
    func promised() {
        var waiting = Lease(run: 7, now: Self.start)
        var free = row(3, 9, left: 0)
        free.wanted = 8
        _ = waiting.receive(free, sent: at(0), now: at(0))
        #expect(waiting.pause(now: at(0)) == limits.look)
        #expect(waiting.request(now: at(limits.look - 1)) == .look)
        #expect(waiting.request(now: at(limits.look)) == .take(over: 3))
        free.wanted = 7
        _ = waiting.receive(free, sent: at(300), now: at(300))
        #expect(waiting.request(now: at(300)) == .take(over: 3))
        var leading = leader()
        var held = row(4, 7, left: limits.lease)
        held.wanted = 8
        #expect(leading.receive(held, sent: at(1_000), now: at(1_000)) == .asked)
        #expect(leading.term == 4 && leading.leads(at: at(1_000)))
        held.wanted = 7
        #expect(leading.receive(held, sent: at(2_000), now: at(2_000)) == nil)
    }

    @Test("a lead that another has taken, or a later term of its own, is over for good")
    func lost() {
        for found in [row(5, 9, left: 3_000), row(5, 7, left: 3_000), row(4, 9, left: 0)] {
            var lease = leader()
            #expect(lease.receive(found, sent: at(900), now: at(900)) == .lost(found))
            #expect(!lease.leads(at: at(900)) && lease.term == nil)
            #expect(lease.request(now: at(900)) == nil && lease.pause(now: at(900)) == nil)
            #expect(lease.receive(row(5, 7, left: 3_000), sent: at(950), now: at(950)) == nil)
            #expect(lease.end() == nil)
        }
    }

    @Test("the end of a leader releases its term, that of a standby nothing")
    func ends() {
        var lease = leader()
        #expect(lease.end() == .release(4))
        #expect(!lease.leads(at: at(60)) && lease.request(now: at(60)) == nil)
        var standby = Lease(run: 7, now: Self.start)
        #expect(standby.end() == nil && standby.request(now: at(0)) == nil)
    }
}
