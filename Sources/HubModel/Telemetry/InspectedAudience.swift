package import HubVocabulary

/// Whom a notification would reach.
package struct InspectedAudience: Sendable {
    /// How many registrations of one platform and kind.
    package struct Share: Hashable, Sendable {
        /// Their platform.
        package var platform: Platform
        /// Whether they are templates; else native.
        package var isTemplate: Bool
        /// How many.
        package var registrations: Int
    }

    /// By platform, native before template; without those that have none.
    package var shares: [Share] = []
    /// How many of them lead to no device that the hub knows.
    package var withoutDevice = 0
    /// The first of them.
    package var sample: [Registration] = []

    /// How many in all.
    package var registrations: Int { shares.reduce(0) { $0 + $1.registrations } }

    /// An empty audience.
    package init() {}

    /// Counts one registration.
    package mutating func take(_ facts: RegistrationFacts) {
        add(
            Share(
                platform: facts.platform,
                isTemplate: facts.isTemplate,
                registrations: 1
            )
        )
        if facts.target == nil { withoutDevice += 1 }
    }

    /// Adds what a later part found; keeps `sampleMax` of both samples.
    package mutating func add(_ other: InspectedAudience, sampleMax: Int) {
        for share in other.shares { add(share) }
        withoutDevice += other.withoutDevice
        sample += other.sample.prefix(max(0, sampleMax - sample.count))
    }

    private mutating func add(_ share: Share) {
        let place = shares.firstIndex {
            ($0.platform, $0.isTemplate) == (share.platform, share.isTemplate)
        }
        if let place {
            shares[place].registrations += share.registrations
            return
        }
        let behind = shares.firstIndex { $0.order > share.order } ?? shares.count
        shares.insert(share, at: behind)
    }
}

extension InspectedAudience.Share {
    fileprivate var order: (UInt8, Int) { (platform.rawValue, isTemplate ? 1 : 0) }
}
