import PhoneScreen
import Testing

@Suite("Keys of a terminal")
struct KeyDecoderTests {
    private static func keys(_ text: String) -> [Key] {
        var decoder = KeyDecoder()
        return decoder.receive(Array(text.utf8))
    }

    @Test(
        "keys are what their bytes say",
        arguments: [
            ("a", [.character("a")]), ("é🍰", [.character("é"), .character("🍰")]),
            ("\r\n\t\u{7F}\u{8}", [.enter, .enter, .tab, .backspace, .backspace]),
            ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
            ("\u{1B}OA\u{1B}OF\u{1B}OH", [.up, .end, .home]),
            (
                "\u{1B}[1~\u{1B}[4~\u{1B}[3~\u{1B}[5~\u{1B}[6~",
                [.home, .end, .delete, .pageUp, .pageDown]
            ),
            ("\u{1B}[Z\u{3}\u{11}", [.backTab, .control("c"), .control("q")]),
            ("\u{1B}[1;5A", [.up]), ("\u{1B}[999z\u{1B}[38;5;1mx", [.character("x")]),
            ("\u{1B}q", [.escape, .character("q")]), ("\u{0}\u{1C}", []),
        ] as [(String, [Key])]
    )
    func decodes(_ text: String, _ expected: [Key]) {
        #expect(Self.keys(text) == expected)
    }

    @Test("bytes that come one at a time are the same keys")
    func cuts() {
        let text = "aé🍰\u{1B}[A\u{1B}[200~one\ntwo\u{1B}[201~\u{1B}OB\u{1B}[3~z"
        let whole = Self.keys(text)
        #expect(whole.contains(.paste("one\ntwo")))
        for cut in 1..<text.utf8.count {
            var decoder = KeyDecoder()
            let first = decoder.receive(Array(text.utf8.prefix(cut)))
            let rest = decoder.receive(Array(text.utf8.dropFirst(cut)))
            #expect(first + rest == whole, "cut at \(cut)")
        }
    }

    @Test("an escape alone is a key when nothing follows it")
    func escape() {
        var decoder = KeyDecoder()
        #expect(decoder.receive([0x1B]) == [])
        #expect(decoder.isWaiting)
        #expect(decoder.flush() == [.escape])
        #expect(!decoder.isWaiting)
        #expect(decoder.receive(Array("a".utf8)) == [.character("a")])
    }

    @Test("a sequence without an end, and a paste without one, are bounded")
    func limits() {
        var decoder = KeyDecoder()
        let endless = [0x1B, 0x5B] + [UInt8](repeating: 0x30, count: KeyDecoder.sequenceBytesMax)
        #expect(decoder.receive(endless) == [])
        #expect(decoder.receive(Array("a".utf8)) == [.character("a")])

        var pasting = KeyDecoder()
        let text = String(repeating: "x", count: KeyDecoder.pasteBytesMax + 100)
        let keys = pasting.receive(Array("\u{1B}[200~\(text)\u{1B}[201~y".utf8))
        #expect(
            keys == [
                .paste(String(repeating: "x", count: KeyDecoder.pasteBytesMax)), .character("y"),
            ]
        )
    }

    @Test("bytes that are no text are passed over")
    func invalid() {
        var decoder = KeyDecoder()
        #expect(
            decoder.receive([0xFF, 0x80, 0xC3, 0x28, 0x61]) == [.character("("), .character("a")]
        )
    }

    @Test("a field is edited where its cursor stands, and a hidden one shows not even its length")
    func field() {
        var field = TextField()
        let typed: [Key] = [
            .character("b"), .character("d"), .left, .character("c"), .home, .paste("a\nz\u{1B}"),
        ]
        #expect(Self.taken(typed, by: &field) == typed)
        #expect(field.text == "a zbcd")
        _ = Self.taken([.delete, .backspace, .end], by: &field)
        #expect(field.text == "a cd")
        #expect(Self.taken([.enter, .tab, .up], by: &field) == [])
        let all = field.shown(cells: 20)
        #expect(all.text == "a cd" && all.cursor == 4)
        #expect(field.shown(cells: 3).text == "cd")
        _ = Self.taken([.paste(String(repeating: "x", count: 2_000))], by: &field)
        #expect(field.text.count == TextField.charactersMax)

        var hidden = TextField(isHidden: true)
        #expect(hidden.shown(cells: 20).text == "")
        _ = Self.taken([.paste("secret")], by: &hidden)
        let short = hidden.shown(cells: 20)
        _ = Self.taken([.paste("longer")], by: &hidden)
        let long = hidden.shown(cells: 20)
        #expect(short.text == long.text && short.cursor == long.cursor)
        #expect(hidden.text == "secretlonger")
        #expect(!short.text.contains("secret"))
    }

    /// The keys that mean something in a field, which gets all of them.
    private static func taken(_ keys: [Key], by field: inout TextField) -> [Key] {
        keys.filter { field.receive($0) }
    }
}
