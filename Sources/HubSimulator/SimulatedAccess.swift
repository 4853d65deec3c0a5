import HubRules
import HubVocabulary

/// The simulated hub's name and keys.
struct SimulatedAccess {
    let hub: HubName
    let secret: HubSecret
    let policies: AccessPolicies
    let listenKey = "bGlzdGVuLWtleS1vZi10aGUtc2ltdWxhdGlvbi0wMDA="

    init() {
        guard let name = HubName("main"), let secret = HubSecret([UInt8](repeating: 7, count: 32))
        else { preconditionFailure("a name and a secret that are none") }
        hub = name
        self.secret = secret
        do throws(Refusal) {
            let listen = try AccessRule(
                name: AccessRule.listenName,
                primaryKey: listenKey,
                secondaryKey: "second",
                rights: [.listen]
            )
            policies = try AccessPolicies(
                names: ["localhost"],
                namespace: [],
                hubs: [name: [listen]]
            )
        } catch {
            preconditionFailure("the rules of the simulation are refused: \(error)")
        }
    }
}
