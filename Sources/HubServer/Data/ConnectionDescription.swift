import Foundation

/// `connection.json`: how programs on this machine reach the server. Source: design §6.
package struct ConnectionDescription: Codable, Equatable, Sendable {
    /// A listener.
    package struct Endpoint: Codable, Equatable, Sendable {
        package var host: String
        package var port: Int
    }

    /// One string for each set of rights.
    package struct Strings: Codable, Equatable, Sendable {
        package var full: String
        package var listen: String
        package var send: String
    }

    package var hub: String
    package var rest: Endpoint
    package var devices: Endpoint
    /// Path of the authority that signed the server's certificate.
    package var ca: String
    package var connectionStrings: Strings
    package var pid: Int

    /// Replaces the file in one step, readable by its owner only: it holds keys.
    func write(to path: String) throws(ServerError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else {
            throw .brokenFile(path: path, reason: "cannot be written as JSON")
        }
        try DataFolder.write([UInt8](data) + [UInt8(ascii: "\n")], to: path)
    }
}
