package import HubVocabulary

/// Which announcements of a certificate's end are made.
package struct EndingCertificate: Sendable {
    /// Days before the end at which it is announced.
    package static let days = [30, 7, 1]

    private var end: Timestamp?
    /// The number of days that was announced last; nil before the first time.
    private var announced: Int?

    /// None is made yet.
    package init() {}

    /// Returns the days that are left, a part of one for a whole, when they are to be announced now.
    ///
    /// A certificate with another end begins anew.
    package mutating func due(end: Timestamp, now: Timestamp) -> Int? {
        if self.end != end { (self.end, announced) = (end, nil) }
        let milliseconds = end.milliseconds - min(end.milliseconds, now.milliseconds)
        let left = Int(milliseconds + 86_399_999) / 86_400_000
        guard let step = Self.days.last(where: { left <= $0 }), step != announced else {
            return nil
        }
        announced = step
        return left
    }
}
