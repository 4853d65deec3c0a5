package import HubDirectory
package import HubModel
package import HubVocabulary

/// Reads rows of the journal of departures, `CoreLimits.feedback.departuresPerAnswer` at most; none when they
/// are not kept any more.
package struct GetDepartures: HubQuestion {
    /// Which rows.
    package let numbers: ClosedRange<UInt64>

    /// Asks for the rows with some numbers.
    package init(_ numbers: ClosedRange<UInt64>) { self.numbers = numbers }

    package func answer(_ hub: HubView) throws(Refusal) -> [DepartureRow] {
        try hub.reading { () throws(StoreError) in
            let kept = try hub.departures
            guard let all = kept.numbers else { return [] }
            let start = max(numbers.lowerBound, all.lowerBound)
            let end = min(numbers.upperBound, all.upperBound)
            guard start <= end else { return [] }
            let most = UInt64(max(1, hub.limits.feedback.departuresPerAnswer))
            return try kept.rows(from: start, limit: Int(min(end - start, most - 1) + 1))
        }
    }
}
