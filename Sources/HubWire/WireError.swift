/// Why bytes are not a frame, or a message cannot become one: exactly what an ERROR frame says.
package struct WireError: Error, Equatable, Sendable {
    /// The number of the refusal.
    package let number: ErrorNumber
    /// Type byte of the frame that it is about, as received.
    package let aboutType: UInt8
    /// The largest or smallest value allowed where the field was beyond it; otherwise 0.
    package let limit: UInt32

    /// A refusal of a frame whose type byte may be unassigned.
    package init(_ number: ErrorNumber, aboutType: UInt8, limit: Int = 0) {
        self.number = number
        self.aboutType = aboutType
        self.limit = UInt32(clamping: limit)
    }

    /// A refusal of a frame of an assigned type.
    package init(_ number: ErrorNumber, about type: FrameType, limit: Int = 0) {
        self.init(number, aboutType: type.rawValue, limit: limit)
    }
}
