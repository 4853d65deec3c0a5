/// A send as it arrived, whatever the method and path: headers and body.
package struct SendRequest: Sendable {
    /// Every header in the order received, names in lower case.
    package var headers: [NamedValue]
    /// Whether the send names its handles itself instead of tags.
    package var isDirect: Bool
    /// The handles of a batch; nil takes the one of `ServiceBusNotification-DeviceHandle`.
    package var handles: [[UInt8]]?
    /// The payload, or the property bag of a template send.
    package var body: [UInt8]
    /// The access rule with which the caller signed: idempotency keys belong to it.
    package var rule: String

    /// Makes a request.
    package init(
        headers: [NamedValue],
        isDirect: Bool = false,
        handles: [[UInt8]]? = nil,
        body: [UInt8],
        rule: String = ""
    ) {
        self.headers = headers
        self.isDirect = isDirect
        self.handles = handles
        self.body = body
        self.rule = rule
    }

    /// The value of a header without blanks around it; nil when it is absent or blank.
    ///
    /// - Throws: `.invalid` when the header is there more than once.
    func value(of header: SendHeader) throws(Refusal) -> [UInt8]? {
        var value: [UInt8]?
        for pair in headers where ASCII.equal(pair.name, header.rawValue.utf8) {
            guard value == nil else {
                throw .invalid(field: header.spelling, reason: "is there more than once")
            }
            value = ASCII.trimmed(pair.value)
        }
        return value?.isEmpty == false ? value : nil
    }

    /// Whether it goes to handles: with the flag, and with a handle and no tags, since nobody who
    /// names a handle alone means everybody.
    ///
    /// - Throws: `.invalid` when a header is there more than once.
    var goesToHandles: Bool {
        get throws(Refusal) {
            if isDirect { return true }
            guard try value(of: .tags) == nil else { return false }
            return try value(of: .deviceHandle) != nil
        }
    }

    /// The first of some headers that is there, with its name.
    func first(
        of headers: [SendHeader]
    ) throws(Refusal) -> (header: SendHeader, value: [UInt8])? {
        for header in headers {
            if let value = try value(of: header) { return (header, value) }
        }
        return nil
    }
}

/// The headers that mean something to the hub itself.
///
/// Source: REST reference §8.2, §8.4, §8.5.
enum SendHeader: String {
    case format = "servicebusnotification-format"
    case tags = "servicebusnotification-tags"
    case deviceHandle = "servicebusnotification-devicehandle"
    case appleExpiry = "servicebusnotification-apns-expiry"
    case appleExpirySynonym = "servicebusnotification-apnsexpiry"
    case appleExpiration = "apns-expiration"
    case goExpiration = "x-apns-expiration"
    case appleCollapse = "apns-collapse-id"
    case applePriority = "apns-priority"
    case dotNetPriority = "x-apns-priority"
    case applePushType = "apns-push-type"
    case goPushType = "x-apns-push-type"
    case windowsType = "x-wns-type"
    case windowsTimeToLive = "x-wns-ttl"
    case windowsTag = "x-wns-tag"
    case windowsGroup = "x-wns-group"
    case windowsPriority = "x-wns-priority"
    case windowsPhoneClass = "x-notificationclass"
    case windowsPhoneTarget = "x-windowsphone-target"
    case receipts = "belfry-receipts"
    case scheduleTime = "servicebusnotification-scheduletime"
    case idempotencyKey = "idempotency-key"
    case contentType = "content-type"

    /// The name as documents spell it.
    var spelling: String {
        switch self {
        case .format: "ServiceBusNotification-Format"
        case .tags: "ServiceBusNotification-Tags"
        case .deviceHandle: "ServiceBusNotification-DeviceHandle"
        case .appleExpiry: "ServiceBusNotification-Apns-Expiry"
        case .appleExpirySynonym: "ServiceBusNotification-ApnsExpiry"
        case .goExpiration: "X-Apns-Expiration"
        case .dotNetPriority: "X-Apns-Priority"
        case .goPushType: "X-Apns-Push-Type"
        case .windowsType: "X-WNS-Type"
        case .windowsTimeToLive: "X-WNS-TTL"
        case .windowsTag: "X-WNS-Tag"
        case .windowsGroup: "X-WNS-Group"
        case .windowsPriority: "X-WNS-PRIORITY"
        case .windowsPhoneClass: "X-NotificationClass"
        case .windowsPhoneTarget: "X-WindowsPhone-Target"
        case .receipts: "Belfry-Receipts"
        case .scheduleTime: "ServiceBusNotification-ScheduleTime"
        case .idempotencyKey: "Idempotency-Key"
        case .contentType: "Content-Type"
        case .appleExpiration, .appleCollapse, .applePriority, .applePushType: rawValue
        }
    }
}
