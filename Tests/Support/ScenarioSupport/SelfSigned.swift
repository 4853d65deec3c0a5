import HubTestSupport

/// Certificates for localhost that sign themselves.
enum SelfSigned {
    /// Writes `name.pem` and `name-key.pem`.
    static func make(_ name: String, in folder: ScenarioFolder) throws {
        let (key, file) = (folder.file(name + "-key.pem"), folder.file(name + ".pem"))
        try Tool.certificate("localhost", names: "DNS:localhost", key: key, in: file)
    }
}
