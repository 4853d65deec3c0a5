import HubVocabulary
import HubWire

// The kinds of sends, typed: each has the payload and the headers that its platform asks for.
extension OutgoingNotification {
    /// Properties for the template registrations of every platform.
    public static func template(
        _ properties: [String: String],
        to audience: TagQuery
    ) -> OutgoingNotification {
        template(properties, tags: audience.text)
    }

    /// A payload for the native registrations of a platform, unchanged.
    public static func native(
        _ platform: Platform,
        _ payload: String,
        to audience: TagQuery
    ) -> OutgoingNotification {
        native(platform, body: Array(payload.utf8), tags: audience.text)
    }

    /// A text, in the form in which a platform shows one.
    public static func alert(
        _ text: String,
        on platform: Platform,
        to audience: TagQuery
    ) -> OutgoingNotification {
        var notification = native(
            platform,
            PlatformPayload.alert(text, on: platform),
            to: audience
        )
        notification.headers = toastHeaders(platform)
        return notification
    }

    /// A notification of Apple's form.
    public static func apple(
        _ payload: ApplePayload,
        to audience: TagQuery
    ) -> OutgoingNotification {
        native(.apple, payload.json, to: audience)
    }

    /// Data for the apps of the older Google platform, in order.
    public static func gcm(
        _ data: KeyValuePairs<String, String>,
        to audience: TagQuery
    ) -> OutgoingNotification {
        native(.gcm, "{\"data\":\(object(data))}", to: audience)
    }

    /// Data for the apps of Firebase, in order.
    public static func fcm(
        _ data: KeyValuePairs<String, String>,
        to audience: TagQuery
    ) -> OutgoingNotification {
        native(.fcmV1, "{\"message\":{\"data\":\(object(data))}}", to: audience)
    }

    /// Data for the apps of Amazon devices, in order.
    public static func adm(
        _ data: KeyValuePairs<String, String>,
        to audience: TagQuery
    ) -> OutgoingNotification {
        native(.adm, "{\"data\":\(object(data))}", to: audience)
    }

    /// A toast with one text on Windows.
    public static func windows(
        toast text: String,
        to audience: TagQuery
    ) -> OutgoingNotification {
        alert(text, on: .windows, to: audience)
    }

    /// A toast with one text on Windows Phone.
    public static func windowsPhone(
        toast text: String,
        to audience: TagQuery
    ) -> OutgoingNotification {
        alert(text, on: .windowsPhone, to: audience)
    }

    private static func object(_ members: KeyValuePairs<String, String>) -> String {
        let parts = members.map { name, value in
            "\(PlatformPayload.json(name)):\(PlatformPayload.json(value))"
        }
        return "{\(parts.joined(separator: ","))}"
    }

    /// Returns the headers that Windows platforms need beside a toast.
    ///
    /// Source: REST §8.4.
    private static func toastHeaders(
        _ platform: Platform
    ) -> [NotificationHeader] {
        switch platform {
        case .windows: [.init(name: "X-WNS-Type", value: "wns/toast")]
        case .windowsPhone:
            [
                .init(name: "X-WindowsPhone-Target", value: "toast"),
                .init(name: "X-NotificationClass", value: "2"),
            ]
        case .apple, .gcm, .fcmV1, .adm, .baidu, .browser, .xiaomi: []
        }
    }
}
