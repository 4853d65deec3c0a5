import HubVocabulary
import Testing

@Suite("Words that were mistyped")
struct NearestWordTests {
    @Test(
        "the nearest word is found, and a strange one is not",
        arguments: [
            ("srv", "serve"), ("sned", nil), ("snd", "send"), ("dev", "device"), ("SEND", "send"),
            ("fleat", "fleet"), ("ios", nil), ("", nil), ("x", nil),
        ] as [(String, String?)]
    )
    func nearest(_ typed: String, _ expected: String?) {
        let words = ["serve", "send", "device", "fleet", "wns"]
        #expect(NearestWord.of(typed, among: words) == expected)
    }
}
