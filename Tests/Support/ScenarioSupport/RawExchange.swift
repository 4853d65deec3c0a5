import HubClient

/// One HTTP/1.1 request, byte for byte, on a connection of its own, and what came back until the
/// hub closed it.
struct RawExchange {
    /// nil when the hub closed without an answer.
    let status: Int?
    /// The head's lines, the status line first.
    let head: [String]
    /// Everything behind the head.
    let body: String

    /// The value of the first header of this name.
    subscript(_ name: String) -> String? {
        let start = name.lowercased() + ": "
        return head.first { $0.lowercased().hasPrefix(start) }.map {
            String($0.dropFirst(start.count))
        }
    }

    /// Sends bytes as they are and reads to the end of the stream.
    static func send(_ bytes: [UInt8], to connection: ConnectionFile) async throws -> RawExchange {
        let link = try await RawLink(
            connection,
            port: connection.rest.port,
            .tls(alpn: ["http/1.1"])
        )
        await link.write(bytes)
        try await link.closedByHub()
        return RawExchange(Array(link.input.events.joined()))
    }

    /// Sends a request; `Host` and `Connection: close` are added, nothing else.
    static func send(
        _ method: String,
        _ target: String,
        headers: [String] = [],
        body: String? = nil,
        to connection: ConnectionFile
    ) async throws -> RawExchange {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: localhost", "Connection: close"]
        lines += headers
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        let text = lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
        return try await send(Array(text.utf8), to: connection)
    }

    private init(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let parts = text.split(
            separator: "\r\n\r\n",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        head = (parts.first ?? "").split(separator: "\r\n").map(String.init)
        body = parts.count > 1 ? String(parts[1]) : ""
        let words = head.first?.split(separator: " ") ?? []
        status = words.count > 1 && words[0] == "HTTP/1.1" ? Int(words[1]) : nil
    }
}
