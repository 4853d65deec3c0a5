import Foundation
package import HubRules
import HubTransport
import HubVocabulary

/// Keys of the namespace and its hubs, as the data folder holds them.
package struct HubKeys: Sendable {
    /// Every hub that the folder has, ascending by name but for those that were just made.
    package var hubs: [StoredHub]
    /// Rules that hold for every hub.
    package var namespace: [HubRule]
    /// Where hubs lie.
    package let folders: HubFolders

    /// Reads the keys; on the first start makes those of the namespace and of each hub named.
    ///
    /// The namespace's file is written last and says that the first start is over: from then on
    /// the hubs are those that have a folder, also when there is none left. Until then those named
    /// that a first start did not come to are made; a folder that is not named was made by an
    /// operator, who has then chosen the hubs.
    package init(folder: DataFolder, hubs names: [String]) throws(ServerError) {
        folders = try HubFolders(folder: folder)
        hubs = try folders.all()
        if let known = try folders.namespace.read() {
            namespace = known
            return
        }
        var named: [HubName] = []
        for text in names {
            guard let name = HubName(text) else { throw .hubName(text) }
            if !named.contains(name) { named.append(name) }
        }
        let known = Set(hubs.map(\.name))
        for name in known.isSubset(of: named) ? named : [] where !known.contains(name) {
            hubs.append(try folders.make(HubFolders.new(name)))
        }
        namespace = try folders.namespace.make(now: Clock.now.time)
    }

    /// The text of a new key.
    package static func newKey() -> String {
        AccessRule.keyText(random: randomBytes(AccessRule.keyBytes))
    }

    /// Unpredictable bytes; the system is asked for eight at a time.
    package static func randomBytes(_ count: Int) -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 7)
        while bytes.count < count {
            var rest = random.next()
            for _ in 0..<8 {
                bytes.append(UInt8(truncatingIfNeeded: rest))
                rest >>= 8
            }
        }
        // Without another copy: who wipes the bytes wipes all there are.
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
