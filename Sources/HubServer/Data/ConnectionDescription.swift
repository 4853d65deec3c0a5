/// `connection.json`: how programs on this machine reach the server.
///
/// Source: Belfry.docc, Configuration.
package struct ConnectionDescription: Codable, Equatable, Sendable {
    /// A listener.
    package struct Endpoint: Codable, Equatable, Sendable {
        /// A name or address that the certificate carries.
        package var host: String
        /// The bound port.
        package var port: Int
    }

    /// One string for each set of rights.
    package struct Strings: Codable, Equatable, Sendable {
        /// Everything.
        package var full: String
        /// For devices.
        package var listen: String
        /// Everything on every hub, and the hubs themselves.
        package var namespace: String
        /// For backends.
        package var send: String
    }

    /// The first hub's name; empty when there is none.
    package var hub: String
    /// Where REST listens.
    package var rest: Endpoint
    /// Where devices connect.
    package var devices: Endpoint
    /// Path of the authority that clients must trust; nil, and not in the file, when the system's
    /// authorities decide.
    package var ca: String?
    /// Of the first hub, but for the namespace's; empty where no rule fits.
    package var connectionStrings: Strings
    /// The server's process.
    package var pid: Int

    /// Replaces the file in one step, readable by its owner only: it holds keys.
    func write(to path: String) throws(ServerError) {
        try JSONFile.write(self, to: path, followedBy: "\n")
    }
}
