import HubRules
import Testing

@Suite("Lines that come in parts")
struct LineSplitterTests {
    private static func split(_ text: String, limit: Int, parts: Int) -> [LineSplitter.Line] {
        var splitter = LineSplitter(limit: limit)
        var lines: [LineSplitter.Line] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: parts) {
            lines += splitter.lines(of: Array(bytes[start...].prefix(parts)))
        }
        return lines + splitter.last()
    }

    @Test("are the same however they are cut", arguments: 1...9)
    func cut(_ parts: Int) {
        let lines = Self.split("a\r\n\n  \nbc\nlast", limit: 8, parts: parts)
        #expect(lines.map(\.number) == [1, 4, 5])
        #expect(lines.map { String(decoding: $0.bytes, as: UTF8.self) } == ["a", "bc", "last"])
    }

    @Test("are whole at the limit and cut above it", arguments: [1, 7, 1_000])
    func limit(_ parts: Int) {
        let text = "12345678\r\n123456789\n" + String(repeating: "x", count: 900) + "\nok"
        let lines = Self.split(text, limit: 8, parts: parts)
        #expect(lines.map(\.isTooLong) == [false, true, true, false])
        #expect(lines.map(\.number) == [1, 2, 3, 4])
        #expect(lines[2].bytes.count <= 256)
        #expect(lines[3].bytes == Array("ok".utf8))
    }
}
