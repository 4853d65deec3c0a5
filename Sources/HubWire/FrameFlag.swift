/// Bits of the header's flags; an unknown bit of the low nibble is refused.
package enum FrameFlag {
    /// An options block stands at the end of the body.
    package static let hasOptions: UInt8 = 0x01
    /// The bits that must be known to be accepted.
    package static let criticalMask: UInt8 = 0x0F
}
