/// The dense number of an installation inside one hub; orders lists.
package struct InstallationNumber: Hashable, Comparable, Sendable {
    /// 1-based; 0 names nothing.
    package var raw: UInt32

    /// Makes a number.
    package init(_ raw: UInt32) { self.raw = raw }

    package static func < (left: InstallationNumber, right: InstallationNumber) -> Bool {
        left.raw < right.raw
    }
}
