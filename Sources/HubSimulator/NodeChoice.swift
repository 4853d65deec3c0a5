/// Whether a simulation has several nodes with a database.
package enum NodeChoice: String, CaseIterable, Sendable {
    /// Every third seed has.
    case bySeed = "by-seed"
    /// One hub on its own disk.
    case none
    /// Two to four.
    case several

    func holds(for seed: UInt64) -> Bool {
        switch self {
        case .bySeed: seed.isMultiple(of: 3)
        case .none: false
        case .several: true
        }
    }
}
