import HubVocabulary
import Testing

@testable import HubDatabase

@Suite("What there is to balance between nodes")
struct ClusterBalanceTests {
    private static func node(
        _ name: String,
        _ standing: ClusterReport.Standing,
        behind: UInt64? = nil,
        isWarm: Bool = false,
        isAhead: Bool = false
    ) -> ClusterState.Node {
        ClusterState.Node(
            run: 1,
            name: name,
            address: "\(name):8443",
            release: "1",
            standing: standing,
            silence: 0,
            copies: behind.map {
                ClusterReport.Copies(behind: $0, isWarm: isWarm, isAhead: isAhead)
            }
        )
    }

    private static func state(_ nodes: ClusterState.Node...) -> ClusterState {
        ClusterState(term: 1, left: 1, nodes: nodes)
    }

    @Test("the node that lacks least would take over, of two that lack nothing the warm one")
    func best() {
        let leader = Self.node("a", .leads)
        let silent = Self.node("b", .silent, behind: 0, isWarm: true)
        let cold = Self.node("c", .standby, behind: 0)
        let untold = Self.node("d", .standby)
        let warm = Self.node("e", .standby, behind: 0, isWarm: true)
        let late = Self.node("f", .standby, behind: 3)
        #expect(Self.state(leader, silent).bestStandby == nil)
        #expect(Self.state(leader, untold, late).bestStandby?.name == "f")
        #expect(Self.state(leader, late, cold, untold).bestStandby?.name == "c")
        #expect(Self.state(cold, warm, leader).bestStandby?.name == "e")
        for (lag, best) in [(ClusterState.warmLagMax, "g"), (ClusterState.warmLagMax + 1, "c")] {
            let lagging = Self.node("g", .standby, behind: lag, isWarm: true)
            #expect(Self.state(cold, lagging, leader).bestStandby?.name == best)
        }
    }

    @Test("a node that waits and lacks nothing is level when its own disk has shown that")
    func level() {
        let leader = Self.node("a", .leads, behind: 0)
        let silent = Self.node("b", .silent, behind: 0)
        let late = Self.node("c", .standby, behind: 1, isWarm: true)
        let untold = Self.node("d", .standby)
        let ahead = Self.node("e", .standby, behind: 0, isAhead: true)
        #expect(Self.state(leader, silent, late, untold, ahead).levelStandby == nil)
        let cold = Self.node("f", .standby, behind: 0)
        #expect(Self.state(leader, late, cold).levelStandby == nil)
        let warm = Self.node("g", .standby, behind: 0, isWarm: true)
        #expect(Self.state(leader, cold, warm).levelStandby?.name == "g")
    }

    @Test("each state has sentences of its own")
    func sentences() {
        let leader = Self.node("a", .leads)
        #expect(Self.state(Self.node("b", .standby)).balance.count == 1)
        let alone = Self.state(leader).balance
        #expect(alone.count == 2 && alone[1].contains("start one"))
        let states = [
            Self.node("b", .standby, behind: 0, isWarm: true),
            Self.node("b", .standby, behind: 0), Self.node("b", .standby, behind: 7),
            Self.node("b", .standby),
        ].map { Self.state(leader, $0).balance }
        #expect(Set(states.map { $0[1] }).count == 4)
        #expect(states[0][0].hasPrefix("a (a:8443) leads all hubs"))
        #expect(states[0][1].contains("b (b:8443) would take over best: it is level and warm"))
        #expect(states[2][1].contains("lacks 7 groups"))
        let ahead = Self.state(leader, Self.node("b", .standby, behind: 0, isAhead: true)).balance
        #expect(ahead.count == 1 && ahead[0].contains("move --to b:8443"), "\(ahead)")
    }
}
