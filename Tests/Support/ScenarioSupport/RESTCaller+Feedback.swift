import HubTestSupport
import NIOHTTP1
import Testing

extension RESTCaller {
    /// Reads at an address of the hub that needs no token.
    func read(
        _ address: String,
        blob: String? = nil,
        query: String = ""
    ) async throws -> Answer {
        let parts = address.split(separator: "?")
        let path = parts[0].split(separator: "/").dropFirst(2).joined(separator: "/")
        return try await perform(
            .GET,
            path + (blob.map { "/\($0)" } ?? ""),
            query: "&\(parts[1])\(query)",
            authorization: nil
        )
    }

    /// Every line of every blob of a feedback container, once there are so many.
    func feedback(_ address: String, count: Int) async throws -> [String] {
        try await eventually("\(count) lines") {
            var lines: [String] = []
            let list = try await read(address, query: "&restype=container&comp=list")
            #expect(list.status == 200, "\(list.text)")
            for name in list.text.matches(of: /<Name>(.*?)<\/Name>/) {
                let blob = try await read(address, blob: String(name.1))
                #expect(blob.status == 200, "\(blob.text)")
                lines += blob.text.split(separator: "\n").map(String.init)
            }
            return lines.count >= count ? lines : nil
        }
    }
}
