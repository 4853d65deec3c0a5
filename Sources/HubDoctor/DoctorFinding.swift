/// Something that an operator should look at, and the way out.
package struct DoctorFinding: Encodable, Equatable, Sendable {
    /// How much it matters.
    package enum Severity: String, Encodable, Sendable {
        /// The promise is at stake, or clients are refused.
        case error
        /// It works, and may not for long.
        case warning

        var letter: String { self == .error ? "E" : "W" }
    }

    /// Letter and number of the check, such as `E04`.
    package let id: String
    /// How much it matters.
    package let severity: Severity
    /// The finding, as a sentence.
    package let text: String
    /// The way out.
    package let remedy: String

    init(_ number: Int, _ severity: Severity, _ text: String, _ remedy: String) {
        id = severity.letter + (number < 10 ? "0" : "") + "\(number)"
        self.severity = severity
        self.text = text
        self.remedy = remedy
    }
}
