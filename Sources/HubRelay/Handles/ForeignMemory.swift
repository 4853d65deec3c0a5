import HubVocabulary

/// Handles that no hub has made.
///
/// A full bucket replaces one of its handles by a newer one. So a handle that was forgotten costs
/// another judgement, and the memory never passes 4 MB.
package struct ForeignMemory: Sendable {
    /// A handle by a hash that no stranger foresees, and by the last eight of its bytes, which no
    /// stranger can guess of a handle of ours.
    private struct Place: Equatable, Sendable {
        let hash: Int
        let ending: UInt64
    }

    /// Handles that are remembered at most; fewer as long as there are few.
    package static let placesMax = 131_072
    private static let placesLeast = 1_024
    private static let bucket = 4

    private var places: [Place?] = []
    private var taken = 0

    /// Remembers nothing yet.
    package init() {}

    /// Whether a handle is remembered, which no hub has made in generations up to one.
    package func contains(_ handle: [UInt8], generation: UInt32) -> Bool {
        guard !places.isEmpty else { return false }
        let place = Self.place(handle, generation)
        let start = start(of: place)
        return (start..<start + Self.bucket).contains { places[$0] == place }
    }

    /// Remembers a handle.
    package mutating func insert(_ handle: [UInt8], generation: UInt32) {
        if taken * 2 >= places.count, places.count < Self.placesMax { grow() }
        put(Self.place(handle, generation))
    }

    private mutating func put(_ place: Place) {
        let start = start(of: place)
        for index in start..<start + Self.bucket where places[index] == nil {
            places[index] = place
            taken += 1
            return
        }
        places[start + Int(truncatingIfNeeded: place.ending % UInt64(Self.bucket))] = place
    }

    private mutating func grow() {
        let old = places
        places = Array(repeating: nil, count: max(Self.placesLeast, old.count * 2))
        taken = 0
        for case let place? in old { put(place) }
    }

    private func start(of place: Place) -> Int {
        (place.hash & (places.count / Self.bucket - 1)) * Self.bucket
    }

    private static func place(_ handle: [UInt8], _ generation: UInt32) -> Place {
        var hasher = Hasher()
        hasher.combine(handle)
        hasher.combine(generation)
        return Place(hash: hasher.finalize(), ending: UInt64(bigEndian: handle.suffix(8)))
    }
}
