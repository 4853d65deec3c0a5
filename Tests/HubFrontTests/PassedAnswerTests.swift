import AsyncHTTPClient
@testable import HubFront
import Hummingbird
import NIOCore
import NIOHTTP1
import Synchronization
import Testing

@Suite("A leader's answer on its way")
struct PassedAnswerTests {
    private struct Broken: Error {}

    /// What a client was sent, and whether it is all.
    private final class Client: ResponseBodyWriter, Sendable {
        private let state = Mutex((bytes: 0, isWhole: false))

        var bytes: Int { state.withLock { $0.bytes } }
        var isWhole: Bool { state.withLock { $0.isWhole } }

        func write(_ buffer: ByteBuffer) { state.withLock { $0.bytes += buffer.readableBytes } }

        func finish(_ trailingHeaders: HTTPFields?) { state.withLock { $0.isWhole = true } }
    }

    /// An answer in two pieces; the second one may be missing.
    private static func answer(_ bytes: Int, isWhole: Bool) -> HTTPClientResponse {
        let (pieces, source) = AsyncThrowingStream<ByteBuffer, any Error>.makeStream()
        source.yield(ByteBuffer(repeating: 0x61, count: bytes - 1))
        if isWhole { source.yield(ByteBuffer(repeating: 0x61, count: 1)) }
        source.finish(throwing: isWhole ? nil : Broken())
        return HTTPClientResponse(
            headers: ["Content-Length": "\(bytes)"],
            body: .stream(pieces)
        )
    }

    private static func passed(
        _ bytes: Int,
        isWhole: Bool,
        most: Int,
        _ budget: RequestBudget
    ) async throws -> ResponseBody? {
        let place = try #require(budget.enter(bytes: 0, isKnown: true))
        return try await PassedAnswer.body(
            of: answer(bytes, isWhole: isWhole),
            whole: most,
            place: place
        )
    }

    @Test(
        "is taken whole up to the limit, and may be asked for again when it breaks off",
        arguments: [FrontLimits().wholeAnswerBytes, FrontLimits().sendAnswerBytes],
        [-1, 0]
    )
    func whole(most: Int, beyond: Int) async throws {
        let budget = RequestBudget(FrontLimits())
        let bytes = most + beyond
        #expect(try await Self.passed(bytes, isWhole: false, most: most, budget) == nil)
        let body = try #require(try await Self.passed(bytes, isWhole: true, most: most, budget))
        // It needs nothing of the leader any more.
        #expect(body.contentLength == bytes && budget.requests == 0)
        let client = Client()
        try await body.write(client)
        #expect(client.bytes == bytes && client.isWhole)
    }

    @Test(
        "is passed on as it comes above the limit, and holds its place until its end",
        arguments: [FrontLimits().wholeAnswerBytes, FrontLimits().sendAnswerBytes]
    )
    func long(most: Int) async throws {
        let budget = RequestBudget(FrontLimits())
        let client = Client()
        do {
            let body = try #require(
                try await Self.passed(most + 1, isWhole: false, most: most, budget)
            )
            #expect(body.contentLength == most + 1 && budget.requests == 1)
            await #expect(throws: Broken.self) { try await body.write(client) }
        }
        #expect(client.bytes == most && !client.isWhole)
        #expect(budget.requests == 0)
    }

    @Test("without a length it has the limit's bytes at most", arguments: [-1, 0, 1])
    func unmeasured(beyond: Int) async throws {
        let budget = RequestBudget(FrontLimits())
        let place = try #require(budget.enter(bytes: 0, isKnown: true))
        let most = FrontLimits().wholeAnswerBytes
        let body = try await PassedAnswer.body(
            of: HTTPClientResponse(
                body: .bytes(ByteBuffer(repeating: 0x61, count: most + beyond))
            ),
            whole: most,
            place: place
        )
        #expect((body == nil) == (beyond > 0))
    }
}
