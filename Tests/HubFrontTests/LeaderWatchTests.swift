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

    @Test("a request goes to the leader alone, whatever its target says")
    func targets() throws {
        let watch = LeaderWatch()
        watch.hear(Self.row(term: 1))
        let leader = try #require(watch.leader)
        #expect(leader.url(of: "/news?a=b")?.hasSuffix(":8443/news?a=b") == true)
        #expect(leader.url(of: "//elsewhere/x")?.hasSuffix(":8443//elsewhere/x") == true)
        #expect(leader.url(of: "https://elsewhere/x")?.hasSuffix(":8443/x") == true)
        #expect(leader.url(of: "https://elsewhere")?.hasSuffix(":8443/") == true)
        for target in ["@elsewhere:443/x", ":1/x", "", "*", "/x#@elsewhere"] {
            #expect(leader.url(of: target) == nil, "\(target)")
        }
    }

    @Test("those who wait go on when another leads, at once when one does already")
    func changes() async {
        let watch = LeaderWatch()
        watch.hear(Self.row(term: 1))
        let first = watch.leader
        async let change: Void = watch.change(from: first, within: 600_000, on: Self.loop)
        // The same row is no news.
        watch.hear(Self.row(term: 1, left: 2_000))
        watch.hear(Self.row(term: 2))
        await change
        #expect(watch.leader?.term == 2)
        await watch.change(from: first, within: 600_000, on: Self.loop)
    }

    @Test("those who wait go on after a while, and when the node is to end")
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
