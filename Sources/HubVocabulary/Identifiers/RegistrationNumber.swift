/// The dense number of a registration inside one hub; not reused within a log epoch.
package struct RegistrationNumber: Hashable, Comparable, Sendable {
    /// 1-based; 0 names nothing.
    package var raw: UInt32

    /// Makes a number.
    package init(_ raw: UInt32) { self.raw = raw }

    package static func < (left: RegistrationNumber, right: RegistrationNumber) -> Bool {
        left.raw < right.raw
    }
}
