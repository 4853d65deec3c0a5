import HubModel
import HubTemplates
package import HubVocabulary

/// Requests for access tokens, and what their answers mean (RFC 6749).
package enum AccessTokenRequest {
    /// Seconds that a token must live: one that ends at once would be asked for again and again.
    private static let lifeSecondsLeast: UInt64 = 10

    /// The content of an endpoint's answer.
    package enum Answer: Sendable {
        /// A token, for so many seconds.
        case token(RelaySecret, lifeSeconds: UInt64)
        /// None: the credential is wrong, or the endpoint is not there.
        case refused(RelayVerdict)
    }

    static func make(
        host: String,
        path: String,
        form: [(name: String, value: String)]
    ) -> RelayRequest {
        let text = form.map { "\($0.name)=\(PercentCoding.encoded($0.value))" }.joined(
            separator: "&"
        )
        return RelayRequest(
            host: host,
            path: path,
            headers: [("content-type", "application/x-www-form-urlencoded")],
            body: Array(text.utf8)
        )
    }

    /// Reads an answer.
    ///
    /// An endpoint that refuses means a wrong credential or clock; one in trouble means a wait.
    package static func read(_ answer: RelayAnswer, now: Timestamp) -> Answer {
        // Why it is no JSON does not matter: without a token it is a refusal.
        let tree = try? JSONTree(json: answer.body.span, depthMax: RelayAnswer.depthMax)
        if answer.status == 200, case .string(let text)? = tree?.member("access_token"),
            !text.isEmpty, PlainText.isVisibleASCII(text)
        {
            let life = tree?.member("expires_in").flatMap(seconds) ?? 3_600
            guard life >= lifeSecondsLeast else {
                let reason = "the token lives \(life) s"
                return .refused(
                    RelayVerdict(
                        .stall(retryAfter: nil),
                        .tokenProviderInterfaceError,
                        reason
                    )
                )
            }
            return .token(RelaySecret(text), lifeSeconds: life)
        }
        var reason = "status \(answer.status)"
        if case .string(let word)? = tree?.member("error") {
            reason = String(decoding: word, as: UTF8.self)
        }
        return .refused(
            answer.status == 429 || answer.status >= 500
                ? RelayVerdict(
                    .stall(retryAfter: answer.retryAfter(now: now)),
                    .tokenProviderUnreachable,
                    reason
                ) : RelayVerdict(.credential, .invalidCredentials, reason)
        )
    }

    /// A number, also where it is written as text.
    private static func seconds(_ value: JSONTree) -> UInt64? {
        switch value {
        case .number(let text), .string(let text): ASCII.decimal(text)
        case .null, .boolean, .array, .object: nil
        }
    }
}
