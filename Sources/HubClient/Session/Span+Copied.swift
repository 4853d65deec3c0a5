extension Span<UInt8> {
    /// A copy that outlives the borrow.
    func copied() -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(count)
        for index in indices { copy.append(self[index]) }
        return copy
    }
}
