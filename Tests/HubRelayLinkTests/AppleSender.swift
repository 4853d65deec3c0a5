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
        return try AppleService.form(
            notification,
            credential: credential,
            authorization: token
        ).request(to: handle, notification.identifier)
    }

    func send(
        _ handle: String,
        body: [UInt8] = Array(#"{"aps":{"alert":"hello"}}"#.utf8),
        within time: Duration = Faked.patience
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
        within time: Duration = Faked.patience
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

    /// Sends to many in their order, over a lane's channel, and closes the carrier behind so many
    /// answers of the service.
    func sendInOrder(
        _ numbers: Range<Int>,
        body: [UInt8],
        closingBehind answersMax: Int
    ) async -> [Int: Result<Int, CarrierFailure>] {
        let (answers, more) = AsyncStream<CarriedAnswer>.makeStream()
        let channel = carrier.channel(within: Faked.patience) { answers in
            for answer in answers { more.yield(answer) }
        }
        do throws(RelayVerdict) {
            var requests: [CarriedRequest] = []
            for number in numbers {
                let ticket = LaneTicket(
                    sequence: 1,
                    registration: UInt32(number),
                    attempt: 0,
                    token: 0,
                    expires: Faked.now
                )
                let request = try request(Faked.token(number), body: body)
                requests.append(CarriedRequest(ticket: ticket, request: request))
            }
            channel(requests)
        } catch { return [:] }
        var results: [Int: Result<Int, CarrierFailure>] = [:]
        for await answer in answers {
            results[Int(answer.ticket?.registration ?? 0)] = answer.result.map(\.status)
            if results.count == answersMax { carrier.close() }
            if results.count == numbers.count { break }
        }
        return results
    }
}
