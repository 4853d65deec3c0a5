/// One vector of `parcel.json` or `inflate.json`.
struct ParcelVector: Decodable {
    let name: String
    private let hex: String
    /// The entry error of a bad one.
    let error: String?

    private enum CodingKeys: String, CodingKey {
        case name, hex
        case error = "entry_error"
    }

    var bytes: [UInt8] { KitHex.bytes(hex) ?? [] }
}
