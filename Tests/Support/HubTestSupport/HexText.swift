/// Hex as the vectors write it: two digits a byte, and `(XX*N)` for a byte N times.
package enum HexText {
    /// The bytes of a text; stops the test run when it is not hex.
    package static func bytes(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Substring(text)
        while let first = rest.first {
            guard first == "(", let end = rest.firstIndex(of: ")") else {
                bytes.append(byte(rest.prefix(2)))
                rest = rest.dropFirst(2)
                continue
            }
            let run = rest[rest.index(after: rest.startIndex)..<end].split(separator: "*")
            guard run.count == 2, let count = Int(run[1]) else {
                preconditionFailure("not a run: \(rest.prefix(20))")
            }
            bytes.append(contentsOf: repeatElement(byte(run[0]), count: count))
            rest = rest[rest.index(after: end)...]
        }
        return bytes
    }

    /// Two digits for each byte, without runs.
    package static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    private static func byte(_ digits: Substring) -> UInt8 {
        guard digits.count == 2, let value = UInt8(digits, radix: 16) else {
            preconditionFailure("not hex: \(digits)")
        }
        return value
    }
}
