import HubModel
package import HubRules
package import HubVocabulary
import HubWire

/// Hubs that come and go while the shard runs.
extension ShardCore {
    /// Serves one more hub, whose name none of those served has.
    package mutating func open(_ configuration: ShardHubConfiguration, now: Now) {
        hubs.open(HubShard(configuration, limits: limits, seed: random.next(), now: now))
    }

    /// Serves a hub no longer: each of its sessions ends with UNKNOWN_HUB, and whatever its
    /// directory still says is passed over.
    package mutating func close(_ name: HubName, now: Now) {
        guard let number = hubs.number(of: name) else { return }
        for slot in connections.indices where isOf(hub: number, slot) {
            fail(slot, .unknownHub, detail: "the hub was deleted", now: now)
        }
        // What was counted and not reported goes with the hub, so that none of its name inherits it.
        let gone = hubs[number]
        counters.add(gone.counters)
        let empty = ShardHubConfiguration(
            name: gone.name,
            secret: gone.secret,
            bounds: LogBounds(epoch: gone.feed.epoch, first: 1, head: 0, epochs: []),
            headCheck: 0
        )
        hubs.close(
            number,
            leaving: HubShard(empty, limits: limits, seed: random.next(), now: now)
        )
    }

    /// Judges tokens by other rules from now on.
    package mutating func use(_ policies: AccessPolicies) { self.policies = policies }

    private func isOf(hub number: Int, _ slot: Int) -> Bool {
        switch connections[slot]?.phase {
        case nil, .awaitingHello, .closing: false
        case .attaching(let pending): pending.hub == number
        case .ready(let session), .draining(let session), .leaving(let session):
            session.hub == number
        }
    }
}
