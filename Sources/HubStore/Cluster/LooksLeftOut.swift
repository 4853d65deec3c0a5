/// Looks that are left out behind one that failed: more each time.
package struct LooksLeftOut: Sendable {
    /// Looks left out at most.
    private static let most = 60

    private var rest = 0
    private var failures = 0

    /// Leaves out none.
    package init() {}

    /// Whether this look is left out.
    package mutating func leavesOut() -> Bool {
        guard rest > 0 else { return false }
        rest -= 1
        return true
    }

    /// A look came to its end.
    package mutating func succeed() { failures = 0 }

    /// A look failed.
    package mutating func fail() {
        failures += 1
        rest = min(Self.most, 1 << min(failures, 8))
    }
}
