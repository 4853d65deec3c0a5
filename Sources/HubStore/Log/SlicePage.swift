/// A part of what was asked for.
struct SlicePage<Value> {
    var values: [Value] = []
    /// Bytes of their bodies.
    var bytes = 0
    /// Whether more was there but would have been too much.
    var isCut = false

    /// Counts a body; false when it must wait for another page.
    mutating func admits(_ body: [UInt8], bytesMax: Int) -> Bool {
        isCut = !values.isEmpty && bytes + body.count > bytesMax
        if !isCut { bytes += body.count }
        return !isCut
    }
}
