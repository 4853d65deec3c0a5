package import HubClient
import HubSender

/// The breaking news: its categories, languages, and the template an app registers for them.
package enum NewsChoice {
    /// The six categories.
    package static let categories = BreakingNews.categories
    /// The languages of the localized news: the tag's word, and the name in the properties.
    package static let locales = [
        (word: "en", name: "English"), (word: "fr", name: "French"), (word: "zh", name: "Mandarin"),
    ]

    /// The registration of an app in its slot 0.
    ///
    /// - Parameters:
    ///   - tags: the categories that are switched on.
    ///   - platform: decides the form of the template.
    ///   - locale: one of `locales`, or nil for the text that is the same for all.
    ///   - body: a template instead of the app's own.
    ///   - expiry: the template's expiry expression.
    /// - Returns: a template registration.
    package static func registration(
        _ tags: [String],
        platform: Platform,
        locale: String?,
        body: String?,
        expiry: String
    ) -> RegistrationChoice {
        let name = locales.first { $0.word == locale }?.name
        let property = name.map { "News_\($0)" } ?? "messageParam"
        return .template(
            platform: platform,
            name: templateName(platform),
            body: body ?? PlatformPayload.alert("$(\(property))", on: platform),
            expiry: expiry,
            headers: headers(platform),
            tags: tags + (locale.map { ["locale:\($0)"] } ?? [])
        )
    }

    /// The properties of a send to a category: the text for every language.
    package static func properties(_ category: String, _ text: String) -> [String: String] {
        let message = "Breaking \(category) News : \(text)"
        var properties = ["messageParam": message]
        for locale in locales { properties["News_\(locale.name)"] = message }
        return properties
    }

    private static func templateName(_ platform: Platform) -> String {
        switch platform {
        case .apple: "simpleAPNSTemplate"
        case .windows: "simpleWNSTemplate"
        case .windowsPhone: "simpleMPNSTemplate"
        case .gcm, .fcmV1, .adm, .baidu, .browser, .xiaomi: "simpleGCMTemplate"
        }
    }

    private static func headers(_ platform: Platform) -> [(name: String, value: String)] {
        switch platform {
        case .windows: [("X-WNS-Type", "wns/toast")]
        case .windowsPhone: [("X-WindowsPhone-Target", "toast"), ("X-NotificationClass", "2")]
        case .apple, .gcm, .fcmV1, .adm, .baidu, .browser, .xiaomi: []
        }
    }
}
