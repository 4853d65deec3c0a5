import GRDB
import HubModel

// Installations: one row each, beside the registrations that were derived from it.
extension RegistrationFile {
    static let installationTable = StoredTable<Installation>(
        "installation",
        of: "installation",
        [.bytes("id", "PRIMARY KEY"), .bytes("body")],
        salt: [0],
        encode: { installation in
            [.bytes(installation.key), .bytes(InstallationCodec.encode(installation))]
        },
        decode: { row in try row.reading(1, InstallationCodec.decode) },
        audit: { row, installation in installation.key == (try row.bytes(at: 0)) }
    )

    /// Calls `body` with every installation, ascending by key.
    func forEachInstallation(_ body: (Installation) -> Void) throws(StoreError) {
        try file.forEach(Self.installationTable, "ORDER BY id", [], body)
    }
}
