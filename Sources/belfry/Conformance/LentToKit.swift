import ArgumentParser
import CommandTerminal
import Foundation
import HubSender
import HubConformance

/// Keys and rights that the operator of a hub lends the kit.
struct LentToKit: ParsableArguments {
    @Option(help: "A Listen token, for a hub without connection strings.")
    var token: String?

    @Option(help: "PEM of a client certificate that the hub trusts; for method 3.")
    var clientCertificate: String?

    @Option(help: "PEM of its key.")
    var clientKey: String?

    @Flag(help: "Lets the kit take back all notifications that wait; needs Manage.")
    var purge = false

    /// Whether anything is lent.
    var isGiven: Bool { [token, clientCertificate, clientKey] != [nil, nil, nil] || purge }

    func validate() throws {
        guard (clientCertificate == nil) == (clientKey == nil) else {
            throw ValidationError("Give both --client-certificate and --client-key.")
        }
    }

    /// The hub that options name.
    func hub(_ connect: String?, _ options: HubOptions) throws -> HubUnderTest {
        var lent = try lentHub(connect, options).underTest(purges: purge)
        if let clientCertificate, let clientKey {
            lent.certificate = try Failure.told {
                (try Self.bytes(clientCertificate), try Self.bytes(clientKey))
            }
        }
        return lent
    }

    private func lentHub(_ connect: String?, _ options: HubOptions) throws -> LentHub {
        if options.data != nil {
            let file = try Connecting.file(options.data)
            let strings = file.connectionStrings
            let place = try connect.map(Self.place) ?? (file.devices.host, file.devices.port)
            return try Failure.told {
                LentHub(
                    host: place.0,
                    port: place.1,
                    hub: options.hub ?? file.hub,
                    authority: file.ca,
                    listen: try ConnectionString(parsing: strings.listen),
                    send: try ConnectionString(parsing: strings.send),
                    token: token,
                    sender: try Connecting.sender(options)
                )
            }
        }
        let place = try Self.place(connect ?? "")
        // A token alone says nothing of REST.
        let sender = token == nil ? try Connecting.sender(options) : nil
        return LentHub(
            host: place.0,
            port: place.1,
            hub: options.hub ?? sender?.hub ?? "",
            authority: options.ca,
            listen: sender?.connection,
            send: nil,
            token: token,
            sender: sender
        )
    }

    /// `HOST:PORT`.
    static func place(_ text: String) throws -> (String, UInt16) {
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...])
        else { throw ValidationError("'\(text)' is no HOST:PORT.") }
        let host = text[..<colon].trimmingPrefix("[").prefix { $0 != "]" }
        return (String(host), port)
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
