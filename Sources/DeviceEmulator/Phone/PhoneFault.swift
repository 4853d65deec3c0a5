/// Why the app cannot do what its user wants; holds no secret.
package enum PhoneFault: Error, Equatable, Sendable {
    /// The backend cannot be reached or described.
    case backend(String)
    /// The backend knows no such user, or not with this password.
    case wrongPassword
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
    /// The sentence about a backend that cannot be reached, or answers too late.
    package static let noAnswer = "the backend does not answer"

    /// The same without the technical reason.
    var brief: String {
        if case .backend = self { Self.noAnswer } else { description }
    }

    /// One readable line.
    package var description: String {
        switch self {
        case .backend(let reason): "\(Self.noAnswer): \(reason)"
        case .wrongPassword: "Wrong name or password."
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
