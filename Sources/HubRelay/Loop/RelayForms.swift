import HubModel
import HubVocabulary

/// The forms of records' requests, made once and used for each of their devices.
///
/// Holds records whose devices all get one content. One form a record is enough: it is made anew
/// when the token or the second has changed that it names.
struct RelayForms {
    /// The forms for one service, by what each is of, with what each of them names.
    private struct Known<Key: Hashable & Sendable, Names: Equatable & Sendable, Form: Sendable> {
        private var forms: [Key: (names: Names, form: Form)] = [:]

        /// The form that another of a flight's record has left; nil for none.
        func known(_ key: Key, naming names: Names, _ flight: RelayFlight) -> Form? {
            guard flight.sharesContent, let known = forms[key], known.names == names else {
                return nil
            }
            return known.form
        }

        /// The form that is known, or the one that is made now.
        mutating func form(
            _ key: Key,
            naming names: Names,
            _ flight: RelayFlight,
            make: () throws(RelayVerdict) -> Form
        ) throws(RelayVerdict) -> Form {
            if let known = known(key, naming: names, flight) { return known }
            let form = try make()
            guard flight.sharesContent else { return form }
            if forms.count >= RelayForms.recordsMax { forms.removeAll(keepingCapacity: true) }
            forms[key] = (names, form)
            return form
        }
    }

    /// A token, and how long a record lives still.
    private struct Names<Token: Equatable & Sendable>: Equatable {
        let token: Token
        let seconds: UInt64
    }

    /// A record goes to several browsers' services; each has its token.
    private struct RecordAtOrigin: Hashable {
        let sequence: UInt64
        let origin: String
    }

    /// Records that are remembered at most.
    private static let recordsMax = 256

    private var apple = Known<UInt64, String?, AppleService.Form>()
    private var firebase = Known<UInt64, Names<RelaySecret>, FirebaseService.Form>()
    private var browser = Known<RecordAtOrigin, Names<String>, BrowserService.Form>()

    /// The form of a flight's requests to Apple that another of its record has left; nil for none.
    func apple(known flight: RelayFlight, authorization: String?) -> AppleService.Form? {
        apple.known(
            flight.notification.identifier.place.sequence,
            naming: authorization,
            flight
        )
    }

    /// The form of a flight's requests to Apple.
    ///
    /// - Throws: the verdict that the service would give.
    mutating func apple(
        _ flight: RelayFlight,
        _ credential: AppleCredential,
        authorization: String?
    ) throws(RelayVerdict) -> AppleService.Form {
        let sequence = flight.notification.identifier.place.sequence
        return try apple.form(sequence, naming: authorization, flight) {
            () throws(RelayVerdict) in
            try AppleService.form(
                flight.notification,
                credential: credential,
                authorization: authorization
            )
        }
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
        let notification = flight.notification
        let names = Names(token: accessToken, seconds: notification.secondsLeft(now: now))
        return try firebase.form(notification.identifier.place.sequence, naming: names, flight) {
            () throws(RelayVerdict) in
            try FirebaseService.form(
                notification,
                credential: credential,
                accessToken: accessToken,
                now: now
            )
        }
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
        let notification = flight.notification
        let sequence = notification.identifier.place.sequence
        let key = RecordAtOrigin(sequence: sequence, origin: address.origin)
        let names = Names(token: authorization, seconds: notification.secondsLeft(now: now))
        return try browser.form(key, naming: names, flight) { () throws(RelayVerdict) in
            try BrowserService.form(
                notification,
                to: address,
                authorization: authorization,
                now: now
            )
        }
    }
}
