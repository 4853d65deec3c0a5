import AsyncHTTPClient
import HubRules
import NIOCore
import NIOHTTP1
import SystemPackage

/// Reads and writes the files of bulk jobs at addresses that the operator allows.
///
/// Redirects are not followed: they could lead to what is not allowed.
enum JobWebFiles {
    private static let connectSeconds: Int64 = 10
    private static let silentSeconds: Int64 = 60
    private static let wholeHours: Int64 = 6

    /// Reads a file in parts, each with how much was read and how much there is, if known.
    static func read(
        _ address: JobAddress,
        _ part: ([UInt8], _ place: UInt64, _ bytes: UInt64?) async throws(JobFailure) -> Void
    ) async throws(JobFailure) {
        try await asking(address) { client in
            let response = try await client.execute(
                HTTPClientRequest(url: address.text),
                timeout: .hours(wholeHours)
            )
            guard response.status == .ok else {
                throw JobFailure.failed("\(address.shown) answered \(response.status.code).")
            }
            let bytes = response.headers.first(name: "Content-Length").flatMap(UInt64.init)
            var place: UInt64 = 0
            for try await buffer in response.body {
                place += UInt64(buffer.readableBytes)
                try await part(Array(buffer.readableBytesView), place, bytes)
            }
        }
    }

    /// Puts a file below an address, as containers of files expect it.
    static func write(
        _ address: JobAddress,
        _ names: [String],
        _ content: FileParts,
        bytes: UInt64
    ) async throws(JobFailure) {
        try await asking(address) { client in
            var request = HTTPClientRequest(url: address.file(names))
            request.method = .PUT
            request.headers.add(name: "x-ms-blob-type", value: "BlockBlob")
            request.headers.add(name: "Content-Type", value: "text/plain; charset=utf-8")
            request.body = .stream(content, length: .known(Int64(bytes)))
            let response = try await client.execute(request, timeout: .hours(wholeHours))
            guard (200..<300).contains(response.status.code) else {
                throw JobFailure.failed("\(address.shown) answered \(response.status.code).")
            }
        }
    }

    /// Runs one exchange with a client of its own.
    private static func asking(
        _ address: JobAddress,
        _ body: (HTTPClient) async throws -> Void
    ) async throws(JobFailure) {
        let client = client()
        var problem: JobFailure?
        do {
            try await body(client)
        } catch {
            problem = failure(error, address)
        }
        // Every request is answered, or has failed: the end of the client adds nothing.
        try? await client.shutdown()
        if let problem { throw problem }
    }

    private static func client() -> HTTPClient {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(
                connect: .seconds(connectSeconds),
                read: .seconds(silentSeconds),
                write: .seconds(silentSeconds)
            ),
            decompression: .disabled
        )
        configuration.httpVersion = .http1Only
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    private static func failure(_ error: any Error, _ address: JobAddress) -> JobFailure {
        if let failure = error as? JobFailure { return failure }
        guard !Task.isCancelled else { return .cancelled }
        return .failed("\(address.shown) cannot be reached: \(error).")
    }
}
