/// Why a registration ended, or its handle, without a caller of REST having asked for it.
package enum DepartureCause: UInt8, CaseIterable, Sendable {
    /// Its time was over, or that of its installation.
    case lapsed = 1
    /// Its device was not seen for too long.
    case idle = 2
    /// The key of its device was revoked: the registration is there still, its handle leads nowhere.
    case revoked = 3
    /// Its device took it back.
    case unregistered = 4
    /// A push service calls its handle expired.
    case expiredChannel = 5
    /// A push service does not know its handle.
    case badChannel = 6
}
