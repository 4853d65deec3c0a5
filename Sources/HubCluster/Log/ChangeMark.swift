/// Changes of a group, by which two histories are told apart.
package struct ChangeMark: Hashable, Sendable {
    /// The group's number.
    package let number: UInt64
    /// As it is stored beside the changes.
    package let checksum: UInt32

    /// Joins both.
    package init(number: UInt64, checksum: UInt32) {
        self.number = number
        self.checksum = checksum
    }

    /// The mark of a group's changes.
    package init(of number: UInt64, _ changes: EncodedChanges) {
        self.init(number: number, checksum: changes.checksum(of: number))
    }
}

extension EncodedGroup {
    /// The mark of its changes; nil without any.
    package var changeMark: ChangeMark? { changes.map { ChangeMark(of: number, $0) } }
}
