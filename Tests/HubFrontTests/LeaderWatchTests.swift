import HubCluster
import HubFront
import NIOCore
import NIOPosix
import Testing

@Suite("News of the lead")
struct LeaderWatchTests {
    private static func row(term: UInt64, left: UInt64 = 3_000) -> LeadRow {
        LeadRow(
            term: term,
            holder: term,
            node: "n\(term)",
            address: "n\(term):8443",
            devices: "n\(term):9443",
            left: left
        )
    }

    private static let loop = MultiThreadedEventLoopGroup.singleton.any()

    @Test("a leader is a node whose lease lasts and that says where it is")
    func leaders() {
        let watch = LeaderWatch()
        #expect(watch.leader == nil)
        watch.hear(Self.row(term: 1))
        #expect(watch.leader?.node == "n1" && watch.leader?.devices?.port == 9_443)
        watch.hear(Self.row(term: 1, left: 0))
        #expect(watch.leader == nil)
        watch.hear(LeadRow(term: 2, holder: 2, node: "n2", address: "", left: 9))
        #expect(watch.leader == nil)
    }

    @Test("whoever waits goes on when another leads, at once when one does already")
    func changes() async {
        let watch = LeaderWatch()
        watch.hear(Self.row(term: 1))
        let first = watch.leader
        async let change: Void = watch.change(from: first, within: 600_000, on: Self.loop)
        // What says the same is no news.
        watch.hear(Self.row(term: 1, left: 2_000))
        watch.hear(Self.row(term: 2))
        await change
        #expect(watch.leader?.term == 2)
        await watch.change(from: first, within: 600_000, on: Self.loop)
    }

    @Test("whoever waits goes on after a while, and when the node is to end")
    func ends() async {
        let watch = LeaderWatch()
        await watch.change(from: nil, within: 1, on: Self.loop)
        async let change: Void = watch.change(from: nil, within: 600_000, on: Self.loop)
        watch.end()
        await change
        #expect(watch.isEnding)
        await watch.change(from: nil, within: 600_000, on: Self.loop)
    }
}
