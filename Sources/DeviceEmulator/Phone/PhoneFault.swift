/// Why the app cannot do what its user wants; holds no secret.
package enum PhoneFault: Error, Equatable, Sendable {
    /// The backend cannot be reached or described.
    case backend(String)
    /// The backend refused with a status and a sentence.
    case refused(status: Int, String)
    /// The device cannot connect to the hub.
    case device(String)
    /// No user has logged in.
    case loggedOut
    /// The login is forgotten on the phone, but holds at the backend.
    case notEnded(String)
    /// The backend has not confirmed the registration.
    case notRegistered
    /// The state of the app cannot be read or written.
    case memory(String)
}

extension PhoneFault: CustomStringConvertible {
    /// One readable line.
    package var description: String {
        switch self {
        case .backend(let reason): "no answer from the backend: \(reason)"
        case .refused(let status, let message): "the backend answered \(status): \(message)"
        case .device(let reason): "the device: \(reason)"
        case .loggedOut: "log in first"
        case .notEnded(let reason):
            "logged out on this phone only (\(reason)): log in once more, then log out, to leave "
                + "everywhere"
        case .notRegistered: "not registered at the backend yet: log in again, or register"
        case .memory(let reason): "what the app remembers: \(reason)"
        }
    }
}
