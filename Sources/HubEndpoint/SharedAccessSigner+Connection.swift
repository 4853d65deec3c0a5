package import HubVocabulary

extension SharedAccessSigner {
    /// Signs with the rule of a connection string.
    package init(_ connection: ConnectionString) {
        self.init(keyName: connection.keyName, key: connection.key)
    }
}
