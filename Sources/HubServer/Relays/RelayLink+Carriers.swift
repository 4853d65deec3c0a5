package import HubRelay
package import HubRelayLink

extension RelayLink {
    /// A link over real connections.
    ///
    /// The carriers belong to the credential: a changed key opens new connections.
    /// - Throws: why no service could take a request.
    package static func connecting(
        _ credential: RelayCredential,
        _ options: CarrierOptions
    ) throws(LaneCause) -> RelayLink {
        do throws(CarrierFailure) {
            try ServiceTrust.check(options)
            switch credential {
            case .apple(let apple):
                var certificate: ClientCertificate?
                if case .certificate(let bundle, let password, _) = apple.proof {
                    certificate = ClientCertificate(
                        bundle: bundle.bytes,
                        password: password.bytes
                    )
                }
                let streams = try StreamCarrier(.apple, options, certificate: certificate)
                return RelayLink(streams) { request, time in await answer(streams, request, time) }
            case .firebase:
                let messages = try StreamCarrier(.firebase, options)
                let tokens = WebCarrier(options)
                return RelayLink(messages) { request, time in
                    request.host == FirebaseToken.host
                        ? await answer(tokens, request, time)
                        : await answer(messages, request, time)
                }
            case .browser:
                let carrier = try ChosenCarrier(options)
                return RelayLink(carrier) { request, time in await answer(carrier, request, time) }
            case .windows:
                let carrier = WebCarrier(options)
                return RelayLink { request, time in await answer(carrier, request, time) }
            case .unused, .broken:
                throw .refused("no service takes it")
            }
        } catch { throw .unavailable(error.verdict.reason) }
    }

    private static func answer(
        _ carrier: some RelayCarrier,
        _ request: RelayRequest,
        _ time: Duration
    ) async -> Result<RelayAnswer, RelayVerdict> {
        do throws(CarrierFailure) {
            return .success(try await carrier.send(request, within: time))
        } catch { return .failure(error.verdict) }
    }
}
