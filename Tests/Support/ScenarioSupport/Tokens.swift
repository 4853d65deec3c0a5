import Foundation
import HubClient
import HubVocabulary

/// Tokens that a hub must refuse, and those that it takes.
enum Tokens {
    /// Of the Listen rule, but signed with another key.
    static func forged(_ connection: ConnectionFile) throws -> String {
        var string = try ConnectionString(parsing: connection.connectionStrings.listen)
        string.key = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        return made(string, connection, seconds: 600)
    }

    /// Of the Listen rule, expired an hour ago.
    static func expired(_ connection: ConnectionFile) throws -> String {
        let string = try ConnectionString(parsing: connection.connectionStrings.listen)
        return made(string, connection, seconds: -3_600)
    }

    /// Of the Send rule, which may not listen.
    static func sendOnly(_ connection: ConnectionFile) throws -> String {
        let string = try ConnectionString(parsing: connection.connectionStrings.send)
        return made(string, connection, seconds: 600)
    }

    /// Of the Listen rule, which may not send.
    static func listenOnly(_ connection: ConnectionFile) throws -> String {
        let string = try ConnectionString(parsing: connection.connectionStrings.listen)
        return made(string, connection, seconds: 600)
    }

    /// For another hub, signed correctly.
    static func elsewhere(_ connection: ConnectionFile) throws -> String {
        let string = try ConnectionString(parsing: connection.connectionStrings.full)
        return made(string, connection, path: "other", seconds: 600)
    }

    private static func made(
        _ string: ConnectionString,
        _ connection: ConnectionFile,
        path: String? = nil,
        seconds: Int
    ) -> String {
        let expiry = Int(Date().timeIntervalSince1970) + seconds
        return SharedAccessSigner(string).token(
            host: "localhost",
            path: path ?? connection.hub,
            expiry: UInt64(expiry)
        )
    }
}
