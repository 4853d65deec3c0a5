/// When a rendered notification expires.
///
/// Source: REST reference §7.6, rules B.9.
package enum TemplateExpiry: Hashable, Sendable {
    /// The template says nothing.
    case none
    /// Now or never: time to live 0.
    case transient
    /// Seconds since 1970; may lie in the past.
    case at(unixSeconds: UInt64)
}
