import HubModel
import HubVocabulary

/// How many registrations were made in the present minute, by access rule and by address.
///
/// A minute is one of the clock on the wall, the same for all: what was counted is forgotten with
/// its end. So the tables are no larger than what one minute may make.
struct NewRegistrations {
    private static let minuteMilliseconds: UInt64 = 60_000

    private var minute: UInt64 = 0
    private var ofKeys: [String: Int] = [:]
    private var ofAddresses: [DeviceID: Int] = [:]

    /// How many addresses are remembered.
    var addressCount: Int { ofAddresses.count }

    /// Counts new registrations, unless the rule or the address has made enough in this minute.
    ///
    /// Many at once are taken or refused together: one that is left lets all of them through.
    /// - Returns: The limit that is reached, which refuses them; nil when they are counted.
    mutating func count(
        _ made: Int,
        by grant: AccessGrant,
        _ quota: HubQuota,
        now: Timestamp
    ) -> HubLimit? {
        // An operator's own back end may bring over a whole service at once.
        guard made > 0, !grant.has(.manage) else { return nil }
        let present = now.milliseconds / Self.minuteMilliseconds
        if present != minute {
            minute = present
            ofKeys.removeAll()
            ofAddresses.removeAll()
        }
        let known = ofKeys[grant.rule, default: 0]
        guard known < quota.newPerKeyPerMinute else { return .newOfKey(rule: grant.rule) }
        if let network = grant.network {
            let known = ofAddresses[network, default: 0]
            guard known < quota.newPerAddressPerMinute else { return .newOfAddress }
            ofAddresses[network] = known + made
        }
        ofKeys[grant.rule] = known + made
        return nil
    }

    /// Returns the seconds until the next minute begins.
    static func secondsLeft(now: Timestamp) -> Int {
        let left = minuteMilliseconds - now.milliseconds % minuteMilliseconds
        return Int((left + 999) / 1_000)
    }
}
