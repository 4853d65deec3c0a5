import HubData
import HubDatabase
import HubDirectory
import HubModel
import HubRules
import HubStore
import HubTransport
import HubVocabulary

/// A data folder with everything in it that a start reads.
enum ServableFolder {
    /// Tries what a start does before its first thread runs and its first port is bound.
    ///
    /// Certificates that the settings name elsewhere are the machine's, and left out.
    /// - Throws: the error with which the start would end.
    static func require(_ folder: DataFolder, _ given: ServerOptions) throws(ServerError) {
        var options = given.numeric
        options.data = folder.path
        options.certificate.clientAuthoritiesFile = nil
        try BelfryServer.checkBind(options)
        let keys = try HubKeys(folder: folder, hubs: [])
        let names = BelfryServer.names(options)
        _ = try BelfryServer.policies(keys, names: names, options: options)
        _ = try BelfryServer.jobPlaces(options)
        if options.certificate.chainFile == nil {
            try DevelopmentAuthority.requireKey(in: folder)
            let files = try BelfryServer.certificate(options, folder: folder)
            _ = try BelfryServer.tls(files)
            _ = try BelfryServer.shown(files)
        }
        for hub in keys.hubs {
            do throws(StoreError) {
                try load(hub, keys.folders.path(hub.name), options)
            } catch {
                throw .store(hub: hub.name.description, reason: error.description)
            }
        }
    }

    private static func load(
        _ hub: StoredHub,
        _ folder: String,
        _ options: ServerOptions
    ) throws(StoreError) {
        let store = try SQLiteStore(folder: folder, epochSeed: 1, limits: options.storage.limits)
        defer { store.close() }
        _ = try Hub(
            hub: hub.name,
            secret: hub.secret,
            storage: store,
            limits: options.coreLimits,
            protected: ProtectedTags(listenMaySet: options.listenMaySetProtectedTags),
            shards: 1,
            seed: 1,
            now: Clock.now
        )
    }
}
