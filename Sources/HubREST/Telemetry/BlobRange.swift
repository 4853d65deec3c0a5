/// The bytes of a blob that a request asks for.
struct BlobRange {
    /// The first byte.
    let first: Int
    /// The last byte that is wanted; nil for all from the first on.
    let last: Int?

    /// Reads `bytes=A-B` or `bytes=A-`; nil for anything else, which means the whole blob.
    init?(_ header: [UInt8]?) {
        guard let header else { return nil }
        let text = String(decoding: header, as: UTF8.self)
        guard text.hasPrefix("bytes=") else { return nil }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]), first >= 0 else { return nil }
        if ends[1].isEmpty {
            last = nil
        } else {
            guard let end = Int(ends[1]), end >= first else { return nil }
            last = end
        }
        self.first = first
    }
}

extension Answer {
    /// The range of it that a request asks for, or all of it.
    ///
    /// - Throws: `.rangeBehindEnd`.
    func part(_ incoming: IncomingRequest) throws(RequestFailure) -> Answer {
        guard let range = BlobRange(incoming.header("x-ms-range") ?? incoming.header("Range"))
        else { return self }
        guard range.first < body.count else { throw .rangeBehindEnd(bytes: body.count) }
        let last = min(range.last ?? body.count, body.count - 1)
        var part = self
        part.status = 206
        part.headers.append(("Content-Range", "bytes \(range.first)-\(last)/\(body.count)"))
        part.body = Array(body[range.first...last])
        return part
    }
}
