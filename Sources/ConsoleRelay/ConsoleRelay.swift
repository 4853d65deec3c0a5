package import HubSender
import Hummingbird
import Logging

/// A way from a browser on this machine to a hub's console.
///
/// Listens on loopback without TLS, and checks the hub's certificate as every command does: browsers
/// warn of no certificate that they do not know. It has no rights: the session is the browser's.
package struct ConsoleRelay: Sendable {
    private let sender: SenderClient
    private let token: String

    /// Leads to the sender's hub; `token` lets requests through there.
    package init(_ sender: SenderClient, token: String) {
        self.sender = sender
        self.token = token
    }

    /// Serves until SIGTERM or SIGINT.
    ///
    /// - Parameters:
    ///   - port: 0 picks a free one.
    ///   - onReady: told the port.
    /// - Throws: when nothing can listen there.
    package func run(port: Int, onReady: @escaping @Sendable (Int) -> Void) async throws {
        let application = Application(
            responder: RelayResponder(
                client: sender.client,
                hub: "\(sender.connection.bracketedHost):\(sender.connection.port)",
                token: token
            ),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in onReady(channel.localAddress?.port ?? port) },
            logger: Logger(label: "console") { _ in SwiftLogNoOpLogHandler() }
        )
        try await application.runService()
    }
}
