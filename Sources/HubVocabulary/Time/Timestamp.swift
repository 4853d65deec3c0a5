/// Wall-clock time in milliseconds since 1970, as the wire and the log carry it.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var milliseconds: UInt64

    /// Makes a timestamp of milliseconds since 1970.
    package init(milliseconds: UInt64) { self.milliseconds = milliseconds }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// This many seconds later; stops at the largest time.
    package func adding(seconds: UInt64) -> Timestamp {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        let (sum, carried) = milliseconds.addingReportingOverflow(product)
        return Timestamp(milliseconds: overflow || carried ? .max : sum)
    }
}
