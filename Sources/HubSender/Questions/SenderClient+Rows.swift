import HubVocabulary
import NIOHTTP1

extension SenderClient {
    /// Asks for a row of the REST API and returns the text of its answer; fields without a value are
    /// left out.
    ///
    /// - Throws: `SenderError`.
    package func row(
        _ method: RowMethod,
        _ path: String,
        _ fields: KeyValuePairs<String, String?> = [:],
        body: [UInt8]? = nil
    ) async throws(SenderError) -> String {
        var query = ""
        for (name, value) in fields {
            if let value { query += "&\(name)=\(PercentCoding.encoded(value))" }
        }
        let answer = try await perform(
            HTTPMethod(rawValue: method.rawValue),
            path: path,
            query: query,
            headers: HTTPHeaders(),
            body: method == .get ? nil : body ?? [],
            isRepeatable: method == .get
        )
        return answer.text
    }
}
