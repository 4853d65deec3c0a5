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
        for slot in connections.slots where connections[slot]?.phase.hub == number {
            fail(slot, .unknownHub, detail: "the hub was deleted", now: now)
        }
        // What was counted and not reported goes with the hub, so that none of its name inherits it.
        let gone = hubs[number]
        counters.add(gone.counters)
        hubs.close(
            number,
            leaving: HubShard(
                ShardHubConfiguration(closing: gone),
                limits: limits,
                seed: random.next(),
                now: now
            )
        )
    }

    /// Judges tokens by other rules from now on.
    package mutating func use(_ policies: AccessPolicies) { authenticator.policies = policies }
}
