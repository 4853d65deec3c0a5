import HubVocabulary

// Content of registrations that apps and the backend draw.
extension World {
    static let platforms: [Platform] = [.apple, .gcm, .fcmV1]

    func drawTags() -> [String] { Formula.tags.filter { _ in oneIn(2) } }

    func drawTemplate(_ platform: Platform) -> [UInt8] {
        let version = below(1_000)
        let text =
            platform == .apple
            ? "{\"aps\":{\"alert\":\"{'v\(version) ' + $(text)}\"}}"
            : "{\"data\":{\"m\":\"{'v\(version) ' + $(text)}\"}}"
        return Array(text.utf8)
    }
}
