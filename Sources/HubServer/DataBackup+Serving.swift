import Foundation
package import HubData

extension DataBackup {
    /// Makes a data folder of a backup, and refuses one that a start would refuse.
    ///
    /// - Throws: as `restore(_:to:skipsOverdue:progress:requiring:)`, or as the start would.
    package static func restoreServable(
        _ folder: String,
        to destination: String,
        skipsOverdue: Bool = false,
        progress: Progress
    ) async throws(ServerError) -> DataBackup {
        let options = try await options(of: absolute(folder))
        return try restore(
            folder,
            to: destination,
            skipsOverdue: skipsOverdue,
            progress: progress
        ) { data throws(ServerError) in try ServableFolder.require(data, options) }
    }

    /// Returns the options with which a server would serve the content of a backup.
    private static func options(of source: String) async throws(ServerError) -> ServerOptions {
        if kind(of: source + "/belfry.json") != nil {
            try requireRegular("belfry.json", in: source)
        }
        do {
            return try await ServerSettings.load(flags: [:], environment: [:], data: source).options
        } catch let error as ServerError {
            throw error
        } catch {
            throw .brokenFile(path: source + "/belfry.json", reason: "\(error)")
        }
    }
}
