import HubVocabulary
import Testing

@Suite("Percent coding")
struct PercentCodingTests {
    @Test(
        "of a broken escape is refused, or stands for itself where a reader is lenient",
        arguments: [
            ("a%20b+c", "a b+c", "a b+c", "a b c"), ("%", nil, "%", "%"), ("%4", nil, "%4", "%4"),
            ("%4g%41", nil, "%4gA", "%4gA"), ("%%41", nil, "%A", "%A"), ("", "", "", ""),
            ("%c3%A4", "ä", "ä", "ä"), ("+%2B", "++", "++", " +"),
        ] as [(String, String?, String, String)]
    )
    func decodes(_ text: String, strict: String?, lenient: String, form: String) {
        let bytes = Array(text.utf8)
        #expect(PercentCoding.decode(bytes.span) == strict.map { Array($0.utf8) })
        func decoded(_ plusIsSpace: Bool) -> String {
            String(
                decoding: PercentCoding.decodeLeniently(bytes, plusIsSpace: plusIsSpace),
                as: UTF8.self
            )
        }
        #expect(decoded(false) == lenient && decoded(true) == form)
    }

    @Test("leaves letters, digits and four marks, and is undone by decoding")
    func encodes() {
        let all = Array(UInt8.min...UInt8.max)
        let text = PercentCoding.encode(all)
        let kept = text.split(separator: UInt8(ascii: "%")).flatMap { $0.dropFirst(2) }
        #expect(kept.count == 66)
        #expect(PercentCoding.decode(text.span) == all)
        #expect(PercentCoding.encoded("a-_.~/ä") == "a-_.~%2F%C3%A4")
        var output = Array("x".utf8)
        PercentCoding.append(Array("a/".utf8)[...], to: &output, digit: HexText.lowerDigit)
        #expect(output == Array("xa%2f".utf8))
    }
}
