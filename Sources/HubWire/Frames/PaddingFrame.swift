/// PADDING: hides lengths, and keeps receivers used to extension frames.
package enum PaddingFrame {
    /// Appends a frame with `count` zero bytes, at most `paddingBytesMax`.
    package static func encode(count: Int, into bytes: inout [UInt8]) {
        let frame = WireWriter(.padding, into: &bytes)
        bytes.append(contentsOf: repeatElement(0, count: count))
        frame.finish(&bytes)
    }
}
