extension MuteHub {
    /// What a hub says of so many lines, all accepted.
    static func accepted(_ ids: [String]) -> String {
        ids.enumerated().map { index, id in
            "{\"line\":\(index + 1),\"status\":201,\"id\":\"\(id)\",\"location\":\"/\(id)\"}\n"
        }.joined()
    }
}
