import FoundationEssentials

/// Payloads in the form of each platform, with everything escaped that has a meaning there.
public enum PlatformPayload {
    /// A notification that shows a text.
    ///
    /// On Windows platforms characters that XML cannot hold become U+FFFD.
    public static func alert(_ text: String, on platform: DevicePlatform) -> String {
        switch platform {
        case .apple: "{\"aps\":{\"alert\":\(json(text))}}"
        case .fcmV1: "{\"message\":{\"data\":{\"message\":\(json(text))}}}"
        case .gcm, .adm, .baidu, .browser, .xiaomi: "{\"data\":{\"message\":\(json(text))}}"
        case .windows:
            "<toast><visual><binding template=\"ToastText01\"><text id=\"1\">\(xml(text))</text>"
                + "</binding></visual></toast>"
        case .windowsPhone:
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>"
                + "<wp:Notification xmlns:wp=\"WPNotification\"><wp:Toast><wp:Text1>\(xml(text))"
                + "</wp:Text1></wp:Toast></wp:Notification>"
        }
    }

    /// The text that a payload of `alert` shows; nil where there is none.
    public static func alertText(of payload: String) -> String? {
        if payload.hasPrefix("<") {
            return XMLText.first(of: ["text", "wp:Text1"], in: payload)
        }
        // A payload that is not JSON has no text to show.
        guard let found = try? JSONDecoder().decode(Alerting.self, from: Data(payload.utf8)) else {
            return nil
        }
        return found.aps?.alert ?? found.data?.message ?? found.message?.data?.message
    }

    /// A text as a JSON string, with its quotes.
    public static func json(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        // Every string is JSON; only numbers that are not finite are not.
        guard let data = try? encoder.encode(text) else {
            preconditionFailure("a string is JSON")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// A text as the content of an XML element.
    public static func xml(_ text: String) -> String { XMLText.escaped(text) }
}

/// The members in which `alertText` looks for a text.
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
