import PhoneScreen
import Testing

@Suite("Text of strangers in a terminal")
struct SafeTextTests {
    @Test(
        "what moves a cursor, colours, or turns text around is shown as a number",
        arguments: [
            ("\u{1B}[2Jgone", "\\u{1B}[2Jgone"), ("\u{9B}31m", "\\u{9B}31m"),
            ("\u{1B}]0;title\u{07}", "\\u{1B}]0;title\\u{7}"), ("a\u{08}b", "a\\u{8}b"),
            ("\u{7F}\u{0}", "\\u{7F}\\u{0}"), ("\u{202E}evil", "\\u{202E}evil"),
            ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"), ("\u{FEFF}b", "\\u{FEFF}b"),
            ("one\ntwo\r\nthree\tfour", "one two  three four"), ("a\u{2028}b", "a b"),
            ("\u{E000}", "\\u{E000}"), ("Tea at \"four\" & <cake>", "Tea at \"four\" & <cake>"),
        ]
    )
    func escapes(_ text: String, _ expected: String) {
        // A carriage return and a line feed are one character and two scalars.
        #expect(SafeText.line(text) == expected)
    }

    @Test("no scalar of the planes that are in use lets a control character through")
    func everyScalar() {
        for value in Array(UInt32(0)...0x1_FFFF) + Array(0xE_0000...0xE_01FF) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = SafeText.line(String(Character(scalar)))
            for shown in text.unicodeScalars {
                let category = shown.properties.generalCategory
                guard category == .control || category == .format else { continue }
                #expect(shown.value == 0x200D, "\(String(value, radix: 16))")
            }
        }
    }

    @Test("marks do not pile up on a character")
    func marks() {
        let pile = "a" + String(repeating: "\u{301}", count: 100) + "b"
        #expect(SafeText.line(pile).unicodeScalars.count == 5)
    }

    @Test(
        "cells are counted as terminals count them",
        arguments: [
            ("", 0), ("abc", 3), ("日本", 4), ("한", 2), ("é", 1), ("e\u{301}", 1), ("🍰", 2),
            ("👩‍👩‍👧", 2), ("🇫🇷", 2), ("❤️", 2), ("ｆ", 2), ("—", 1),
        ]
    )
    func cells(_ text: String, _ expected: Int) {
        #expect(SafeText.cells(of: SafeText.line(text)) == expected)
    }

    @Test("cutting and wrapping never pass the width, whatever it is")
    func widths() {
        let text = SafeText.line("Tea at four 🍰🍰 日本語日本語 and a-very-long-word-without-a-space\u{1B}")
        for width in 0...60 {
            #expect(SafeText.cells(of: SafeText.fitted(text, cells: width)) <= width)
            let lines = SafeText.lines(text, cells: width)
            // A character of two cells does not fit into one.
            let most = max(2, width)
            #expect(lines.allSatisfy { SafeText.cells(of: $0) <= most }, "\(width): \(lines)")
            let all = lines.joined().filter { $0 != " " }
            #expect(all == text.filter { $0 != " " }, "\(width)")
        }
        #expect(SafeText.lines("one\ntwo", cells: 10) == ["one", "two"])
        #expect(SafeText.lines("one two three", cells: 7) == ["one two", "three"])
        #expect(SafeText.fitted("abcdef", cells: 4) == "abc…")
    }
}
