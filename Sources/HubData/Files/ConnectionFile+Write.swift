package import HubEndpoint

extension ConnectionFile {
    /// Replaces the file in one step, readable by its owner only: it holds keys.
    package func write(to path: String) throws(ServerError) {
        try JSONFile.write(self, to: path, followedBy: "\n")
    }
}
