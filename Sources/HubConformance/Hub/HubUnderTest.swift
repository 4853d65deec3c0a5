/// A hub that the kit is connected to, and what its operator lends the kit.
package struct HubUnderTest: Sendable {
    /// Kinds of tokens.
    package enum Token: Sendable {
        case listen, expired, sendOnly, forged
    }

    /// Something to send over REST.
    package enum Order: Sendable {
        /// A native payload for `apns`, with further headers.
        case apple([UInt8], tag: String, headers: [(name: String, value: String)] = [])
        /// Properties for templates, as JSON.
        case template([UInt8], tag: String)
    }

    /// Name or address of the device port.
    package var host: String
    /// Its port.
    package var port: UInt16
    /// The hub's name.
    package var hub: String
    /// PEM of the authorities to trust; nil for the system's.
    package var authorities: [UInt8]?
    /// A client certificate and its key, PEM, that the hub trusts.
    package var certificate: (chain: [UInt8], key: [UInt8])?
    /// Makes a token of a kind; nil where there is no such key.
    package var token: @Sendable (Token) -> String?
    /// Sends, and returns when the hub has accepted; nil where nothing can be sent.
    package var send: (@Sendable (Order) throws(KitFault) -> Void)?
    /// Takes back what waits for absent devices; nil where that cannot be asked for.
    package var purge: (@Sendable () throws(KitFault) -> Void)?
    /// A test's change of the hub's frames.
    package var change: FrameChange = { $0 }

    /// A hub at a device port.
    package init(
        host: String,
        port: UInt16,
        hub: String,
        token: @escaping @Sendable (Token) -> String?
    ) {
        self.host = host
        self.port = port
        self.hub = hub
        self.token = token
    }

    /// A token of a kind, without which a scenario cannot be played.
    func needed(_ kind: Token) throws(KitFault) -> String {
        guard let token = token(kind) else {
            throw .notPlayed("no \(kind) token can be made: give connection strings")
        }
        return token
    }
}
