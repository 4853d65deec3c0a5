public import HubVocabulary
public import HubWire

/// The registration that a device wants in one of its slots.
public struct RegistrationChoice: Equatable, Sendable {
    /// 0 to 15, chosen by the device.
    public var slot: UInt16
    /// Decides which sends reach the slot and which payload rules apply.
    public var platform: Platform
    /// All tags of the slot.
    public var tags: [String]
    /// Makes it a template registration.
    public var template: TemplateMessage?
    /// Seconds until the registration expires; 0 takes the hub's default.
    public var lifetimeSeconds: UInt32

    /// A choice of its parts; native without a template.
    public init(
        slot: UInt16 = 0,
        platform: Platform,
        tags: [String],
        template: TemplateMessage? = nil,
        lifetimeSeconds: UInt32 = 0
    ) {
        self.slot = slot
        self.platform = platform
        self.tags = tags
        self.template = template
        self.lifetimeSeconds = lifetimeSeconds
    }

    /// A template registration; the template's expressions are filled in for each send.
    ///
    /// - Parameters:
    ///   - slot: 0 to 15, chosen by the device.
    ///   - platform: decides the form of body and headers.
    ///   - name: the template's name; may be empty.
    ///   - body: JSON, or XML on Windows platforms.
    ///   - expiry: expression that may shorten the time to live; empty for none.
    ///   - headers: names and values that the hub passes on.
    ///   - tags: all tags of the slot.
    /// - Returns: the choice, to be given to `DeviceClient.register`.
    public static func template(
        slot: UInt16 = 0,
        platform: Platform,
        name: String,
        body: String,
        expiry: String = "",
        headers: [(name: String, value: String)] = [],
        tags: [String]
    ) -> RegistrationChoice {
        RegistrationChoice(
            slot: slot,
            platform: platform,
            tags: tags,
            template: TemplateMessage(
                name: name,
                expiry: expiry,
                headers: headers.map { NotificationHeader(name: $0.name, value: $0.value) },
                body: Array(body.utf8)
            )
        )
    }

    /// Whether all bytes are equal: to a hub, texts that look the same may be two.
    public static func == (one: Self, other: Self) -> Bool {
        one.slot == other.slot && one.platform == other.platform
            && one.lifetimeSeconds == other.lifetimeSeconds && one.template == other.template
            && one.texts.elementsEqual(other.texts) { $0.utf8.elementsEqual($1.utf8) }
    }

    private var texts: [String] {
        guard let template else { return tags }
        let headers = template.headers.flatMap { [$0.name, $0.value] }
        return tags + [template.name, template.expiry] + headers
    }

    var message: RegisterMessage {
        var message = RegisterMessage(
            slot: slot,
            platform: platform.rawValue,
            tags: tags.map { Array($0.utf8) },
            template: template
        )
        message.ttl = lifetimeSeconds
        return message
    }
}

extension RegistrationChoice {
    /// When it is registered again, so that it does not lapse: after two thirds of its lifetime.
    ///
    /// Source: Protocol [T-4].
    func renewal(from now: Instant) -> Instant? {
        lifetimeSeconds == 0 ? nil : now + .seconds(max(1, Int(lifetimeSeconds) * 2 / 3))
    }
}
