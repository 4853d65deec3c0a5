import HubSender

/// The words of `Platform` and `pns`.
///
/// Source: rules C.7.
enum PlatformName {
    static let all: [(name: String, platform: Platform)] = [
        ("apns", .apple), ("gcm", .gcm), ("fcm", .fcmV1), ("wns", .windows),
        ("mpns", .windowsPhone), ("adm", .adm), ("xiaomi", .xiaomi),
        ("baidu", .baidu), ("browser", .browser),
    ]

    /// The platform of a word, whatever its case.
    /// - Throws: `BackendRefusal` 400 that names what is allowed.
    static func platform(_ word: String, field: String) throws(BackendRefusal) -> Platform {
        let folded = word.lowercased()
        guard let found = all.first(where: { $0.name == folded }) else {
            let names = all.map(\.name).joined(separator: ", ")
            throw BackendRefusal(400, "\(field) must be one of \(names)")
        }
        return found.platform
    }
}
