/// Whether bytes are what their media type says, and whether their end is there.
enum MediaRules {
    /// Returns the mistake in content, as the end of a sentence; nil when there is none.
    static func fault(of bytes: [UInt8], mediaType: String) -> String? {
        switch mediaType {
        case "image/png":
            bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
                ? end(bytes, [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]) : "is no PNG image"
        case "image/jpeg":
            bytes.starts(with: [0xFF, 0xD8, 0xFF]) ? end(bytes, [0xFF, 0xD9]) : "is no JPEG image"
        case "image/gif":
            bytes.starts(with: "GIF8".utf8) ? end(bytes, [0x3B]) : "is no GIF image"
        case "image/webp": riff(bytes, "WEBP")
        case "audio/wav": riff(bytes, "WAVE")
        case "audio/mpeg":
            bytes.starts(with: "ID3".utf8)
                || (bytes.count > 1 && bytes[0] == 0xFF && bytes[1] >= 0xE0)
                ? nil : "is no MPEG sound"
        case "audio/ogg": bytes.starts(with: "OggS".utf8) ? nil : "is no Ogg sound"
        case "audio/mp4", "video/mp4":
            bytes.dropFirst(4).starts(with: "ftyp".utf8) ? nil : "is no MP4 file"
        case "video/webm":
            bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) ? nil : "is no WebM video"
        case "text/uri-list": address(bytes)
        default: String(validating: bytes, as: UTF8.self) == nil ? "is no UTF-8 text" : nil
        }
    }

    private static func end(_ bytes: [UInt8], _ mark: [UInt8]) -> String? {
        bytes.suffix(mark.count).elementsEqual(mark) ? nil : "is cut off: its end is missing"
    }

    /// A RIFF file says how long it is.
    private static func riff(_ bytes: [UInt8], _ kind: String) -> String? {
        guard bytes.count >= 12, bytes.starts(with: "RIFF".utf8),
            bytes[8..<12].elementsEqual(kind.utf8)
        else { return "is no \(kind) file" }
        let length = (0..<4).reduce(0) { $0 | Int(bytes[4 + $1]) << (8 * $1) }
        return bytes.count >= length + 8 ? nil : "is cut off: its end is missing"
    }

    private static func address(_ bytes: [UInt8]) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self), bytes.count <= 2_048,
            text.hasPrefix("https://") || text.hasPrefix("http://"),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return "is no address that begins with https:// or http://" }
        return nil
    }
}
