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
        String(decoding: PercentCoding.decodeLeniently(text, plusIsSpace: true), as: UTF8.self)
    }
}
