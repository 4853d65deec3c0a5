import HubWire

/// One frame vector of `Protocol/vectors`.
///
/// Source: Protocol §12.
struct FrameVector: Decodable {
    let name: String
    private let dir: String
    private let state: String
    private let hex: String
    let error: String?
    let limit: UInt32?
    let needMore: Int?

    private enum CodingKeys: String, CodingKey {
        case name, dir, state, hex, error, limit
        case needMore = "need_more"
    }

    var bytes: [UInt8] { KitHex.bytes(hex) ?? [] }
    var isForHub: Bool { dir == "d2h" }

    /// The number of the error that the receiver names.
    var number: ErrorNumber? { ErrorNumber.allCases.first { $0.name == error } }

    /// The receiver's state before.
    var decodingState: DecodingState {
        switch state {
        case "WAIT_HELLO": .waitHello
        case "WAIT_WELCOME": .waitWelcome
        default: .ready
        }
    }
}
