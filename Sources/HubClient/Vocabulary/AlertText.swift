import FoundationEssentials
import HubVocabulary

/// Reads the text that a payload shows, in the form of any platform.
package enum AlertText {
    /// The text of a JSON payload or of a toast in XML; nil where there is none.
    package static func read(_ payload: String) -> String? {
        if payload.hasPrefix("<") {
            return XMLText.first(of: ["text", "wp:Text1"], in: payload)
        }
        // A payload that is not JSON has no text to show.
        guard let found = try? JSONDecoder().decode(Alerting.self, from: Data(payload.utf8)) else {
            return nil
        }
        return found.aps?.alert ?? found.data?.message ?? found.message?.data?.message
    }
}

/// The members in which `AlertText` looks for a text.
private struct Alerting: Decodable {
    struct Aps: Decodable { var alert: String? }
    struct Fields: Decodable { var message: String? }
    struct Message: Decodable { var data: Fields? }

    enum CodingKeys: String, CodingKey { case aps, data, message }

    var aps: Aps?
    var data: Fields?
    var message: Message?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        aps = try? container.decode(Aps.self, forKey: .aps)
        data = try? container.decode(Fields.self, forKey: .data)  // Absent in another form.
        message = try? container.decode(Message.self, forKey: .message)
    }
}
