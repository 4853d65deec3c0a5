import HubModel
import HubVocabulary

/// Where the journal of departures ends, and what the present group adds to it.
final class DepartureJournal: GroupPart {
    /// Reads the journal.
    let store: any HubStorage
    /// The rows of the present group, ascending.
    private var group: [DepartureRow] = []
    private var last: (number: UInt64, time: Timestamp) = (0, Timestamp(milliseconds: 0))
    private var lastBefore: (number: UInt64, time: Timestamp) = (0, Timestamp(milliseconds: 0))

    /// Goes on behind the newest row of a store.
    init(_ store: any HubStorage) throws(StoreError) {
        self.store = store
        guard let numbers = try store.departureNumbers(),
            let newest = try store.departures(from: numbers.upperBound, limit: 1).last
        else { return }
        last = (newest.number, newest.time)
        lastBefore = last
    }

    var storedChanges: [StoredChange] { group.map(StoredChange.putDeparture) }

    /// Rows of revoked handles; every other row comes with the removal of its registration.
    private(set) var touchedCount = 0

    /// Adds a row to the group; a clock that went back stands still here.
    func append(
        _ registration: Registration,
        _ cause: DepartureCause,
        installation: [UInt8]?,
        now: Timestamp
    ) {
        last = (last.number + 1, max(last.time, now))
        if cause == .revoked { touchedCount += 1 }
        group.append(
            DepartureRow(
                number: last.number,
                time: last.time,
                cause: cause,
                platform: registration.content.platform,
                handle: registration.content.handle,
                registration: registration.id,
                installation: installation
            )
        )
    }

    func settle(_ outcome: GroupOutcome, _ news: inout GroupNews) {
        if !outcome.areChangesDurable { last = lastBefore }
        lastBefore = last
        touchedCount = 0
        group.removeAll(keepingCapacity: true)
    }
}
