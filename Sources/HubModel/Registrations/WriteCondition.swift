/// `If-Match` of a registration write.
///
/// Source: REST reference §4.5.
package enum WriteCondition: Hashable, Sendable {
    /// Absent: create or overwrite.
    case none
    /// `*`: overwrite what exists.
    case exists
    /// A version in any of its spellings.
    case version(UInt64)
    /// Not a version of ours: never matches.
    case never
}
