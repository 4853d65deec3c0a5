extension Array {
    /// Appends, with room for a quarter more when there is none.
    ///
    /// For tables with a row for each of very many connections, where twice as many would be too
    /// much; an element is moved at most four times on average.
    @inlinable package mutating func appendSparingly(_ element: Element) {
        if count == capacity { reserveCapacity(count + Swift.max(count / 4, 16)) }
        append(element)
    }

    /// Appends `element` until there are `count`, with room for a quarter more when there is none.
    @inlinable package mutating func extendSparingly(to count: Int, with element: Element) {
        guard count > self.count else { return }
        if count > capacity { reserveCapacity(count + Swift.max(count / 4, 16)) }
        append(contentsOf: repeatElement(element, count: count - self.count))
    }
}
