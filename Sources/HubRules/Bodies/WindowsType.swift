/// The kind of a WNS notification, as `X-WNS-Type` says it.
///
/// Source: REST reference §8.4.
enum WindowsType: String {
    case toast = "wns/toast"
    case tile = "wns/tile"
    case badge = "wns/badge"
    case raw = "wns/raw"

    /// The header's name.
    static let header = "X-WNS-Type"

    /// The kind that a document's root element implies; nil unless it is toast, tile or badge.
    init?(ofDocument document: Span<UInt8>) {
        guard let root = DocumentRoot.name(in: document) else { return nil }
        switch String(decoding: root, as: UTF8.self) {
        case "toast": self = .toast
        case "tile": self = .tile
        case "badge": self = .badge
        default: return nil
        }
    }
}
