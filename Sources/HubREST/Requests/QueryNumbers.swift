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

    /// `$top` of a list that is read on with continuation tokens.
    ///
    /// - Throws: `.invalid` naming `$top`; or `$skip`, by which a client would get the first page
    ///   again and again.
    func top() throws(RequestFailure) -> Int? {
        guard try number("$skip", atLeast: 0) ?? 0 == 0 else {
            let reason = "is not known here: ask for the next page with its continuation token."
            throw .refused(.invalid(field: "$skip", reason: reason))
        }
        return try number("$top", atLeast: 1)
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
