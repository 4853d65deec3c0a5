/// External ids of registrations that were deleted and not used again, as long as their tombstones
/// are kept: they answer 410.
struct DeletedIDs {
    /// By id, the place from which it was gone.
    private var places: [BytesKey: UInt64] = [:]
    /// In the order in which they were kept; those before `oldest` are no more.
    private var order: [(id: BytesKey, place: UInt64)] = []
    private var oldest = 0

    /// How many there are.
    var count: Int { places.count }

    /// The place from which an id was gone; nil for one that was not deleted or is in use.
    subscript(id: BytesKey) -> UInt64? {
        get { places[id] }
        set { places[id] = newValue }
    }

    /// An id is durably gone: it is forgotten when the log begins behind its place.
    mutating func keep(_ id: BytesKey) {
        guard let place = places[id] else { return }
        order.append((id, place))
    }

    /// Forgets those that were gone before a place, at most so many; whether there may be more.
    mutating func forget(below first: UInt64, limit: Int) -> Bool {
        let end = min(order.count, oldest + limit)
        while oldest < end, order[oldest].place < first {
            // One that was used and deleted again has a later place.
            let entry = order[oldest]
            if places[entry.id] == entry.place { places[entry.id] = nil }
            oldest += 1
        }
        if oldest > 1_024, oldest * 2 > order.count {
            order.removeSubrange(..<oldest)
            oldest = 0
        }
        return oldest < order.count && order[oldest].place < first
    }
}
