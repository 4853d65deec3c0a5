import GRDB

/// The change that a release makes to files of the schema before its own.
struct SchemaStep: Sendable {
    /// The schema of the files that it changes; afterwards they have the next one.
    let from: Int
    /// Changes the file of a name, within the transaction that gives it the next schema.
    let change: @Sendable (_ file: String, _ database: Database) throws -> Void

    /// Every step, ascending; schemas below the first were never released.
    static let all = [countersInBlocks, lanes]
}
