/// Texts that are shown, without the push handles in them.
///
/// A client that knows a handle can register for its device. Source: rules C.1.
package enum HandleMask {
    /// Hexadecimal digits of a handle.
    private static let digits = 64
    /// Digits that are left, so that a reader can tell two handles apart.
    private static let kept = 8

    /// A text in which each run of 64 or more hexadecimal digits is cut to its first eight.
    package static func masked(_ text: String) -> String {
        var result: [UInt8] = []
        var run: [UInt8] = []
        func finish(_ run: inout [UInt8], _ result: inout [UInt8]) {
            result += run.count < digits ? run[...] : run.prefix(kept) + Array("…".utf8)
            run.removeAll(keepingCapacity: true)
        }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                run.append(byte)
            default:
                finish(&run, &result)
                result.append(byte)
            }
        }
        finish(&run, &result)
        return String(decoding: result, as: UTF8.self)
    }
}
