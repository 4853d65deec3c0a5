extension Array {
    /// Appends, with room for a quarter more when there is none.
    ///
    /// For tables with a row for each of very many connections, where twice as many would be too
    /// much; an element is moved at most four times on average.
    mutating func appendSparingly(_ element: Element) {
        if count == capacity { reserveCapacity(count + Swift.max(count / 4, 16)) }
        append(element)
    }
}
