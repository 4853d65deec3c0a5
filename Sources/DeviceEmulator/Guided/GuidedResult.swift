/// The result of a guided run.
package struct GuidedResult: Codable, Equatable, Sendable {
    /// One thing that must hold.
    package struct Check: Codable, Equatable, Sendable {
        /// The condition, as it is told.
        package var text: String
        /// Whether it does.
        package var holds: Bool

        /// A condition, and whether it holds.
        package init(text: String, holds: Bool) {
            self.text = text
            self.holds = holds
        }
    }

    /// The scenario's name, as on the command line.
    package var scenario: String
    /// Everything that must hold, in order.
    package var checks: [Check] = []
    /// Of breaking news: who should have received what, and who did.
    package var news: NewsTable?
    /// Why the run ended before its end; nil when it did not.
    package var fault: String?

    /// Nothing yet.
    package init(scenario: String) { self.scenario = scenario }

    /// Whether everything held to the end, and there was something to hold.
    package var isGood: Bool {
        fault == nil && !checks.isEmpty && checks.allSatisfy(\.holds)
    }
}
