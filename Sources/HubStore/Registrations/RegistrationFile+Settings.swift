import GRDB
import HubModel

// The operators' settings for the hub: one row.
extension RegistrationFile {
    static let settingsTable = StoredTable<HubSettings>(
        "settings",
        of: "settings",
        [.one, .bytes("body")],
        encode: { settings in [.integer(1), .bytes(HubSettingsCodec.encode(settings))] },
        decode: { row in try row.reading(1, HubSettingsCodec.decode) },
        audit: { row, settings in HubSettingsCodec.encode(settings) == (try row.bytes(at: 1)) }
    )

    /// The settings; nil when nothing was decided.
    func settings() throws(StoreError) -> HubSettings? { try file.first(Self.settingsTable) }
}
