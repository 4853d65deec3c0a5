import HubVocabulary

/// Why a server did not start or had to stop; one readable line for the operator.
package enum ServerError: Error, Sendable, CustomStringConvertible {
    /// The folder or a file in it cannot be used.
    case folder(path: String, reason: String)
    /// Another process holds the folder.
    case folderInUse(path: String)
    /// A file in the folder does not say what it should.
    case brokenFile(path: String, reason: String)
    /// A listener could not be opened.
    case listener(name: String, reason: String)
    /// The certificate or key cannot be used.
    case certificate(reason: String)
    /// The store of a hub cannot be opened.
    case store(hub: String, reason: String)
    /// The database that is to hold the hubs cannot be used.
    case database(reason: String)
    /// Another server leads a hub, or its database was set back.
    case leadLost(hub: String)
    /// Another node has taken the lead of the database's hubs.
    case leadTaken(node: String, address: String)
    /// An operator has given the lead to another node.
    case leadMoved
    /// The copy of a hub could not be written, and another node leads.
    case leadYielded(hub: String)
    /// A hub's name cannot be used.
    case hubName(String)
    /// A bind that others can reach needs confirmation.
    case publicBind(host: String)

    package var description: String {
        switch self {
        case .folder(let path, let reason): "cannot use \(path): \(reason)"
        case .folderInUse(let path): "\(path) is in use by another belfry process"
        case .brokenFile(let path, let reason): "\(path): \(reason)"
        case .listener(let name, let reason): "\(name) listener: \(reason)"
        case .certificate(let reason): "certificate: \(reason)"
        case .store(let hub, let reason): "store of hub '\(hub)': \(reason)"
        case .database(let reason): "database: \(reason)"
        case .leadLost(let hub):
            "another server has taken over hub '\(hub)', or its database was set back; what is "
                + "stored there is safe, and the next start takes the hub again"
        case .leadTaken(let node, let address):
            "node \(node) at \(address) has taken the lead of the database's hubs; what is stored "
                + "there is safe, and the next start waits for the lead"
        case .leadMoved:
            "the lead goes to another node, as 'belfry cluster move' asked; the next start waits for "
                + "the lead"
        case .leadYielded(let hub):
            "the lead goes to another node, because the copy of hub '\(hub)' here cannot be written: "
                + "make room on the disk, or repair it; the next start waits for the lead"
        case .hubName(let name):
            "'\(name)' is no hub name; use 1 to \(HubName.bytesMax) letters, digits, '.', '_' and "
                + "'-', and do not begin with '.'"
        case .publicBind(let host):
            "\(host) can be reached from other machines; check keys and certificate, then start "
                + "again with --confirm-public-bind"
        }
    }
}
