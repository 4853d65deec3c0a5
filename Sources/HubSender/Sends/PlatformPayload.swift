import FoundationEssentials
public import HubVocabulary

/// Payloads in the form of each platform, with everything escaped that has a meaning there.
public enum PlatformPayload {
    /// A notification that shows a text.
    ///
    /// On Windows platforms characters that XML cannot hold become U+FFFD.
    public static func alert(_ text: String, on platform: Platform) -> String {
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
