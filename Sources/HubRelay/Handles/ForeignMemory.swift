import HubVocabulary

/// Handles that no hub has made, each by eight bytes of a hash that no stranger foresees.
///
/// A stranger cannot look for a handle of ours with the hash of one of his: he knows neither. A full
/// bucket replaces one of its handles by a newer one, so one that was forgotten costs another
/// judgement, and the memory never passes 8 MB.
package struct ForeignMemory: Sendable {
    /// Handles that are remembered at most; fewer as long as there are few.
    package static let placesMax = 1_048_576
    private static let placesLeast = 1_024
    private static let bucket = 4
    /// A place without a handle: no handle has this hash.
    private static let free: UInt64 = 0

    private let placesMax: Int
    private var places: [UInt64] = []
    private var taken = 0

    /// Remembers nothing yet, and a power of two of handles at most.
    package init(placesMax: Int = Self.placesMax) { self.placesMax = placesMax }

    /// Whether a handle is remembered, which no hub has made in generations up to one.
    package func contains(_ handle: [UInt8], generation: UInt32) -> Bool {
        guard !places.isEmpty else { return false }
        let hash = Self.hash(handle, generation)
        let start = start(of: hash)
        for index in start..<start + Self.bucket where places[index] == hash { return true }
        return false
    }

    /// Remembers a handle.
    package mutating func insert(_ handle: [UInt8], generation: UInt32) {
        if taken * 2 >= places.count, places.count < placesMax { grow() }
        put(Self.hash(handle, generation))
    }

    private mutating func put(_ hash: UInt64) {
        let start = start(of: hash)
        for index in start..<start + Self.bucket where places[index] == Self.free {
            places[index] = hash
            taken += 1
            return
        }
        // The highest bits choose no bucket.
        places[start + Int(truncatingIfNeeded: hash >> 62)] = hash
    }

    private mutating func grow() {
        let old = places
        places = Array(repeating: Self.free, count: max(Self.placesLeast, old.count * 2))
        taken = 0
        for hash in old where hash != Self.free { put(hash) }
    }

    private func start(of hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash & UInt64(places.count / Self.bucket - 1)) * Self.bucket
    }

    private static func hash(_ handle: [UInt8], _ generation: UInt32) -> UInt64 {
        var hasher = Hasher()
        // Eight at a time; an array feeds its bytes one by one.
        var rest = handle[...]
        while rest.count >= 8 {
            hasher.combine(UInt64(bigEndian: rest))
            rest = rest.dropFirst(8)
        }
        for byte in rest { hasher.combine(byte) }
        hasher.combine(generation)
        return max(1, UInt64(truncatingIfNeeded: hasher.finalize()))
    }
}
