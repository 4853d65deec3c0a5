extension [UInt8] {
    /// The bytes of a borrowed view, to keep.
    package init(copying span: Span<UInt8>) {
        self = span.bytes(in: 0..<span.count)
    }
}

extension Span<UInt8> {
    /// A copy of some of the bytes.
    package func bytes(in range: Range<Int>) -> [UInt8] {
        // The buffer is copied whole before the call returns, so nothing outlives it.
        unsafe extracting(range).withUnsafeBufferPointer { buffer in unsafe Array(buffer) }
    }

    /// The first place of a byte within a range.
    package func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        var index = range.lowerBound
        while index < range.upperBound {
            if self[index] == byte { return index }
            index += 1
        }
        return nil
    }
}
