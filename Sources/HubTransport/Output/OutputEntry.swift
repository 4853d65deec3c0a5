/// One connection's part of the sealed bytes that are submitted together.
struct OutputEntry {
    let slot: UInt32
    let generation: UInt32
    let descriptor: Int32
    /// Where its bytes are in the wire's output.
    let start: Int
    let count: Int
    /// How many the kernel took, or a negative errno; filled by `submit`.
    var result: Int
}
