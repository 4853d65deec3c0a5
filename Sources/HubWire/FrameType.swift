/// The frames of version 1; other numbers below 0x80 are refused, others from 0x80 skipped.
package enum FrameType: UInt8, CaseIterable, Sendable {
    case hello = 0x01
    case welcome = 0x02
    case ping = 0x03
    case pong = 0x04
    case goaway = 0x05
    case bye = 0x06
    case error = 0x07
    case window = 0x08
    case register = 0x10
    case unregister = 0x11
    case tags = 0x12
    case result = 0x13
    case deliver = 0x20
    case ack = 0x21
    case gap = 0x22
    case receipts = 0x30
    case padding = 0x80
}

/// The values that the `ref` field of a header may hold.
enum ReferenceRule {
    case zero
    case request
    case zeroOrRequest
}

/// The checks that a frame passes before the decoder looks at its body.
struct FrameRule {
    let fromDevice: Bool
    let fromHub: Bool
    /// Smallest body in bytes.
    let least: Int
    /// Largest body in bytes, without options.
    let most: Int
    let reference: ReferenceRule
    /// Whether HAS_OPTIONS adds `optionsBytesMax` to `most`.
    let growsWithOptions: Bool

    init(
        device: Bool,
        hub: Bool,
        _ least: Int,
        _ most: Int,
        _ reference: ReferenceRule = .zero,
        growsWithOptions: Bool = true
    ) {
        fromDevice = device
        fromHub = hub
        self.least = least
        self.most = most
        self.reference = reference
        self.growsWithOptions = growsWithOptions
    }
}

extension FrameType {
    /// Direction, size and `ref` of this type, as in the table of Protocol §4.
    var rule: FrameRule {
        switch self {
        case .hello:
            FrameRule(
                device: true,
                hub: false,
                WireLimits.helloBytesMin,
                WireLimits.helloBytesMax,
                growsWithOptions: false
            )
        case .welcome: FrameRule(device: false, hub: true, 142, 1_024)
        case .ping: FrameRule(device: true, hub: false, 16, 16)
        case .pong: FrameRule(device: false, hub: true, 16, 16)
        case .goaway: FrameRule(device: false, hub: true, 14, 467)
        case .bye: FrameRule(device: true, hub: false, 8, 8)
        case .error: FrameRule(device: true, hub: true, 13, 213, .zeroOrRequest)
        case .window: FrameRule(device: true, hub: false, 8, 8)
        case .register: FrameRule(device: true, hub: false, 20, 16_384, .request)
        case .unregister: FrameRule(device: true, hub: false, 4, 4, .request)
        case .tags: FrameRule(device: true, hub: false, 20, 16_384, .request)
        case .result: FrameRule(device: false, hub: true, 26, 290, .request)
        case .deliver:
            FrameRule(
                device: false,
                hub: true,
                58,
                WireLimits.frameBytesCeiling,
                growsWithOptions: false
            )
        case .ack: FrameRule(device: true, hub: false, 8, 8)
        case .gap: FrameRule(device: false, hub: true, 28, 28)
        case .receipts: FrameRule(device: true, hub: false, 40, 2_056, .request)
        case .padding:
            FrameRule(
                device: true,
                hub: true,
                0,
                WireLimits.paddingBytesMax,
                growsWithOptions: false
            )
        }
    }

    /// The name that `Protocol/` and the vectors use.
    package var name: String {
        switch self {
        case .hello: "HELLO"
        case .welcome: "WELCOME"
        case .ping: "PING"
        case .pong: "PONG"
        case .goaway: "GOAWAY"
        case .bye: "BYE"
        case .error: "ERROR"
        case .window: "WINDOW"
        case .register: "REGISTER"
        case .unregister: "UNREGISTER"
        case .tags: "TAGS"
        case .result: "RESULT"
        case .deliver: "DELIVER"
        case .ack: "ACK"
        case .gap: "GAP"
        case .receipts: "RECEIPTS"
        case .padding: "PADDING"
        }
    }
}
