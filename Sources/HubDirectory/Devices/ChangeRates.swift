import HubVocabulary

/// How often each device changes its registrations, over all its connections.
///
/// A device is remembered until its bucket is full again: coming back gives it nothing.
struct ChangeRates {
    private var buckets: [DeviceID: RateBucket] = [:]
    /// With so many devices those whose buckets are full again are forgotten.
    private var sweepsAt = Self.sweepsAtLeast
    private static let sweepsAtLeast = 1_024

    /// How many devices are remembered.
    var count: Int { buckets.count }

    /// Takes one token of a device if it has one.
    mutating func take(_ device: DeviceID, _ limit: RateLimit, now: Instant) -> Bool {
        if buckets[device] == nil, buckets.count >= sweepsAt {
            buckets = buckets.filter { !$0.value.isFull(perSecond: limit.perSecond, now: now) }
            sweepsAt = max(Self.sweepsAtLeast, 2 * buckets.count)
        }
        return buckets[device, default: RateBucket(now: now)]
            .take(1, perSecond: limit.perSecond, burst: limit.burst, now: now)
    }
}
