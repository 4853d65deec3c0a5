import Foundation
import HubParcel
import HubTestSupport
import Testing

/// One entry of `Protocol/vectors/parcel.json` or `inflate.json`.
struct ParcelVector: Decodable, Sendable, CustomTestStringConvertible {
    struct Limits: Decodable, Sendable {
        let max_payload: Int
    }

    struct Header: Decodable, Sendable {
        let name_hex: String
        let value_hex: String
    }

    struct Fields: Decodable, Sendable {
        let codec: UInt8
        let urgency: UInt8
        let flags: UInt16
        let content_type: UInt8
        let id: String
        let ttl: UInt32
        let collapse_key_hex: String
        let platform: UInt8?
        let headers: [Header]
        let payload_hex: String
    }

    let name: String
    let limits: Limits
    let hex: String
    let expect: Fields?
    let entry_error: String?
    let canonical: Bool?

    var testDescription: String { name }
    var bytes: [UInt8] { HexText.bytes(hex) }
}

enum ParcelVectors {
    static let layout = load("parcel")
    static let compression = load("inflate")
    static let all = layout + compression
    static let valid = all.filter { $0.expect != nil }
    static let canonical = all.filter { $0.canonical == true }

    private static func load(_ name: String) -> [ParcelVector] {
        let content = Vectors.text("Protocol/vectors/\(name).json")
        do {
            return try JSONDecoder().decode([ParcelVector].self, from: Data(content.utf8))
        } catch {
            preconditionFailure("\(name).json: \(error)")
        }
    }
}

/// Everything a parcel says, copied out of the borrow so that tests can compare it.
struct DecodedParcel: Equatable {
    var codec: UInt8
    var urgency: UInt8
    var flags: UInt16
    var contentType: UInt8
    var id: ParcelID
    var ttl: UInt32
    var collapseKey: [UInt8]
    var platform: UInt8?
    var headers: [ParcelHeader]
    var payload: [UInt8]

    /// Decodes and inflates.
    init(_ bytes: [UInt8], maxPayload: Int = 65_536) throws(ParcelError) {
        let view = try ParcelView(decoding: bytes.span)
        var inflater = ParcelInflater()
        payload = try inflater.payload(of: view, maxPayload: maxPayload)
        codec = view.codec.rawValue
        urgency = view.urgency.rawValue
        flags = view.flags.rawValue
        contentType = view.contentType.rawValue
        id = view.id
        ttl = view.ttlSeconds
        collapseKey = view.collapseKey.indices.map { view.collapseKey[$0] }
        platform = view.platform
        headers = view.headers()
    }

    init(_ fields: ParcelVector.Fields) {
        codec = fields.codec
        urgency = fields.urgency
        flags = fields.flags
        contentType = fields.content_type
        let half = { (text: Substring) in UInt64(text, radix: 16) ?? 0 }
        id = ParcelID(hi: half(fields.id.prefix(16)), lo: half(fields.id.suffix(16)))
        ttl = fields.ttl
        collapseKey = HexText.bytes(fields.collapse_key_hex)
        platform = fields.platform
        headers = fields.headers.map {
            ParcelHeader(name: HexText.bytes($0.name_hex), value: HexText.bytes($0.value_hex))
        }
        payload = HexText.bytes(fields.payload_hex)
    }
}
