/// The form of a value in a path, query or header.
package enum ValueForm: Hashable, Sendable {
    /// Any text.
    case text
    /// A whole number in this range.
    case number(ClosedRange<Int>)
    /// One of these words, without case.
    case words([String])
    /// On when present, unless its value is `false` or `0`.
    case flag
}
