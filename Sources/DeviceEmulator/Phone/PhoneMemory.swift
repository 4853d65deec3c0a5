import FoundationEssentials
import HubClient

/// What the app remembers beside its device: who has logged in, and its registration.
///
/// The file is 0600: whoever has the access token is the user.
package struct PhoneMemory: Codable, Equatable, Sendable {
    /// The user's name; nil when nobody has logged in.
    package var user: String?
    /// The access token of the login.
    package var accessToken: String?
    /// When it ends, in seconds since 1970.
    package var accessTokenEnds: Int64 = 0
    /// Where the hub's devices connect, as the login said.
    package var hub: String?
    /// The host of it.
    package var deviceHost: String?
    /// The port of it.
    package var devicePort: UInt16?
    /// The id of the app's registration at the backend.
    package var registrationID: String?
    /// What the backend has confirmed last, and when, in seconds since 1970.
    package var confirmed: Confirmed?
    /// The categories that are switched on.
    package var categories: [String] = []
    /// Ids of secure payloads that wait for a login.
    package var pending: [String] = []

    /// A confirmed registration.
    package struct Confirmed: Codable, Equatable, Sendable {
        /// The handle.
        package var handle: String
        /// The tags.
        package var tags: [String]
        /// When.
        package var at: Int64
    }

    /// Seconds for which an unchanged registration need not be repeated.
    package static let confirmationSeconds: Int64 = 86_400
    /// Secure payloads that wait at most; the oldest go.
    package static let pendingMax = 100

    /// The memory of a new app.
    package init() {}

    /// Reads the memory of an app; a new one where there is no file.
    /// - Throws: `.memory`.
    package init(path: String) throws(PhoneFault) {
        do {
            guard let bytes = try LocalDisk().read(path) else {
                self.init()
                return
            }
            self = try JSONDecoder().decode(PhoneMemory.self, from: Data(bytes))
        } catch {
            throw .memory("\(path) cannot be read")
        }
    }

    /// Writes it in one step, readable by its owner only.
    /// - Throws: `.memory`.
    package func write(to path: String) throws(PhoneFault) {
        let disk = LocalDisk()
        do {
            try disk.write([UInt8](try JSONEncoder().encode(self)), to: path + ".new")
            try disk.rename(path + ".new", to: path)
            try disk.syncFolder(of: path)
        } catch {
            throw .memory("\(path) cannot be written")
        }
    }
}
