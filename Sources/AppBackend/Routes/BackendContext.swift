import Foundation
import Hummingbird
import NIOCore

/// A request's context that knows who is at the other end.
struct BackendContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The client's address, without its port.
    let address: String
    let channel: any Channel

    init(source: Source) {
        coreContext = .init(source: source)
        channel = source.channel
        address = source.channel.remoteAddress?.ipAddress ?? ""
    }
}

/// The parts of a request beside its body.
extension Request {
    /// The first value of a query parameter, whatever the case of its name; nil when it is absent.
    func parameter(_ name: String) -> String? {
        uri.queryParameters.first { $0.key.lowercased() == name }.map { String($0.value) }
    }

    /// The whole body; it counts as held from the beginning when it says how long it is.
    ///
    /// - Throws: `BackendRefusal` 413 when it is longer than `most`, 429 or 503 when too much is
    ///   held, 408 when it takes too long, 400 when its end is missing.
    func bytes(
        most: Int,
        limits: BackendLimits,
        share: MemoryBudget.Share
    ) async throws -> [UInt8] {
        let tooLong = BackendRefusal(413, "the body may have \(most) bytes")
        let declared = headers[.contentLength].flatMap { Int($0) }
        if let declared, declared > most { throw tooLong }
        try share.hold(declared ?? 0)
        let deadline = ContinuousClock.now + .seconds(limits.requests.bodySeconds)
        var bytes: [UInt8] = []
        do {
            for try await piece in body {
                guard bytes.count + piece.readableBytes <= most else { throw tooLong }
                guard ContinuousClock.now < deadline else {
                    throw BackendRefusal(408, "the body takes too long")
                }
                try share.hold(bytes.count + piece.readableBytes)
                bytes.append(contentsOf: piece.readableBytesView)
            }
        } catch let refusal as BackendRefusal {
            throw refusal
        } catch {
            throw BackendRefusal(400, "the body is cut off")
        }
        if let declared, declared != bytes.count {
            throw BackendRefusal(400, "the body is cut off")
        }
        return bytes
    }
}

extension Response {
    /// An answer with a JSON value.
    static func json(_ value: some Encodable, status: Int = 200) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Response(
            status: .init(code: status),
            headers: [
                .contentType: "application/json; charset=utf-8", .cacheControl: "no-store",
            ],
            body: .init(byteBuffer: ByteBuffer(bytes: try encoder.encode(value)))
        )
    }

    /// An answer that says why not.
    static func refusing(_ refusal: BackendRefusal) -> Response {
        // A sentence is JSON whatever stands in it.
        let answer = try? Response.json(["Message": refusal.message], status: refusal.status)
        var response = answer ?? Response(status: .internalServerError)
        response.headers.append(contentsOf: refusal.headers)
        return response
    }
}

extension ResponseBody {
    /// Bytes in pieces, so that a slow reader is told from one that does not read; the share is
    /// held until they are written.
    init(_ bytes: ByteBuffer, pieces: Int, holding share: MemoryBudget.Share) {
        self.init(contentLength: bytes.readableBytes) { writer in
            var rest = bytes
            while let piece = rest.readSlice(length: min(pieces, rest.readableBytes)),
                piece.readableBytes > 0
            {
                try await writer.write(piece)
            }
            try await writer.finish(nil)
            withExtendedLifetime(share) {}
        }
    }
}
