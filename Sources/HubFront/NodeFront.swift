package import HubDatabase
import HubCluster
import HubData

/// What a node needs to carry requests to the one that leads.
package final class NodeFront: Sendable {
    /// Who leads.
    package let watch: LeaderWatch
    let link: LeaderLink
    let proof: FrontProof
    let budget: RequestBudget
    /// Who may ask about the node itself.
    package let keys: FrontKeys
    let limits: FrontLimits

    /// A front of a node whose database names the leader.
    ///
    /// - Throws: `.database` when the folder has no `cluster.key`.
    package init(_ database: ServerDatabase, keys: FrontKeys) throws {
        limits = FrontLimits(leaseMilliseconds: database.leaseMilliseconds)
        let secret = try NodeSecret(database)
        let watch = LeaderWatch()
        let link = LeaderLink(trusted: try secret.certificate.authority(), limits: limits)
        proof = secret.proof
        budget = RequestBudget(limits)
        self.watch = watch
        self.link = link
        self.keys = keys
        watch.whenChanged { link.follow($0) }
        if let row = database.leader { watch.hear(row) }
        database.whenHeard { watch.hear($0) }
    }

    /// Answers what waits, and carries nothing any more.
    package func end() {
        watch.end()
        link.close()
    }

    /// Seconds for which it holds a request.
    package var holdSeconds: UInt64 { limits.holdMilliseconds / 1_000 }

    /// Has the numbers of now counted.
    package func measure() { FrontEvents.measure(requests: budget.requests) }
}
