/// Lines of a text that comes in parts; never holds more than one line and one part.
package struct LineSplitter {
    /// One line that is not empty.
    package struct Line: Equatable {
        /// Counted from 1.
        package var number: UInt64
        /// Without line end; the beginning when it is too long.
        package var bytes: [UInt8]
        /// Longer than the limit.
        package var isTooLong = false
    }

    /// Bytes that are kept of a line that is too long.
    private static let keptBytes = 256

    private let limit: Int
    private var rest: [UInt8] = []
    private var isTooLong = false
    private var number: UInt64 = 0

    /// Splits into lines of so many bytes at most.
    package init(limit: Int) { self.limit = limit }

    /// The lines that end in the next part.
    package mutating func lines(of part: [UInt8]) -> [Line] {
        var lines: [Line] = []
        var start = part.startIndex
        while let end = part[start...].firstIndex(of: UInt8(ascii: "\n")) {
            take(part[start..<end])
            finish(&lines)
            start = end + 1
        }
        take(part[start...])
        return lines
    }

    /// The text behind the last line end.
    package mutating func last() -> [Line] {
        var lines: [Line] = []
        if !rest.isEmpty || isTooLong { finish(&lines) }
        return lines
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) {
        guard !isTooLong else { return }
        if rest.count + bytes.count <= limit + 1 {
            rest += bytes
        } else {
            rest += bytes.prefix(Self.keptBytes)
            rest = Array(rest.prefix(Self.keptBytes))
            isTooLong = true
        }
    }

    private mutating func finish(_ lines: inout [Line]) {
        number += 1
        if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
        // A line end of two bytes may just fit.
        if rest.count > limit { isTooLong = true }
        if isTooLong || rest.contains(where: { $0 > 0x20 }) {
            let kept = isTooLong ? Array(rest.prefix(Self.keptBytes)) : rest
            lines.append(Line(number: number, bytes: kept, isTooLong: isTooLong))
        }
        rest.removeAll(keepingCapacity: true)
        isTooLong = false
    }
}
