import HubVocabulary

/// The kind of an APNs notification, `apns-push-type`.
package enum ApplePushType: String, CaseIterable, Sendable {
    case alert, background, voip, complication, fileprovider, mdm, location, liveactivity
    case pushtotalk, widgets, controls

    /// Behind the bundle id in the topic.
    var topicSuffix: String {
        switch self {
        case .alert, .background, .mdm: ""
        case .voip: ".voip"
        case .complication: ".complication"
        case .fileprovider: ".pushkit.fileprovider"
        case .location: ".location-query"
        case .liveactivity: ".push-type.liveactivity"
        case .pushtotalk: ".voip-ptt"
        case .widgets: ".push-type.widgets"
        case .controls: ".push-type.controls"
        }
    }

    /// Bytes of a payload at most.
    var payloadBytesMax: Int { self == .voip ? 5_120 : 4_096 }

    /// The kind that a topic of a bundle implies; nil for a topic of another app.
    init?(topic: String, bundle: String) {
        guard topic.hasPrefix(bundle) else { return nil }
        let suffix = topic.dropFirst(bundle.count)
        let found = Self.allCases.first { $0.topicSuffix == suffix }
        guard let found else { return nil }
        self = found
    }
}
