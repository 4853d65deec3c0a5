import GRDB

/// The change that a release makes to files of an earlier release's schema.
struct SchemaStep: Sendable {
    /// The schema of the files that it changes; afterwards they have the next one.
    let from: Int
    /// Changes the file of a name, within the transaction that gives it the next schema.
    let change: @Sendable (_ file: String, _ database: Database) throws -> Void

    /// Every step, ascending; none yet, because only today's schema was ever released.
    static let all: [SchemaStep] = []
}
