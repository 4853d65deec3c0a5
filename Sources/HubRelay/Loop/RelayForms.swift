import HubModel
import HubVocabulary

/// The forms of records' requests, made once and used for each of their devices.
///
/// Holds records whose devices all get one content. One form a record is enough: it is made anew
/// when the token or the second has changed that it names.
struct RelayForms {
    private struct Apple {
        let form: AppleService.Form
        let authorization: String?
    }

    private struct Firebase {
        let form: FirebaseService.Form
        let accessToken: RelaySecret
        let seconds: UInt64
    }

    private struct Browser {
        /// A record goes to several services; each has its token.
        struct Key: Hashable {
            let sequence: UInt64
            let origin: String
        }

        let form: BrowserService.Form
        let authorization: String
        let seconds: UInt64
    }

    /// Records that are remembered at most.
    private static let recordsMax = 256

    private var apple: [UInt64: Apple] = [:]
    private var firebase: [UInt64: Firebase] = [:]
    private var browser: [Browser.Key: Browser] = [:]

    /// The form of a flight's requests to Apple that another of its record has left; nil for none.
    func apple(known flight: RelayFlight, authorization: String?) -> AppleService.Form? {
        guard flight.sharesContent,
            let known = apple[flight.notification.identifier.place.sequence],
            known.authorization == authorization
        else { return nil }
        return known.form
    }

    /// The form of a flight's requests to Apple.
    ///
    /// - Throws: the verdict that the service would give.
    mutating func apple(
        _ flight: RelayFlight,
        _ credential: AppleCredential,
        authorization: String?
    ) throws(RelayVerdict) -> AppleService.Form {
        if let known = apple(known: flight, authorization: authorization) { return known }
        let form = try AppleService.form(
            flight.notification,
            credential: credential,
            authorization: authorization
        )
        guard flight.sharesContent else { return form }
        let sequence = flight.notification.identifier.place.sequence
        if apple.count >= Self.recordsMax { apple.removeAll(keepingCapacity: true) }
        apple[sequence] = Apple(form: form, authorization: authorization)
        return form
    }

    /// The form of a flight's requests to Google.
    ///
    /// - Throws: the verdict that the service would give.
    mutating func firebase(
        _ flight: RelayFlight,
        _ credential: FirebaseCredential,
        accessToken: RelaySecret,
        now: Timestamp
    ) throws(RelayVerdict) -> FirebaseService.Form {
        let sequence = flight.notification.identifier.place.sequence
        let seconds = flight.notification.secondsLeft(now: now)
        if flight.sharesContent, let known = firebase[sequence], known.seconds == seconds,
            known.accessToken == accessToken
        {
            return known.form
        }
        let form = try FirebaseService.form(
            flight.notification,
            credential: credential,
            accessToken: accessToken,
            now: now
        )
        guard flight.sharesContent else { return form }
        if firebase.count >= Self.recordsMax { firebase.removeAll(keepingCapacity: true) }
        firebase[sequence] = Firebase(form: form, accessToken: accessToken, seconds: seconds)
        return form
    }

    /// The form of a flight's requests to a browser's service.
    ///
    /// - Throws: the verdict that the service would give.
    mutating func browser(
        _ flight: RelayFlight,
        to address: ServiceAddress,
        authorization: String,
        now: Timestamp
    ) throws(RelayVerdict) -> BrowserService.Form {
        let key = Browser.Key(
            sequence: flight.notification.identifier.place.sequence,
            origin: address.origin
        )
        let seconds = flight.notification.secondsLeft(now: now)
        if flight.sharesContent, let known = browser[key], known.seconds == seconds,
            known.authorization == authorization
        {
            return known.form
        }
        let form = try BrowserService.form(
            flight.notification,
            to: address,
            authorization: authorization,
            now: now
        )
        guard flight.sharesContent else { return form }
        if browser.count >= Self.recordsMax { browser.removeAll(keepingCapacity: true) }
        browser[key] = Browser(form: form, authorization: authorization, seconds: seconds)
        return form
    }
}
