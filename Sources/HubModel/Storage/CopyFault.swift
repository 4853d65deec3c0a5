/// Why a copy of what a database holds was filled anew.
package enum CopyFault: String, Hashable, Sendable {
    /// The folder has no copy, or only a part of one.
    case missing
    /// A file cannot be read, or is of another schema.
    case damaged
    /// It has another past than the database.
    case otherPast
}
