package import HubDirectory
package import HubModel
package import HubVocabulary

/// Reads the parts of the journal of departures from a number on, `CoreLimits.feedback.departurePartsPerAnswer`
/// at most.
package struct ListDepartureParts: HubQuestion {
    /// Where the part begins.
    package let from: UInt64

    /// Asks for those from a number on.
    package init(from: UInt64) { self.from = from }

    package func answer(_ hub: HubView) throws(Refusal) -> ListPage<DeparturePart, UInt64> {
        try hub.reading { () throws(StoreError) in
            let kept = try hub.departures
            guard let numbers = kept.numbers else { return ListPage([], next: nil) }
            return try parts(of: numbers, kept, hub)
        }
    }

    private func parts(
        of numbers: ClosedRange<UInt64>,
        _ kept: KeptDepartures,
        _ hub: HubView
    ) throws(StoreError) -> ListPage<DeparturePart, UInt64> {
        let size = max(1, hub.limits.feedback.departuresPerPart)
        var found: [DeparturePart] = []
        var next = max(from, numbers.lowerBound)
        while next <= numbers.upperBound, let row = try kept.row(next) {
            guard found.count < hub.limits.feedback.departurePartsPerAnswer else {
                return ListPage(found, next: next)
            }
            let block = next / size
            var end = min(numbers.upperBound, block * size + size - 1)
            guard var last = try kept.row(end) else { break }
            if last.day != row.day {
                let morning = Timestamp(
                    milliseconds: (row.day + 1) * DepartureRow.dayMilliseconds
                )
                guard let later = try kept.first(in: next...end, since: morning),
                    let before = try kept.row(later - 1)
                else { break }
                (end, last) = (later - 1, before)
            }
            found.append(
                DeparturePart(
                    day: row.day,
                    block: block,
                    numbers: next...end,
                    modified: last.time
                )
            )
            next = end + 1
        }
        return ListPage(found, next: nil)
    }
}

extension DepartureRow {
    fileprivate static let dayMilliseconds: UInt64 = 86_400_000

    /// Days since 1970, in UTC.
    fileprivate var day: UInt64 { time.milliseconds / Self.dayMilliseconds }
}
