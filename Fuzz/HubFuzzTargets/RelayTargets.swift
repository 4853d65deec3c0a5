import HubModel
import HubRelay
import HubVocabulary

private let now = Timestamp(milliseconds: 1_700_000_000_000)
private let secondsMax: UInt64 = 86_400

/// Answers of push services and of their token endpoints.
///
/// The first byte chooses who answers, the second the status; then a line of `Retry-After`, then
/// the body. A refusal never counts as taken, a reason fits a line of the log, and a pause ends.
package func fuzzRelayAnswer(_ bytes: Span<UInt8>) {
    guard bytes.count >= 2 else { return }
    let statuses = [200, 201, 301, 400, 401, 403, 404, 405, 406, 410, 413, 418, 429, 500, 502, 503]
    let rest = bytes.dropping(2).copied
    let line = rest.prefix { $0 != UInt8(ascii: "\n") }
    let word = String(decoding: line, as: UTF8.self)
    let answer = RelayAnswer(
        status: statuses[Int(bytes[1]) % statuses.count],
        headers: [
            ("retry-after", word), ("date", word), ("x-wns-notificationstatus", word),
            ("x-wns-error-description", word),
        ],
        body: Array(rest.dropFirst(line.count + 1))
    )
    _ = answer.clockBehindSeconds(now: now)
    precondition(answer.retryAfter(now: now).map { $0 <= secondsMax } ?? true, "an endless pause")
    switch bytes[0] % 5 {
    case 0: check(AppleService.verdict(answer, to: notification, now: now), answer)
    case 1: check(FirebaseService.verdict(answer, otherTook: bytes[0] > 127, now: now), answer)
    case 2: check(BrowserService.verdict(answer, now: now), answer)
    case 3: check(WindowsService.verdict(answer, now: now), answer)
    default:
        guard case .refused(let verdict) = AccessTokenRequest.read(answer, now: now) else { return }
        precondition(verdict.action != .done, "a refusal of a token counts as taken")
    }
}

private let notification: RelayNotification = {
    guard let hub = HubName("fuzz") else { preconditionFailure("a name of a hub") }
    return RelayNotification(
        body: Array("{}".utf8),
        headers: [],
        lifetime: Lifetime(expires: now, isTransient: true),
        priority: .normal,
        collapseKey: [],
        identifier: RelayIdentifier(
            hub: hub,
            place: LogPlace(epoch: 1, sequence: 1),
            registration: RegistrationNumber(1)
        )
    )
}()

private func check(_ verdict: RelayVerdict, _ answer: RelayAnswer) {
    precondition(verdict.reason.utf8.count <= 64, "a long reason")
    precondition(PlainText.isPlain(Array(verdict.reason.utf8).span), "a reason of control bytes")
    let isTaken = verdict.action == .done
    precondition(!isTaken || (200..<300).contains(answer.status), "a refusal counts as taken")
    precondition(isTaken == (verdict.outcome == .success), "action and outcome disagree")
}

/// Files of credentials, as operators bring them.
///
/// The first byte chooses the kind of file. A problem names no value, and a secret is not shown.
package func fuzzCredentialFile(_ bytes: Span<UInt8>) {
    guard bytes.count > 0, let hub = HubSecret(Array(repeating: 7, count: 32)) else { return }
    let file = bytes.dropping(1).copied
    do throws(CredentialProblem) {
        let found =
            switch bytes[0] % 4 {
            case 0:
                [
                    try CredentialFile.apple(
                        file,
                        fileName: "AuthKey_A.p8",
                        team: "T",
                        bundle: "b"
                    )
                ]
            case 1: [try CredentialFile.firebase(file)]
            case 2: [try CredentialFile.browser(file, subject: "mailto:a@example.com")]
            default: try CredentialFile.azure(file)
            }
        for properties in found { try checkCredential(properties, hub) }
    } catch {
        precondition(error.detail.utf8.count < 300, "a problem of many words")
    }
}

private func checkCredential(
    _ properties: CredentialProperties,
    _ hub: HubSecret
) throws(CredentialProblem) {
    let shown = properties.shown(hub)
    let again = try CredentialProperties(properties.kind, shown)
    let whole = try again.unmasked(by: properties, hub)
    precondition(whole.stored.map(\.value) == properties.stored.map(\.value), "a changed value")
    _ = try RelayCredential(properties, now: now, open: { _, _ in nil })
}

/// Handles of services as clients register them: channels, endpoints, tokens.
///
/// The first byte chooses the platform. An address that is taken names a listed host, and its path
/// holds nothing that ends a request's line.
package func fuzzForeignHandle(_ bytes: Span<UInt8>) {
    guard bytes.count > 0 else { return }
    let handle = bytes.dropping(1).copied
    let platforms: [Platform] = [.apple, .fcmV1, .windows, .browser]
    do throws(ForeignHandle.Unusable) {
        switch try ForeignHandle(handle, platform: platforms[Int(bytes[0]) % 4]) {
        case .apple(let token):
            precondition(token.utf8.allSatisfy { HexText.digit($0) != nil }, "a token of no digits")
        case .firebaseToken(let token), .firebaseInstallation(let token):
            precondition(PlainText.isVisibleASCII(token.utf8), "a token of blanks")
        case .windows(let address):
            precondition(isListed(address, ServiceHosts.windows), "a foreign host")
        case .browser: preconditionFailure("a subscription without keys")
        }
    } catch { precondition(!error.reason.isEmpty) }
    // Without keys no subscription passes, so its address is read by itself.
    let hosts = ServiceHosts.browser
    // A refusal is an ordinary end.
    guard let address = try? ServiceAddress(handle, hosts: hosts) else { return }
    precondition(isListed(address, hosts), "a foreign host")
}

private func isListed(_ address: ServiceAddress, _ hosts: [String]) -> Bool {
    address.port == 443 && address.path.hasPrefix("/")
        && PlainText.isVisibleASCII(address.path.utf8)
        && hosts.contains { address.host == $0 || address.host.hasSuffix("." + $0) }
}
