import HubAtom
import HubRules
import HubVocabulary

/// Addresses whose query is their permission, in the words that clients of blob storage know.
///
///     ?sv=2021-08-06&sr=c&sp=rl&se=2026-05-04T09%3A12%3A03Z&sig=64 hex digits
///
/// `se` and the path count; the rest is there because clients look for it. Source: REST §12.
enum SignedAddress {
    /// Query fields that make an address valid.
    static let inputs: [InputNote] = [
        .query("se", "Until when the address holds; as it was given."),
        .query("sig", "The signature; as it was given."),
    ]

    /// The statuses of refusals of operations that are found at such addresses.
    static let refusals = [403, 404, 429, 500, 503]

    /// A handler whose refusals are worded as clients of blob storage read them.
    static func answering(
        _ handler: @escaping RouteRow.OpenHandler
    ) -> RouteRow.OpenHandler {
        { exchange throws(RequestFailure) in
            do throws(RequestFailure) {
                return try await handler(exchange)
            } catch {
                if case .cancelled = error { throw error }
                throw .ofStorage(error)
            }
        }
    }

    /// The query of a link that holds for a while from now on.
    static func query(
        _ subject: FeedbackLink.Subject,
        kind: String,
        _ exchange: Exchange
    ) throws(RequestFailure) -> String {
        guard let signer = exchange.service.linkSigner(of: exchange.hub) else {
            throw .refused(.hubNotFound(name: exchange.hub.description))
        }
        let seconds = exchange.configuration.limits.feedback.feedbackLinkSeconds
        let link = FeedbackLink(subject, expires: exchange.service.now.adding(seconds: seconds))
        let expires = CivilTime(link.expires).iso.replacing(":", with: "%3A")
        return "?sv=2021-08-06&\(kind)&se=\(expires)&sig=\(signer.signature(of: link))"
    }

    /// The hub of a request whose address is valid.
    ///
    /// - Throws: `.linkRefused`, whatever is wrong, also when there is no such hub.
    static func check(
        _ exchange: OpenExchange,
        _ subject: FeedbackLink.Subject
    ) throws(RequestFailure) -> HubName {
        let target = exchange.incoming.target
        guard let hub = HubName(String(decoding: exchange.parameter("hub"), as: UTF8.self)),
            let signer = exchange.service.linkSigner(of: hub), let given = target.value("se"),
            let signature = target.value("sig"), case .time(let time) = TimeText.parse(given.span)
        else { throw .refused(.linkRefused(reason: LinkSigner.wrongSignature)) }
        let link = FeedbackLink(subject, expires: time)
        try refusing { () throws(Refusal) in
            try signer.check(signature, of: link, now: exchange.service.now)
        }
        return hub
    }
}
