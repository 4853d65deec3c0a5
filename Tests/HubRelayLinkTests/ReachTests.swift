import HubModel
import HubRelay
import HubRelayLink
import Synchronization
import Testing

/// Which addresses a carrier connects to.
@Suite("Reach of carriers")
struct ReachTests {
    static let request = RelayRequest(
        host: "fcm.googleapis.com",
        path: "/x",
        headers: [],
        body: []
    )

    static let privateAddresses: [[UInt8]] = [
        [127, 0, 0, 1], [10, 1, 2, 3], [169, 254, 169, 254], [100, 64, 0, 1],
        Array(repeating: 0, count: 15) + [1], [0xFC] + Array(repeating: 0, count: 15),
        Array(repeating: 0, count: 10) + [0xFF, 0xFF, 127, 0, 0, 1],
        [0, 0x64, 0xFF, 0x9B] + Array(repeating: 0, count: 8) + [10, 0, 0, 1],
    ]

    static func options(_ answers: [[[UInt8]]]) -> CarrierOptions {
        var options = CarrierOptions()
        let left = Mutex(answers)
        options.lookUp = { _ in
            left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        }
        options.times.lookUp = .zero
        options.times.connect = .milliseconds(200)
        return options
    }

    static func failure(_ carrier: any RelayCarrier) async -> CarrierFailure? {
        do throws(CarrierFailure) {
            _ = try await carrier.send(request, within: .seconds(5))
            return nil
        } catch { return error }
    }

    @Test(
        "102: a name that leads to a private address is not connected",
        arguments: privateAddresses
    )
    func refusesPrivate(address: [UInt8]) async throws {
        let nearby: [UInt8] = [8, 8, 8, 8]
        for addresses in [[address], [nearby, address]] {
            let options = Self.options([addresses])
            let refused = CarrierFailure.forbiddenAddress("fcm.googleapis.com")
            #expect(await Self.failure(WebCarrier(options)) == refused)
            #expect(await Self.failure(try StreamCarrier(.firebase, options)) == refused)
            #expect(await Self.failure(try ChosenCarrier(options)) == refused)
        }
    }

    @Test("103: an address that was public and is private at the next look-up is refused")
    func refusesRebinding() async throws {
        // A documentation address would be refused: this one is public and answers nothing here.
        func options() -> CarrierOptions {
            var options = Self.options([[[1, 1, 1, 1]], [[127, 0, 0, 1]]])
            options.times.restLeast = .zero
            return options
        }
        let carriers: [any RelayCarrier] = [
            WebCarrier(options()), try ChosenCarrier(options()),
        ]
        for carrier in carriers {
            let first = await Self.failure(carrier)
            guard case .unreachable? = first else {
                Issue.record("\(String(describing: first))")
                continue
            }
            #expect(await Self.failure(carrier) == .forbiddenAddress("fcm.googleapis.com"))
        }
    }

    @Test("102: a private address makes the lane wait and removes nothing")
    func waits() {
        let verdict = CarrierFailure.forbiddenAddress("a.example").verdict
        #expect(verdict.action == .stall(retryAfter: nil))
        #expect(verdict.outcome == .pnsUnreachable)
    }

    @Test("an operator's own host may have a private address")
    func allowsPrivateHosts() async {
        var options = Self.options([[[127, 0, 0, 1]]])
        options.privateHosts = ["fcm.googleapis.com"]
        let failure = await Self.failure(WebCarrier(options))
        // Nothing listens at port 443 here, which is another failure than a refusal.
        #expect(failure?.verdict.action == .stall(retryAfter: nil))
        #expect(failure != .forbiddenAddress("fcm.googleapis.com"))
    }

    @Test("a resolver that hangs holds a request no longer than a connection may take")
    func hangingResolver() async throws {
        var options = CarrierOptions()
        options.times.connect = .milliseconds(100)
        options.lookUp = { _ async throws(CarrierFailure) in
            await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
            return []
        }
        let late = CarrierFailure.unreachable(
            "the name fcm.googleapis.com was not found in 0.1 seconds"
        )
        for carrier in [WebCarrier(options), try StreamCarrier(.firebase, options)]
            as [any RelayCarrier]
        {
            let failure = await Self.failure(carrier)
            #expect(failure == late)
        }
    }

    @Test("a name without an address is a service that is not there")
    func unknownName() async {
        var options = CarrierOptions()
        options.lookUp = { host async throws(CarrierFailure) in
            throw .unreachable("the name \(host) has no address")
        }
        let failure = await Self.failure(WebCarrier(options))
        #expect(failure == .unreachable("the name fcm.googleapis.com has no address"))
    }
}
