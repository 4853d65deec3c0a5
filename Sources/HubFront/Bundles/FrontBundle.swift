import HubCluster
package import HubREST
import HubVocabulary
package import Hummingbird

/// A bundle as the leader gets it: a request whose body has the sends of many clients.
package enum FrontBundle {
    /// Answers a send with this body of a client.
    package typealias Answering =
        @Sendable (Request, ByteBuffer, FrontProof.Client) async throws -> Response

    /// Where a leader takes bundles of those who prove that they are a front.
    package static let path = "/$belfry/bundle"

    /// Has each send of a bundle answered as if it had come alone, and answers with all of it.
    ///
    /// They are begun in their order, and wait for the hub's next commit together.
    /// - Throws: `CancellationError` when the front is gone, so that nothing is written.
    package static func response(
        to request: Request,
        in context: some ConnectionContext,
        within bodies: BodyReading,
        answering: @escaping Answering
    ) async throws -> Response {
        let bytes: [UInt8]
        do throws(RequestFailure) {
            let limit = FrontLimits.Bundles().requestBytes
            bytes = try await bodies.read(request, limit: limit, in: context)
        } catch {
            if case .cancelled = error { throw CancellationError() }
            return Response(status: .init(code: error.status))
        }
        guard let sends = Self.sends(in: bytes.span), sends.count <= FrontLimits.Bundles().sends
        else { return Response(status: .badRequest) }
        var answers = sends.map { _ in BundledAnswer(status: 500, headers: [], body: []) }
        try await withThrowingTaskGroup(of: (place: Int, answer: BundledAnswer).self) { group in
            for (place, send) in sends.enumerated() {
                group.addTask { (place, try await Self.answer(to: send, answering)) }
            }
            for try await one in group { answers[one.place] = one.answer }
        }
        return Response(
            status: .ok,
            headers: [.contentType: "application/octet-stream"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: BundleCodec.encode(answers)))
        )
    }

    private static func answer(
        to send: CarriedSend,
        _ answering: Answering
    ) async throws -> BundledAnswer {
        let client = send.client.isEmpty ? nil : String(decoding: send.client, as: UTF8.self)
        do {
            let body = ByteBuffer(bytes: send.body)
            let response = try await answering(
                CarriedHead.request(send, body),
                body,
                FrontProof.Client(address: client)
            )
            let answer = try await CarriedHead.answer(response)
            // A send whose answer has no place in a bundle may be carried out.
            return answer.fits ? answer : BundledAnswer(status: 500, headers: [], body: [])
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // As the server answers an error of any other request.
            return BundledAnswer(status: 500, headers: [], body: [])
        }
    }

    private static func sends(in bytes: Span<UInt8>) -> [CarriedSend]? {
        // Only another release would write other bytes.
        try? BundleCodec.sends(in: bytes)
    }

    /// The answers of a leader's body; nil when it is none.
    static func answers(in buffer: ByteBuffer) -> [BundledAnswer]? {
        let bytes = Array(buffer.readableBytesView)
        // As above.
        return try? BundleCodec.answers(in: bytes.span)
    }
}
