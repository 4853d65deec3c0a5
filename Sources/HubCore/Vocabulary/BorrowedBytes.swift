extension [UInt8] {
    /// The bytes of a borrowed view, to keep.
    init(copying span: Span<UInt8>) {
        self.init()
        append(addingCapacity: span.count) { output in
            for index in span.indices { output.append(span[index]) }
        }
    }
}
