import FoundationEssentials
import HubClient

/// The app's memory beside its device: the user who has logged in, and the registration.
///
/// The file is 0600: any process with the access token can act as the user.
package struct PhoneMemory: Codable, Equatable, Sendable {
    /// The user's name; nil when no user has logged in.
    package var user: String?
    /// The user whose device this is at the hub; kept when they log out.
    package var deviceUser: String?
    /// The address of the backend where they logged in; token and registration are for it alone.
    package var home: String?
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
    /// Path of the authority to trust there, PEM; nil trusts the system's.
    package var authority: String?
    /// The backend of the last start, for a start while it is away.
    package var backend: BackendFile?
    /// The id of the app's registration at the backend.
    package var registrationID: String?
    /// The registration that the backend has confirmed last.
    package var confirmed: Confirmed?
    /// The categories that are switched on.
    package var categories: [String] = []
    /// The language of the news; nil for the text that is the same for all.
    package var locale: String?
    /// A template instead of the app's own.
    package var template: String?

    /// A confirmed registration.
    package struct Confirmed: Codable, Equatable, Sendable {
        /// The handle.
        package var handle: String
        /// The tags.
        package var tags: [String]
        /// The platform, as the backend's word; nil in files from before it was kept.
        package var platform: String?
        /// The address of the backend; nil as above.
        package var backend: String?
        /// When; 0 when it has been refused since, or its login has ended.
        package var at: Int64
    }

    /// Whether the last confirmation is that of a backend for a platform.
    func isConfirmed(for platform: Platform, at backend: String?) -> Bool {
        confirmed?.platform == platform.backendName && confirmed?.backend == backend
    }

    /// Seconds for which an unchanged registration need not be repeated.
    package static let confirmationSeconds: Int64 = 86_400

    /// The memory of a new app.
    package init() {}

    /// The name of the file in an app's folder.
    static let file = "app.json"

    /// Reads the memory of the app in a folder; a new one where there is none.
    /// - Throws: `.memory`.
    package init(folder: String) throws(PhoneFault) {
        let path = folder + "/" + Self.file
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
    package func write(to path: String) throws(PhoneFault) { try Self.write(self, to: path) }

    /// Writes a value in one step, readable by its owner only.
    static func write(_ value: some Encodable, to path: String) throws(PhoneFault) {
        let disk = LocalDisk()
        do {
            try disk.write([UInt8](try JSONEncoder().encode(value)), to: path + ".new")
            try disk.rename(path + ".new", to: path)
            try disk.syncFolder(of: path)
        } catch {
            throw .memory("\(path) cannot be written")
        }
    }

    /// Keeps where a start says that hub and backend are.
    mutating func take(_ setup: PhoneSetup) {
        if let connection = setup.connection {
            hub = connection.hub
            deviceHost = connection.devices.host
            devicePort = connection.devices.port
            authority = connection.ca
        }
        if let new = setup.backend {
            // A folder in which it was not kept yet: the backend of the last start.
            if home == nil, deviceUser != nil { home = backend?.address }
            backend = new
            authority = new.ca
        }
    }

    /// Keeps a login at a backend.
    mutating func take(_ login: LoginReply, at home: String?, now: Int64) {
        user = login.user
        deviceUser = login.user
        self.home = home
        accessToken = login.accessToken
        accessTokenEnds = now + login.seconds
        hub = login.hub
        deviceHost = login.host
        devicePort = login.port
    }

    /// Where the device connects, as the last login said.
    /// - Throws: `.loggedOut` when there was none, or a device without an identity has no token.
    func link(
        hasIdentity: Bool,
        token: String?
    ) throws(PhoneFault) -> (DeviceLoop.Configuration, LinkSession.Configuration) {
        guard let deviceHost, let devicePort, let hub, hasIdentity || token != nil else {
            throw .loggedOut
        }
        let loop = DeviceLoop.Configuration(
            host: deviceHost,
            port: devicePort,
            caPath: authority,
            tokens: token.map { ListenTokens(given: $0) }
        )
        return (loop, LinkSession.Configuration(hub: hub))
    }

    /// The same app without its user; where the hub is and what it subscribes to stays.
    func withoutUser() -> PhoneMemory {
        var left = PhoneMemory()
        left.deviceUser = deviceUser
        left.home = home
        left.hub = hub
        left.deviceHost = deviceHost
        left.devicePort = devicePort
        left.authority = authority
        left.backend = backend
        left.categories = categories
        left.locale = locale
        left.template = template
        return left
    }
}
