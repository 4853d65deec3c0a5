import HubModel

/// The headers that requests of one content have in common; made once, and written once for each
/// connection that knows it again.
package final class RelayHead: Sendable {
    /// Names in lower case, in the order of sending.
    package let headers: [(name: String, value: String)]
    /// The first header with characters that no header has.
    private let broken: String?

    /// Takes headers.
    package init(_ headers: [(name: String, value: String)]) {
        self.headers = headers
        broken = headers.first { !Self.isPlain($0.value) }?.name
    }

    /// Values are senders' text: a connection would end over one that no HTTP message may carry,
    /// with every request on it.
    ///
    /// - Throws: the verdict that the content is refused.
    func requirePlain() throws(RelayVerdict) {
        guard let broken else { return }
        throw RelayVerdict(
            .content,
            .invalidNotificationFormat,
            "\(broken) has characters that no header has"
        )
    }

    private static func isPlain(_ value: String) -> Bool {
        !value.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
    }
}
