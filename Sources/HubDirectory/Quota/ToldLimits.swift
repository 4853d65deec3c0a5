import HubModel
import HubVocabulary

/// The limits that the operator heard of in the present minute: a flood is told once a minute.
struct ToldLimits {
    private var minute: UInt64 = 0
    private var told: Set<HubLimit> = []

    /// Whether a limit is to be told now; it is told from here on.
    mutating func isNews(_ limit: HubLimit, now: Timestamp) -> Bool {
        let present = now.milliseconds / 60_000
        if present != minute {
            minute = present
            told.removeAll()
        }
        return told.insert(limit).inserted
    }
}
