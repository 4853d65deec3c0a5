import Hummingbird

/// The headers of what the console answers.
enum ConsoleHeaders {
    /// Allows nothing but our own files, and no text to become markup.
    static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
        "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")

    private static let common = [
        ("Content-Security-Policy", policy),
        ("X-Frame-Options", "DENY"),
        ("X-Content-Type-Options", "nosniff"),
        // Without any referrer, forms of our own would come with 'Origin: null'.
        ("Referrer-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cross-Origin-Embedder-Policy", "require-corp"),
        (
            "Permissions-Policy",
            "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=()"
        ),
    ]

    /// A response with the headers of every answer and these.
    static func response(
        _ status: Int,
        _ own: [(String, String)],
        _ body: ByteBuffer,
        isHead: Bool,
        isImmutable: Bool = false
    ) -> Response {
        var fields = HTTPFields()
        let cache = isImmutable ? "public, max-age=31536000, immutable" : "no-store"
        for (name, value) in common + [("Cache-Control", cache)] + own {
            guard let name = HTTPFields.Element.Name(name) else { continue }
            fields.append(HTTPFields.Element(name: name, value: value))
        }
        return Response(
            status: HTTPResponse.Status(code: status),
            headers: fields,
            body: isHead || body.readableBytes == 0
                ? ResponseBody() : ResponseBody(byteBuffer: body)
        )
    }
}
