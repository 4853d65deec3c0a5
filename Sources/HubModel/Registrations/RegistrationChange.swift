/// A change of one registration, for shards and logs.
package enum RegistrationChange: Sendable {
    /// Stored; `previous` is what it replaced.
    case put(Registration, previous: Registration?)
    /// Removed.
    case removed(Registration)
}
