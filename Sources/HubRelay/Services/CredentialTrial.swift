import HubModel
import HubTemplates
import HubVocabulary

/// A request that shows whether a service takes a credential; it reaches no device.
enum CredentialTrial {
    /// The answer without any request, where nothing can be asked.
    static func answer(_ credential: RelayCredential) -> RelayTrialAnswer? {
        switch credential {
        case .apple, .firebase, .windows: nil
        // Any pair of keys is right until a subscription was made with another.
        case .browser: .untestable
        case .unused, .broken: .noRelay
        }
    }

    /// A notification for a handle that no device has.
    static func draft(_ credential: RelayCredential) -> (NotificationDraft, handle: [UInt8]) {
        let platform: Platform
        let handle: String
        let body: String
        var headers: [NamedValue] = []
        switch credential {
        case .windows:
            platform = .windows
            handle = "https://db5p.notify.windows.com/?token=belfry"
            body = "belfry"
            headers.append(
                NamedValue(name: Array("x-wns-type".utf8), value: Array("wns/raw".utf8))
            )
        case .firebase:
            platform = .fcmV1
            handle = "belfry:check"
            body = #"{"message":{"data":{}}}"#
        case .apple, .browser, .unused, .broken:
            platform = .apple
            // No handle of ours either: its code fits no hub's secret.
            handle = String(repeating: "0", count: 64)
            body = #"{"aps":{"alert":"belfry"}}"#
        }
        let draft = NotificationDraft(
            format: .native(platform),
            target: .broadcast,
            body: Array(body.utf8),
            headers: headers,
            timeToLive: .seconds(60)
        )
        return (draft, Array(handle.utf8))
    }

    /// The request so that nothing is delivered even where the service knows the handle.
    static func harmless(_ request: RelayRequest) -> RelayRequest {
        guard request.path.hasSuffix("/messages:send"), request.body.last == UInt8(ascii: "}")
        else { return request }
        var checked = request
        checked.body = request.body.dropLast() + Array(#","validate_only":true}"#.utf8)
        return checked
    }
}
