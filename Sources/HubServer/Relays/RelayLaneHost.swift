import HubData
import HubDirectory
import HubModel
import HubQuestions
import HubRelay
import HubRelayLink
import HubTransport
import HubVocabulary

/// Carries out what a lane's loop says: asks its hub's writer, and sends over its link.
struct RelayLaneHost: RelayHost {
    private static let portion = 256

    let address: LaneAddress
    let writer: HubWriter
    let link: RelayLink
    let thread: RelayThread
    let channel: RelayLink.Channel?
    /// Those that go out together, some hundred: the connection works while others are made.
    private(set) var requests: [CarriedRequest] = []

    func askAudiences(of headers: [RecordHeader], above: UInt32?) {
        let question = ReadAudiences(address.name.platform, of: headers, above: above)
        let sequences = headers.map(\.sequence)
        writer.submit(question) { [address, thread] in
            thread.post(.audiences($0, of: sequences), to: address)
        }
    }

    func askRows(of tickets: [LaneTicket]) {
        let numbers = tickets.map { RegistrationNumber($0.registration) }
        writer.submit(ReadRelayRows(numbers)) { [address, thread] in
            thread.post(.rows($0, of: tickets), to: address)
        }
    }

    mutating func send(_ request: RelayRequest, for ticket: LaneTicket) {
        requests.append(CarriedRequest(ticket: ticket, request: request))
        if requests.count == Self.portion { sendRest() }
    }

    mutating func sendRest() {
        if !requests.isEmpty { channel?(requests) }
        requests = []
    }

    func send(
        _ request: RelayRequest,
        reply: @escaping @Sendable (Result<RelayAnswer, RelayVerdict>) -> Void
    ) {
        Task { [link] in reply(await link.send(request, .seconds(RelayLane.answerSeconds))) }
    }

    func fetchToken(_ request: RelayRequest) {
        Task { [link, address, thread] in
            let answer = await link.send(request, .seconds(RelayLane.answerSeconds))
            thread.post(.token(answer), to: address)
        }
    }

    func store(_ report: LaneReport) {
        writer.submit(report) { [address, thread] result in
            guard case .success(let isStored) = result else { return }
            thread.post(.stored(isStored), to: address)
        }
    }

    func remove(_ number: RegistrationNumber, version: UInt64, _ cause: DepartureCause) {
        writer.submit(RemoveDeadHandle(number, version: version, cause)) { [address, thread] _ in
            thread.post(.removed(number), to: address)
        }
    }

    func tell(_ news: RelayNews) {
        thread.onNews(address.name, news)
        let cause: String?
        switch news {
        case .rests(let reason): cause = reason.sentence
        case .resumes: cause = nil
        case .malformed: return
        }
        let platform = address.name.platform
        _ = writer.inspect { $0.relays[platform]?.cause = cause }
    }

    func show(_ condition: RelayCondition) {
        let platform = address.name.platform
        _ = writer.inspect { $0.relays[platform]?.condition = condition }
    }

    func draw() -> WebPushEncryption.Draw {
        WebPushEncryption.Draw(key: HubKeys.randomBytes(32), salt: HubKeys.randomBytes(16))
    }
}
