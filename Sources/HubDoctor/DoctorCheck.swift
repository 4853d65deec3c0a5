/// A question about facts; its number never changes its meaning.
package struct DoctorCheck: Sendable {
    /// A finding before it has the number of its check.
    typealias Told = (DoctorFinding.Severity, text: String, remedy: String)

    /// From 1.
    package let number: Int
    private let look: @Sendable (DoctorFacts) -> [Told]

    init(_ number: Int, look: @escaping @Sendable (DoctorFacts) -> [Told]) {
        self.number = number
        self.look = look
    }

    /// Returns what it finds; nothing when all is well, or when its facts are not known.
    package func findings(_ facts: DoctorFacts) -> [DoctorFinding] {
        look(facts).map { DoctorFinding(number, $0, $1, $2) }
    }

    /// Every check, ascending by number.
    package static let all =
        (folder + disk + machine + certificate + settings + keys + hubs + relays + reach + cluster)
        .sorted { $0.number < $1.number }
}
