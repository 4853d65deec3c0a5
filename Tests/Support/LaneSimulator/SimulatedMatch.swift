/// One notification for one registration.
struct SimulatedMatch: Hashable, CustomStringConvertible {
    let sequence: UInt64
    let registration: UInt32

    var description: String { "record \(sequence) for \(registration)" }
}
