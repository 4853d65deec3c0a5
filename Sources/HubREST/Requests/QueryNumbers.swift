import HubVocabulary

/// Numbers in queries; a field that is absent or empty has none.
extension RequestTarget {
    /// A number without an upper bound of its own.
    ///
    /// - Throws: `.invalid` naming the field.
    func number(_ name: String, atLeast least: Int) throws(RequestFailure) -> Int? {
        guard let text = value(name), !text.isEmpty else { return nil }
        guard let number = Int(String(decoding: text, as: UTF8.self)), number >= least else {
            let reason = "must be a number of at least \(least)."
            throw .refused(.invalid(field: name, reason: reason))
        }
        return number
    }

    /// A number within a range.
    ///
    /// - Throws: `.invalid` naming the field.
    func number(_ name: String, in range: ClosedRange<Int>) throws(RequestFailure) -> Int? {
        guard let text = value(name), !text.isEmpty else { return nil }
        guard let number = Int(String(decoding: text, as: UTF8.self)), range.contains(number) else {
            let reason = "must be a number from \(range.lowerBound) to \(range.upperBound)."
            throw .refused(.invalid(field: name, reason: reason))
        }
        return number
    }
}
