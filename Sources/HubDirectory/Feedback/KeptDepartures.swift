package import HubModel
package import HubVocabulary

/// The rows of the journal of departures that are kept and not too old.
package struct KeptDepartures {
    private let store: any HubStorage
    /// Their numbers; nil when there are none.
    package private(set) var numbers: ClosedRange<UInt64>?

    /// Looks which rows of a store are kept at a time.
    init(
        _ store: any HubStorage,
        keptSeconds: UInt64,
        now: Timestamp
    ) throws(StoreError) {
        self.store = store
        guard let stored = try store.departureNumbers() else { return }
        let age = min(now.milliseconds, keptSeconds * 1_000)
        let oldest = Timestamp(milliseconds: now.milliseconds - age)
        numbers = try first(in: stored, since: oldest).map { $0...stored.upperBound }
    }

    /// Returns rows from a number on.
    package func rows(from number: UInt64, limit: Int) throws(StoreError) -> [DepartureRow] {
        try store.departures(from: number, limit: limit)
    }

    /// Returns the number of the first of these rows that is not older than a time, by halving: times ascend with numbers.
    package func first(
        in numbers: ClosedRange<UInt64>,
        since time: Timestamp
    ) throws(StoreError) -> UInt64? {
        var (low, high) = (numbers.lowerBound, numbers.upperBound + 1)
        while low < high {
            let middle = low + (high - low) / 2
            guard let row = try row(middle), row.time >= time else {
                low = middle + 1
                continue
            }
            high = middle
        }
        return low <= numbers.upperBound ? low : nil
    }

    /// Returns the row with a number; nil when it is not kept.
    package func row(_ number: UInt64) throws(StoreError) -> DepartureRow? {
        try store.departures(from: number, limit: 1).first { $0.number == number }
    }
}
