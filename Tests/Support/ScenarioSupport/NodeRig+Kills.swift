import HubTestSupport

// Nodes that are killed by the clock, whatever they are doing.
extension NodeRig {
    /// Kills one of both nodes and starts it again at once, so often and so many seconds apart; how
    /// many of them led.
    ///
    /// A node that is killed may be starting, taking over or waiting. Nothing is waited for but the
    /// time; in the end one node leads and the other stands by.
    func killNodes(
        _ count: Int,
        secondsApart: Int,
        _ random: inout SeededGenerator
    ) async throws -> Int {
        var leaders = 0
        for _ in 0..<count {
            let next = ContinuousClock.now + .seconds(secondsApart)
            let limit = Duration.seconds(secondsApart + 60)
            try await eventually("the next kill", within: limit, every: .milliseconds(100)) {
                ContinuousClock.now >= next
            }
            try await startEnded()
            let node = nodes[Int.random(in: nodes.indices, using: &random)]
            if node.role == .leads { leaders += 1 }
            try await node.kill()
            try node.startAgain()
            load.reconnect()
        }
        load.rest()
        try await settle()
        load.reconnect()
        return leaders
    }
}
