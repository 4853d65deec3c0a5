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
