import FoundationEssentials
import HubClient

/// What `backend.json` says: where an app backend listens, and whom to trust.
package struct BackendFile: Codable, Equatable, Sendable {
    /// A name that the certificate carries.
    package var host: String
    /// The port.
    package var port: Int
    /// Path of the authority to trust, PEM; nil trusts the system's.
    package var ca: String?

    /// A backend of its parts.
    package init(host: String, port: Int, ca: String?) {
        self.host = host
        self.port = port
        self.ca = ca
    }

    /// What tells it from other back ends: nothing that one of them gave goes to another.
    package var address: String { "\(host.lowercased()):\(port)" }

    /// Reads `backend.json` in a backend's folder.
    /// - Throws: `PhoneFault.backend`.
    package init(folder: String) throws(PhoneFault) {
        let path = folder + "/backend.json"
        guard let bytes = try? LocalDisk().read(path) else {
            throw .backend("there is no \(path): is the backend running?")
        }
        guard let read = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else {
            throw .backend("\(path) is not the description of a backend")
        }
        self = read
    }
}
