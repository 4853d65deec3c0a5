/// Hex as the vectors write it: two digits a byte, and `(XX*N)` for a byte N times.
enum KitHex {
    /// The bytes of a text; nil when it is not hex.
    static func bytes(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Substring(text)
        while let first = rest.first {
            guard first == "(", let end = rest.firstIndex(of: ")") else {
                guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
                bytes.append(byte)
                rest = rest.dropFirst(2)
                continue
            }
            let run = rest[rest.index(after: rest.startIndex)..<end].split(separator: "*")
            guard run.count == 2, let count = Int(run[1]), let byte = UInt8(run[0], radix: 16)
            else { return nil }
            bytes.append(contentsOf: repeatElement(byte, count: count))
            rest = rest[rest.index(after: end)...]
        }
        return bytes
    }

    /// Two digits for each byte.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    /// The first bytes, and how many there are.
    static func short(_ bytes: [UInt8]) -> String {
        let most = 64
        let start = text(bytes.prefix(most))
        return bytes.count > most ? "\(start)… (\(bytes.count) bytes)" : start
    }
}
