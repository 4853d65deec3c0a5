extension [UInt8] {
    /// The bytes of a borrowed view, to keep.
    package init(copying span: Span<UInt8>) {
        self = span.bytes(in: 0..<span.count)
    }
}

extension Span<UInt8> {
    /// A copy of some of the bytes.
    package func bytes(in range: Range<Int>) -> [UInt8] {
        let part = extracting(range)
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: part.count) { output in
            for index in part.indices { output.append(part[index]) }
        }
        return bytes
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
