import Hummingbird

/// An answer of the console, before the headers that all of them have.
struct ConsoleReply {
    private let status: Int
    private let headers: [(String, String)]
    private let body: ByteBuffer
    private let isImmutable: Bool

    private init(
        _ status: Int,
        _ headers: [(String, String)],
        _ body: ByteBuffer = ByteBuffer(),
        isImmutable: Bool = false
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.isImmutable = isImmutable
    }

    /// A whole document.
    static func page(
        _ html: [UInt8],
        status: Int = 200,
        headers: [(String, String)] = []
    ) -> ConsoleReply {
        let type = ("Content-Type", "text/html; charset=utf-8")
        return ConsoleReply(status, [type] + headers, ByteBuffer(bytes: html))
    }

    /// Another page.
    static func seeOther(_ address: String, headers: [(String, String)] = []) -> ConsoleReply {
        ConsoleReply(303, [("Location", address)] + headers)
    }

    /// The live texts of a page.
    static func live(_ json: [UInt8]) -> ConsoleReply {
        ConsoleReply(200, [("Content-Type", "application/json")], ByteBuffer(bytes: json))
    }

    /// Text that is no page.
    static func text(_ text: String, status: Int = 200) -> ConsoleReply {
        let type = ("Content-Type", "text/plain; charset=utf-8")
        return ConsoleReply(status, [type], ByteBuffer(string: text))
    }

    /// A file that the browser keeps under this name.
    static func file(name: String, type: String, _ bytes: [UInt8]) -> ConsoleReply {
        let headers = [
            ("Content-Type", type), ("Content-Disposition", "attachment; filename=\"\(name)\""),
        ]
        return ConsoleReply(200, headers, ByteBuffer(bytes: bytes))
    }

    /// The file with this address; it never changes.
    static func asset(_ address: String) -> ConsoleReply {
        guard let asset = ConsoleAsset.all.first(where: { $0.address == address }) else {
            return ErrorPage.unknown
        }
        return ConsoleReply(
            200,
            [("Content-Type", asset.type)],
            asset.content,
            isImmutable: true
        )
    }

    /// The answer as Hummingbird writes it.
    func response(tracking: String, isHead: Bool) -> Response {
        ConsoleHeaders.response(
            status,
            headers + [("TrackingId", tracking)],
            body,
            isHead: isHead,
            isImmutable: isImmutable
        )
    }
}
