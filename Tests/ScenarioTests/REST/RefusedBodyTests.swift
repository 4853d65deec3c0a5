import AsyncHTTPClient
import Foundation
import HubClient
import HubSender
import NIOCore
import NIOHTTP1
import Testing

@testable import ScenarioSupport

/// A request whose head is refused gets its answer, and its client goes on at once.
///
/// `REFUSALS` says how many of each kind; then each must be answered within a second.
@Suite("Refused requests with a body")
struct RefusedBodyTests {
    /// How a body comes behind its head.
    enum Body: Sendable {
        /// At once, from the SDK.
        case sender
        /// At once.
        case prompt
        /// Within a tenth of a second, or not before the answer.
        case late
    }

    private typealias Version = HTTPClient.Configuration.HTTPVersion

    private static let asked = ProcessInfo.processInfo.environment["REFUSALS"].flatMap { Int($0) }
    private static let workers = 8
    private static let payload = #"{"messageParam":"Hello"}"#

    @Test(
        "do not hold up their client",
        .timeLimit(.minutes(20)),
        arguments: [
            (Body.sender, true), (.prompt, true), (.prompt, false), (.late, true), (.late, false),
        ]
    )
    func refused(body: Body, isHTTP2: Bool) async throws {
        let hub = try await RunningHub.start()
        let count = Self.asked ?? 160
        let connection = hub.connection
        let times = try await withThrowingTaskGroup(of: [Duration].self) { group in
            for worker in 0..<Self.workers {
                group.addTask {
                    try await Self.work(
                        stride(from: worker, to: count, by: Self.workers),
                        body,
                        isHTTP2: isHTTP2,
                        connection
                    )
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let slowest = times.max() ?? .zero
        if Self.asked != nil {
            print("\(count) refusals, \(body), HTTP/\(isHTTP2 ? 2 : 1): slowest \(slowest)")
        }
        // Beside all other tests a turn may come late: a worker loses one then, and not every fifth.
        let held = Self.held(times)
        #expect(Self.asked == nil ? held * 10 <= times.count : slowest < .seconds(1), "\(slowest)")
        #expect(try await hub.terminate() == 0)
    }

    /// How many took so long that something held them up.
    private static func held(_ times: [Duration]) -> Int { times.count { $0 >= .seconds(20) } }

    /// How long some refusals took, one after another; the third that is held up is the last.
    private static func work(
        _ numbers: StrideTo<Int>,
        _ body: Body,
        isHTTP2: Bool,
        _ connection: ConnectionFile
    ) async throws -> [Duration] {
        var times: [Duration] = []
        if body == .sender {
            var listening = connection
            listening.connectionStrings.full = connection.connectionStrings.listen
            // Each client ends after its refusal: an exchange that is half open would hold it up.
            for _ in numbers where held(times) < 3 {
                let sender = try SenderClient(listening)
                let begun = ContinuousClock.now
                await #expect {
                    _ = try await sender.send(.template(["messageParam": "Hello"]))
                } throws: { ($0 as? SenderError)?.status == 403 }
                await sender.close()
                times.append(begun.duration(to: .now))
            }
            return times
        }
        let caller = try RESTCaller(connection, version: isHTTP2 ? .automatic : .http1Only)
        let token = try caller.token(connection.connectionStrings.listen)
        var crossed = 0
        for number in numbers where held(times) < 3 {
            let isHeldBack = body == .late && number % 5 == 4
            let late =
                body == .late ? LateBody(payload, after: isHeldBack ? nil : number % 100) : nil
            let begun = ContinuousClock.now
            do {
                let answer = try await caller.perform(
                    .POST,
                    "\(connection.hub)/messages/",
                    headers: ["ServiceBusNotification-Format": "template"],
                    content: late?.content ?? .bytes(ByteBuffer(string: payload)),
                    authorization: token
                )
                #expect(answer.status == 403 && answer.version == (isHTTP2 ? .http2 : .http1_1))
            } catch ChannelError.ioOnClosedChannel where late != nil && !isHTTP2 {
                // Body and answer have crossed: the library tells of the body instead of the answer.
                crossed += 1
            }
            times.append(begun.duration(to: .now))
            late?.send()
            // The hub waits half a second for the body: an answer in front of it holds some up.
            if isHeldBack { #expect(times.last ?? .zero > .milliseconds(400)) }
        }
        await caller.close()
        #expect(crossed * 4 <= numbers.reduce(0) { count, _ in count + 1 })
        return times
    }
}

/// A body that comes behind its head by and by.
private struct LateBody {
    let content: HTTPClientRequest.Body
    private let bytes: ByteBuffer
    private let continuation: AsyncStream<ByteBuffer>.Continuation

    /// A body that is sent after so many milliseconds; with nil, only when `send` says so.
    init(_ text: String, after milliseconds: Int?) {
        bytes = ByteBuffer(string: text)
        let (stream, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
        self.continuation = continuation
        content = .stream(stream, length: .known(Int64(bytes.readableBytes)))
        guard let milliseconds else { return }
        HTTPClient.defaultEventLoopGroup.any().scheduleTask(
            in: .milliseconds(Int64(milliseconds))
        ) { [self] in send() }
    }

    /// Sends it, unless it is sent.
    func send() {
        continuation.yield(bytes)
        continuation.finish()
    }
}
