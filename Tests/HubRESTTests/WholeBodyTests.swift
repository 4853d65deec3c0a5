import HubREST
import HubVocabulary
import Hummingbird
import NIOEmbedded
import Testing

@Suite("A body that comes with its head")
struct WholeBodyTests {
    private struct Context: ConnectionContext {
        var coreContext: CoreRequestContextStorage
        var isConnected = true
        var network: DeviceID? { nil }
        var wholeBody: ByteBuffer?

        init(source: ApplicationRequestContextSource) {
            coreContext = CoreRequestContextStorage(source: source)
        }
    }

    /// A request whose own body says something else: it is not read.
    private static func read(
        _ bytes: Int,
        length: Int? = nil,
        isConnected: Bool = true
    ) async -> Result<[UInt8], RequestFailure> {
        var context = Context(source: RESTHarness.source())
        context.isConnected = isConnected
        context.wholeBody = ByteBuffer(repeating: 0x61, count: bytes)
        var head = HTTPRequest(method: .post, scheme: "https", authority: "hub", path: "/")
        if let length { head.headerFields[.contentLength] = "\(length)" }
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(string: "other")))
        do throws(RequestFailure) {
            let bodies = BodyReading(deadline: .seconds(60))
            return .success(try await bodies.read(request, limit: 100, in: context))
        } catch { return .failure(error) }
    }

    @Test("is taken up to the limit", arguments: [-1, 0, 1])
    func limit(beyond: Int) async {
        let read = await Self.read(100 + beyond, length: beyond > 0 ? nil : 100 + beyond)
        if beyond > 0 {
            guard case .failure(.refused(.tooLarge(_, 101, 100))) = read else {
                Issue.record("\(read)")
                return
            }
        } else {
            #expect((try? read.get().count) == 100 + beyond)
        }
    }

    @Test("is none that has another length than the head says, or whose client is gone")
    func broken() async {
        guard case .failure(.bodyBroken) = await Self.read(5, length: 6),
            case .failure(.cancelled) = await Self.read(5, isConnected: false)
        else {
            Issue.record("a broken body is read")
            return
        }
    }

    @Test("is obeyed with the key that opened the request: there was no time between")
    func lookedAtOnce() async throws {
        let harness = RESTHarness()
        harness.hub.change { $0.grantsLeft = 1 }
        var context = Context(source: RESTHarness.source())
        context.wholeBody = ByteBuffer(string: #"{"a":"b"}"#)
        let responder = HubResponder<Context>(
            service: harness.hub,
            configuration: harness.configuration
        )
        let nothing = RequestBody(buffer: ByteBuffer())
        var head = harness.request("/news/messages?api-version=2015-01", nothing).head
        let format = try #require(HTTPFields.Element.Name("ServiceBusNotification-Format"))
        head.headerFields[format] = "template"
        let request = Request(head: head, body: nothing)
        let answer = try await responder.respond(to: request, context: context)
        #expect(answer.status == .created)
        #expect(harness.hub.read { $0.access.count } == 1)
    }
}
