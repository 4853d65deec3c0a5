import HubModel
import HubRules
import HubVocabulary

/// Shared access signatures as they stand in headers, and the decision that rests on them.
///
/// With the first byte even, the rest is a token as received. With it odd, the rest is the audience
/// of a token that is properly signed, so that the decision behind the signature is reached too.
package func fuzzSASToken(_ bytes: Span<UInt8>) {
    guard bytes.count > 0 else { return }
    let rest = bytes.dropping(1)
    if bytes[0] & 1 == 0 {
        checkReceived(rest)
    } else {
        checkSigned(resource: String(decoding: rest.keeping(512).copied, as: UTF8.self))
    }
}

private let ruleName = "DefaultFullSharedAccessSignature"
private let key = "key-of-the-fuzzer"
private let now = Timestamp(milliseconds: 1_700_000_000_000)

private func checkReceived(_ bytes: Span<UInt8>) {
    do throws(Refusal) {
        let token = try SASToken.parse(bytes)
        precondition(token.signature.count == 32, "a signature of another length")
        precondition(!token.rule.isEmpty && token.resource.count > 0 && token.expiryText.count > 0)
        let again = try SASToken.parse(bytes)
        precondition(again.rule == token.rule && again.expiry == token.expiry)
        let isForged = token.isSigned(
            with: SharedAccessSigner.signingKey("a key that signed nothing")
        )
        precondition(!isForged, "signed by a key that signed nothing")
    } catch {
        precondition(error.isMalformedToken, "\(error) from reading alone")
    }
    precondition(grant(bytes.copied, path: "/news/messages") == nil, "granted without a key")
}

private func checkSigned(resource: String) {
    guard !resource.isEmpty else { return }
    let expiry = Timestamp(milliseconds: now.milliseconds + 60_000)
    let text = SharedAccessSigner(keyName: ruleName, key: key).token(for: resource, expiry: expiry)
    let bytes = Array(text.utf8)
    checkOwn(bytes.span, expiry: expiry)
    // Who may act on a place may act below it, and never on another host.
    if grant(bytes, path: "/news") != nil {
        precondition(grant(bytes, path: "/news/messages") != nil, "not below its audience")
    }
    precondition(grant(bytes, path: "/news", host: "other.invalid") == nil || isForOther(resource))
}

private func checkOwn(_ bytes: Span<UInt8>, expiry: Timestamp) {
    do throws(Refusal) {
        let token = try SASToken.parse(bytes)
        let isSigned = token.isSigned(with: SharedAccessSigner.signingKey(key))
        let isForged = token.isSigned(with: SharedAccessSigner.signingKey(key + "x"))
        precondition(token.rule == ruleName && token.expiry == expiry)
        precondition(isSigned, "the own token is refused")
        precondition(!isForged, "any key will do")
    } catch { preconditionFailure("the own token can't be read: \(error)") }
}

private func isForOther(_ resource: String) -> Bool {
    resource.lowercased().contains("other.invalid") || resource.contains("%")
}

private func grant(
    _ token: [UInt8],
    path: String,
    host: String = "hubs.example.net"
) -> AccessGrant? {
    do throws(Refusal) {
        guard let hub = HubName("news") else { return nil }
        let rule = try AccessRule(
            name: ruleName,
            primaryKey: key,
            secondaryKey: key + "2",
            rights: [.manage]
        )
        let policies = try AccessPolicies(names: [host], namespace: [], hubs: [hub: [rule]])
        let request = AccessRequest(
            authorization: token,
            host: host,
            path: path,
            hub: hub,
            right: .send
        )
        return try policies.authorize(request, now: now)
    } catch { return nil }
}

extension Refusal {
    fileprivate var isMalformedToken: Bool {
        if case .tokenMalformed = self { return true }
        return false
    }
}
