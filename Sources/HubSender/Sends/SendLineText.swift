import HubVocabulary

/// A notification as one line of a request that holds many.
enum SendLineText {
    /// The content type of what is no Windows payload; a line does not repeat it.
    private static let usualType = "application/json;charset=utf-8"

    /// The line, without a line feed.
    static func line(_ notification: OutgoingNotification) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(notification.body.count + 256)
        line += "{\"format\":".utf8
        append(notification.format.headerValue.utf8, to: &line)
        if let tags = notification.tags {
            line += ",\"tags\":".utf8
            append(tags.utf8, to: &line)
        }
        if let handle = notification.handle {
            line += ",\"handle\":".utf8
            append(handle.utf8, to: &line)
        }
        var headers = notification.headers
        if notification.contentType != usualType {
            headers.insert(.init(name: "Content-Type", value: notification.contentType), at: 0)
        }
        for (index, header) in headers.enumerated() {
            line += (index == 0 ? ",\"headers\":{" : ",").utf8
            append(header.name.utf8, to: &line)
            line.append(UInt8(ascii: ":"))
            append(header.value.utf8, to: &line)
        }
        if !headers.isEmpty { line.append(UInt8(ascii: "}")) }
        line += ",\"idempotencyKey\":".utf8
        append(notification.idempotencyKey.utf8, to: &line)
        if String(validating: notification.body, as: UTF8.self) != nil {
            line += ",\"body\":".utf8
            append(notification.body, to: &line)
        } else {
            line += ",\"bodyBase64\":\"".utf8
            line += Base64.encode(notification.body).utf8
            line.append(UInt8(ascii: "\""))
        }
        line.append(UInt8(ascii: "}"))
        return line
    }

    /// UTF-8 as a JSON string: everything as it is but quotes, backslashes and control characters.
    private static func append(_ text: some Sequence<UInt8>, to line: inout [UInt8]) {
        line.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                line.append(UInt8(ascii: "\\"))
                line.append(byte)
            // So that a body of JSON at most doubles, whatever its white space.
            case UInt8(ascii: "\n"): line += "\\n".utf8
            case UInt8(ascii: "\r"): line += "\\r".utf8
            case UInt8(ascii: "\t"): line += "\\t".utf8
            case 0..<0x20:
                line += "\\u00\(HexText.digits(byte))".utf8
            default: line.append(byte)
            }
        }
        line.append(UInt8(ascii: "\""))
    }
}
