/// Option ids; from 0x80 an unknown id is ignored, below it is refused.
///
/// Source: [P-6].
enum ParcelOption {
    /// u8 platform.
    static let platform: UInt8 = 0x80
    /// n x { str8 name, str8 value }.
    static let headers: UInt8 = 0x81
    /// Ids below this one are critical.
    static let firstAdvisory: UInt8 = 0x80
}
