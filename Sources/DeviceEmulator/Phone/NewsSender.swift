import HubSender

/// Sends the news to the hub, with a key that the user has supplied.
enum NewsSender {
    /// Sends a text to each of the six categories; what went wrong.
    static func problems(
        sending text: String,
        key: String?,
        hub: String,
        authority: String?
    ) async -> [String] {
        guard let key else { return ["sending the news needs a send key"] }
        var problems: [String] = []
        do {
            let connection = try ConnectionString(parsing: key)
            let sender = try SenderClient(connection, hub: hub, caPath: authority)
            for category in NewsChoice.categories {
                do throws(SenderError) {
                    let properties = NewsChoice.properties(category, text)
                    _ = try await sender.send(.template(properties, tags: category))
                } catch {
                    problems.append("\(category): \(error)")
                }
            }
            await sender.close()
        } catch {
            problems.append("\(error)")
        }
        return problems
    }
}
