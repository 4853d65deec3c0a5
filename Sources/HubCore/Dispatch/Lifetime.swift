/// When a delivery stops being worth it.
package struct Lifetime: Hashable, Sendable {
    /// Its time is over then.
    package var expires: Timestamp
    /// Now or never.
    package var isTransient: Bool
}
