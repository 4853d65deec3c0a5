import HubModel
import HubRelay
import HubRelayLink
import HubVocabulary

/// Sends to APNs as a lane does: one carrier for a credential, one token for a while.
final class AppleSender: Sendable {
    let carrier: StreamCarrier
    private let credential: AppleCredential
    private let token: String
    private let notification: RelayNotification

    init(_ options: CarrierOptions) throws {
        carrier = try StreamCarrier(.apple, options)
        credential = try Faked.apple()
        guard case .token(let key) = credential.proof else { throw OtherCredential() }
        token = JSONWebToken.apple(key, now: Faked.now)
        notification = try Faked.notification([])
    }

    func request(
        _ handle: String,
        body: [UInt8] = Array(#"{"aps":{"alert":"hello"}}"#.utf8)
    ) throws(RelayVerdict) -> RelayRequest {
        var notification = notification
        notification.body = body
        return try AppleService.request(
            notification,
            token: handle,
            credential: credential,
            authorization: token,
            now: Faked.now
        )
    }

    func send(
        _ handle: String,
        body: [UInt8] = Array(#"{"aps":{"alert":"hello"}}"#.utf8),
        within time: Duration = .seconds(20)
    ) async -> Result<RelayAnswer, CarrierFailure> {
        do throws(RelayVerdict) {
            let request = try request(handle, body: body)
            do throws(CarrierFailure) {
                return .success(try await carrier.send(request, within: time))
            } catch { return .failure(error) }
        } catch { return .failure(.unprocessed("no request: \(error)")) }
    }

    /// Sends to many at once; statuses and failures by number.
    func sendAll(
        _ numbers: Range<Int>,
        body: [UInt8] = Array(#"{"aps":{"alert":"hello"}}"#.utf8),
        within time: Duration = .seconds(20)
    ) async -> [Int: Result<Int, CarrierFailure>] {
        await withTaskGroup(of: (Int, Result<Int, CarrierFailure>).self) { group in
            for number in numbers {
                group.addTask { [self] in
                    let result = await send(Faked.token(number), body: body, within: time)
                    return (number, result.map(\.status))
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }
}
