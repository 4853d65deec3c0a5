package import HubModel
package import HubVocabulary

/// The reader of one hub's log: works out what devices missed, for sessions that are further behind
/// than one page of the recent records.
package struct ReaderLoop {
    /// Damaged places that the operator hears of; more are only counted.
    private static let damageToldMax = 1_024

    private let log: SharedLog
    private var missed: MissedSets
    private var told: Set<UInt64> = []

    /// A reader that has read nothing; `recent` returns those of the records at some places, which
    /// ascend, that need not be read.
    package init(
        reader: any LogReading,
        limits: SessionLimits,
        recent: @escaping (ArraySlice<UInt64>) -> [NotificationRecord]
    ) {
        log = SharedLog(reader: reader, limits: limits, recent: recent)
        missed = MissedSets(limits: limits)
    }

    /// Answers one read; `onDamage` hears of each damaged record once.
    package mutating func answer(
        _ query: LogQuery,
        now: Timestamp,
        onDamage: (LogPage.Damage) -> Void
    ) -> LogPage {
        do throws(StoreError) {
            let page = try missed.page(query, from: log, now: now)
            if let damage = page.damage, told.count < Self.damageToldMax,
                told.insert(damage.through).inserted
            {
                onDamage(damage)
            }
            return page
        } catch {
            return LogPage(failing: query)
        }
    }
}
