/// Which registrations a list names.
///
/// Source: REST reference §4.8.
package enum RegistrationFilter: Hashable, Sendable {
    case all
    case tag([UInt8])
    /// Any of these spellings of a handle, of any platform; Apple tokens compare without case.
    case handle([[UInt8]])
}
