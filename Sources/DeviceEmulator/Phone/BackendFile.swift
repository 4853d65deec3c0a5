import FoundationEssentials
import HubClient

/// The content of `backend.json`: where an app backend listens, and which authority to trust.
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

    /// Its name among back ends: tokens and contents of one of them never go to another.
    package var address: String { "\(host.lowercased()):\(port)" }

    /// Reads `backend.json` in a backend's folder.
    /// - Throws: `PhoneFault.backend`.
    package init(folder: String) throws(PhoneFault) {
        let path = folder + "/backend.json"
        // A file that is there and cannot be read gets this message too.
        guard let bytes = try? LocalDisk().read(path) else {
            throw .backend("there is no \(path): is the backend running?")
        }
        // A decoder's words say nothing to a user who names the wrong folder.
        guard let read = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else {
            throw .backend("\(path) is not the description of a backend")
        }
        self = read
    }
}
