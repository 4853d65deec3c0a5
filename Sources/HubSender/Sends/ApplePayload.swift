/// A payload that an Apple device shows, or that wakes its app without showing anything.
public struct ApplePayload: Sendable {
    /// The text that is shown; nil for none.
    public var alert: String?
    /// A title above the text.
    public var title: String?
    /// The number on the app's icon; 0 removes it.
    public var badge: Int?
    /// The name of a sound.
    public var sound: String?
    /// Whether it wakes the app in the background.
    public var isContentAvailable: Bool
    /// Members beside `aps`, for the app itself, in order.
    public var members: [(name: String, value: String)]

    /// A notification that shows something.
    public init(
        alert: String,
        title: String? = nil,
        badge: Int? = nil,
        sound: String? = nil,
        members: [(name: String, value: String)] = []
    ) {
        self.alert = alert
        self.title = title
        self.badge = badge
        self.sound = sound
        self.members = members
        isContentAvailable = false
    }

    /// A silent notification: it wakes its app with some members and shows nothing.
    public init(silent members: [(name: String, value: String)]) {
        self.members = members
        sound = ""
        isContentAvailable = true
    }

    /// The payload as it is sent.
    public var json: String {
        var aps: [String] = []
        if let alert {
            let body = PlatformPayload.json(alert)
            aps.append(
                title.map { "\"alert\":{\"title\":\(PlatformPayload.json($0)),\"body\":\(body)}" }
                    ?? "\"alert\":\(body)"
            )
        }
        if let badge { aps.append("\"badge\":\(badge)") }
        if isContentAvailable { aps.append("\"content-available\":1") }
        if let sound { aps.append("\"sound\":\(PlatformPayload.json(sound))") }
        let own = members.map { member in
            ",\(PlatformPayload.json(member.name)):\(PlatformPayload.json(member.value))"
        }
        return "{\"aps\":{\(aps.joined(separator: ","))}\(own.joined())}"
    }
}
