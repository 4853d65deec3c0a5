package import HubModel

extension WriteCondition {
    /// Reads `If-Match` in every spelling: absent, `*`, `"1"`, `W/"1"`, `1`.
    ///
    /// Source: REST §2.3, §4.5.
    ///
    /// `absent` is what no header means; a deletion without one is unconditional.
    package init(ifMatch header: [UInt8]?, absent: WriteCondition) {
        var text = TextTrimming.trimmed(header ?? [])[...]
        guard !text.isEmpty else {
            self = absent
            return
        }
        if text.starts(with: "W/".utf8) || text.starts(with: "w/".utf8) { text = text.dropFirst(2) }
        let quote = UInt8(ascii: "\"")
        if text.count >= 2, text.first == quote, text.last == quote {
            text = text.dropFirst().dropLast()
        }
        if text.elementsEqual("*".utf8) {
            self = .exists
        } else if text.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
            let version = UInt64(String(decoding: text, as: UTF8.self))
        {
            self = .version(version)
        } else {
            self = .never
        }
    }
}
