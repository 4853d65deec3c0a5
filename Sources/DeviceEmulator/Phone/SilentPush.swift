import FoundationEssentials

/// The content that a silent notification asks an app to fetch.
package enum SilentPush: Equatable, Sendable {
    /// Rich content by id; `type` is one that the app can show.
    case rich(id: Int, message: String, type: String)
    /// A rich type that this app does not know.
    case unknownType(String)
    /// A secure payload by id.
    case secure(id: Int)

    /// The rich types that an app can show.
    package static let types = ["img", "url", "sound", "video", "coupon"]

    private struct Body: Decodable {
        struct Aps: Decodable {
            enum CodingKeys: String, CodingKey { case contentAvailable = "content-available" }

            var contentAvailable: Int?
        }

        var aps: Aps?
        var richId: String?
        var richMessage: String?
        var richType: String?
        var secureId: String?
    }

    /// Reads a payload; nil when it is no silent notification of this app's.
    package init?(payload: String) {
        // A payload that is not JSON is no silent notification.
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(payload.utf8)),
            body.aps?.contentAvailable == 1
        else { return nil }
        if let id = body.secureId.flatMap({ Int($0) }) {
            self = .secure(id: id)
        } else if let type = body.richType, let id = body.richId.flatMap({ Int($0) }) {
            self =
                Self.types.contains(type)
                ? .rich(id: id, message: body.richMessage ?? "", type: type) : .unknownType(type)
        } else {
            return nil
        }
    }
}
