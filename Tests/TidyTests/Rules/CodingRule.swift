/// Percent coding, hex and base64 stand once, in `HubVocabulary/Text`.
enum CodingRule {
    /// What the standard library and Foundation have for the same, and read otherwise.
    private static let foreign: Set = [
        "base64Encoded", "base64EncodedData", "base64EncodedString", "addingPercentEncoding",
        "removingPercentEncoding", "hexDigitValue", "isHexDigit",
    ]

    static func check(_ file: SourceFile) -> [Finding] {
        file.code.filter { $0.kind == .word && foreign.contains($0.text) }.map {
            file.finding($0.line, "'\($0.text)'; use 'HubVocabulary/Text'")
        }
    }
}
