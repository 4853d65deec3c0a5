import HubVocabulary

/// The fields of a form, as `application/x-www-form-urlencoded` has them.
enum FormText {
    /// Names and values; of a name that comes twice the first counts.
    static func read(_ bytes: [UInt8]) -> [String: String] {
        var fields: [String: String] = [:]
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            let sides = pair.split(
                separator: UInt8(ascii: "="),
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            let name = decoded(sides[0])
            if fields[name] == nil { fields[name] = sides.count == 2 ? decoded(sides[1]) : "" }
        }
        return fields
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+") {
                bytes.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(HexText.digit),
                let low = rest.dropFirst().first.flatMap(HexText.digit)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
