import Foundation
import HubCluster
import HubData
import HubDatabase
import HubModel
import HubStore
import HubTestSupport
import Testing

@Suite("Copies that cannot be read")
struct StoreOpeningTests {
    private static let files = ["registrations.sqlite", "log-000001.sqlite", "keys.json"]
    private static let damage = StoreError.corrupted("row 3")

    private static func folder() throws -> TemporaryFolder {
        let place = TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: place.file("hub"),
            withIntermediateDirectories: true
        )
        for name in files { try place.write("x", to: "hub/" + name) }
        return place
    }

    private static func left(_ place: TemporaryFolder) -> [String] {
        files.filter { FileManager.default.fileExists(atPath: place.file("hub/" + $0)) }
    }

    @Test("files of a hub on one machine are never thrown away: they are the truth")
    func truth() throws {
        let place = try Self.folder()
        let opening = StoreOpening(nil, limits: StoreLimits())
        #expect(try !opening.discardsCopy(in: place.file("hub"), after: Self.damage))
        #expect(Self.left(place) == Self.files)
    }

    @Test(
        "a damaged copy is thrown away, whatever else fails leaves it",
        .enabled(if: TemporaryPostgres.isInstalled)
    )
    func copy() throws {
        let own = TemporaryFolder()
        var storage = StorageOptions()
        storage.database = try DatabaseOptions(
            url: TemporaryPostgres.shared.get().newDatabase(),
            passwordFile: nil
        )
        let nowhere = NodeAddress(host: "n1", port: 8443)
        let database = try ServerDatabase.open(
            storage,
            for: DataFolder(path: own.path),
            place: NodePlace(rest: nowhere, devices: nowhere),
            shape: NodeShape(release: "1", limits: [:]),
            logger: Kept.silent
        )
        defer { database?.release() }
        let opening = StoreOpening(database, limits: StoreLimits())
        let place = try Self.folder()
        for error in [.full, .unavailable(reason: "away"), .fenced] as [StoreError] {
            #expect(try !opening.discardsCopy(in: place.file("hub"), after: error))
            #expect(Self.left(place) == Self.files, "\(error)")
        }
        #expect(try opening.discardsCopy(in: place.file("hub"), after: Self.damage))
        #expect(Self.left(place) == ["keys.json"])
    }
}
