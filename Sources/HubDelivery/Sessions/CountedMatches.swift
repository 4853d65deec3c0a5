import HubVocabulary

/// Up to where matches that a device does not get are counted already.
struct CountedMatches {
    /// Records at or below were evaluated for it.
    var through: UInt64
    /// Matches of these records that had expired at this time were counted.
    var at: Timestamp

    /// Whether a match at this place would be counted a second time.
    func holds(_ sequence: UInt64) -> Bool { sequence <= through }

    /// Whether a match that expires at this time would be counted a second time.
    func holds(_ sequence: UInt64, expires: Timestamp) -> Bool {
        sequence <= through && expires <= at
    }
}
