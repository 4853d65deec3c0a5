import HubModel

/// A key of the present group, which may yet be refused by the store.
struct GroupKey {
    var stored: StoredKey
    /// Whether it stands or falls with the group's records; otherwise with its changes.
    var isRecord: Bool
}
