import HubWire

/// Why a request was not carried out.
public struct RequestRefusal: Equatable, Sendable {
    /// The kind of request.
    public enum Request: Equatable, Sendable {
        case register
        case tags
        case unregister
        case receipts
    }

    /// The kind of request.
    public var request: Request
    /// For which slot; 0xFFFF for none or all.
    public var slot: UInt16
    /// An `ErrorNumber`, or one that is unknown here.
    public var status: UInt16
    /// The hub's text, which names the field or tag.
    public var detail: String

    /// A refusal of its parts.
    public init(request: Request, slot: UInt16, status: UInt16, detail: String) {
        self.request = request
        self.slot = slot
        self.status = status
        self.detail = detail
    }
}

extension RequestRefusal {
    /// The sentence for people.
    public var reason: String {
        switch ErrorNumber(rawValue: status) {
        case .forbidden: "'\(detail)' belongs to the back end, which sets it with a Manage key"
        default: detail.isEmpty ? statusName : detail
        }
    }

    /// The name of the status in `Protocol/`.
    public var statusName: String { ErrorNumber.name(of: status) }
}

extension ErrorNumber {
    /// The name of a number of any peer.
    static func name(of code: UInt16) -> String {
        ErrorNumber(rawValue: code)?.name ?? "0x" + String(code, radix: 16)
    }
}
