package import HubVocabulary

/// Rows of one day whose numbers lie in one block: what becomes a blob of the container.
///
/// Blocks have a fixed size and days have their date, so what names a part does not change when older
/// rows go or newer ones come. Source: REST reference §12.
package struct DeparturePart: Hashable, Sendable {
    /// Days since 1970, in UTC.
    package var day: UInt64
    /// The rows' numbers divided by `CoreLimits.feedback.departuresPerPart`.
    package var block: UInt64
    /// The rows' numbers.
    package var numbers: ClosedRange<UInt64>
    /// The time of the last row.
    package var modified: Timestamp

    /// Makes a part.
    package init(day: UInt64, block: UInt64, numbers: ClosedRange<UInt64>, modified: Timestamp) {
        self.day = day
        self.block = block
        self.numbers = numbers
        self.modified = modified
    }
}
