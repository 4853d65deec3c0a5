import ArgumentParser
import CommandTerminal
import HubDatabase
import HubServer

/// The database of some nodes.
struct ClusterPlace: ParsableArguments {
    @Option(help: "The data folder of a node.")
    var data: String

    @OptionGroup var choice: DatabaseChoice

    /// Runs a body with it, and turns what that throws into a line.
    func use<Value>(_ body: (DatabaseOptions) throws -> Value) async throws -> Value {
        do {
            let settings = try await ServerSettings.load(flags: choice.flags, data: data)
            guard let database = settings.options.storage.database else {
                throw Failure("the hubs of \(data) are in files: name a database with --database")
            }
            return try body(database)
        } catch let error as Failure {
            throw error
        } catch {
            throw Failure(error)
        }
    }
}
