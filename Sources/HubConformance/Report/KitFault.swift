/// The end of a scenario before its last step.
package enum KitFault: Error, Equatable, Sendable {
    /// The peer broke the rule: what the text asks for, and what came.
    case broken(expected: String, came: String)
    /// The scenario cannot be played here.
    case notPlayed(String)
    /// The kit itself cannot go on.
    case setup(String)
}
