/// The headers of a send that mean something to one platform, or to the hub alone.
///
/// Source: REST §8.2, §8.4–§8.6.
enum SendInputs {
    static let platform: [InputNote] = [
        .header("ServiceBusNotification-Apns-Expiry", "When an Apple notification expires."),
        .header("apns-expiration", "The same, in seconds since 1970; 0 is now or never."),
        .header("apns-collapse-id", "Of two with the same key the newer is enough."),
        .header("apns-priority", "10 is high, 5 and 1 are low."),
        .header("apns-push-type", "Carried to the device."),
        .header("X-WNS-Type", "Which kind of payload a Windows notification is."),
        .header("X-WNS-TTL", "Seconds that a Windows notification lives."),
        .header("X-WNS-Tag", "With `X-WNS-Group`, the collapse key of a Windows notification."),
        .header("X-WNS-Group", "See `X-WNS-Tag`."),
        .header("X-WNS-PRIORITY", "The priority of a Windows notification."),
        .header("X-NotificationClass", "The class of a Windows Phone notification."),
        .header("X-WindowsPhone-Target", "`toast`, `token` or nothing for a raw payload."),
        .header("Belfry-Receipts", "Asks devices for receipts."),
    ]
}
