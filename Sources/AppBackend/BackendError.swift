import Foundation
import HubSender
import SystemPackage

/// Why a backend cannot start, or a command on its folder fails; never holds a secret.
package enum BackendError: Error, Equatable, Sendable {
    /// The folder cannot be made or used.
    case folder(path: String, reason: String)
    /// Another backend works with the folder.
    case folderInUse(path: String)
    /// The database cannot be used.
    case database(reason: String)
    /// The key of secure payloads is missing, malformed, or not the one they were sealed with.
    case key(reason: String)
    /// The certificate cannot be used.
    case certificate(reason: String)
    /// The hub's description cannot be used.
    case hub(reason: String)
    /// The port cannot be bound; the number is the system's.
    case listener(host: String, port: Int, Int32)
    /// A name that cannot be a user's.
    case userName(reason: String)
    /// A password that is too short or too long.
    case password(reason: String)
    /// There is such a user already, or they are not quite gone yet.
    case userExists(name: String)
    /// There is no such user.
    case userUnknown(name: String)
    /// As many users as there can be.
    case tooManyUsers(Int)
    /// The user is gone, but the hub did not take all of their registrations.
    case stillRegistered(name: String, reason: String)
    /// The password is another one, but the hub did not take the end of all registrations.
    case stillDelivering(name: String, reason: String)
}

extension BackendError: CustomStringConvertible {
    /// One readable line.
    package var description: String {
        switch self {
        case .folder(let path, let reason): "\(path): \(reason)"
        case .folderInUse(let path): "\(path) is in use by another backend"
        case .database(let reason): "the database: \(reason)"
        case .key(let reason): "the key of secure payloads \(reason)"
        case .certificate(let reason): "the certificate: \(reason)"
        case .hub(let reason): "the hub: \(reason)"
        case .listener(_, let port, EADDRINUSE): "port \(port) is in use by another process"
        case .listener(let host, let port, let code):
            "cannot listen at \(host):\(port): \(Errno(rawValue: code))"
        case .userName(let reason): "the name \(reason)"
        case .password(let reason): "the password \(reason)"
        case .userExists(let name): "there is a user '\(name)' already"
        case .userUnknown(let name): "there is no user '\(name)'"
        case .tooManyUsers(let count): "there are \(count) users, and no more can be added"
        case .stillRegistered(let name, let reason):
            "'\(name)' is removed and cannot log in, but the hub still has registrations: \(reason); "
                + "a running backend goes on trying"
        case .stillDelivering(let name, let reason):
            "the password of '\(name)' is changed, but the hub still has registrations: \(reason); "
                + "a running backend goes on trying"
        }
    }
}
