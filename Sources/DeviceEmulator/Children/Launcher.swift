import Foundation

/// Where `belfry` lies, and how children of this process are begun.
package struct Launcher: Sendable {
    /// The path of the program.
    package var path: String
    /// Begins a child.
    ///
    /// A process whose threads begin children does it one at a time: a child may inherit the pipes
    /// that another thread makes meanwhile, and their ends are never seen then.
    package var begin: @Sendable (() throws -> Void) throws -> Void = { try $0() }

    /// Begins `belfry` at a path.
    package init(path: String) { self.path = path }

    /// Begins the program that runs.
    /// - Throws: `.notStarted` when the system does not tell where it lies.
    package static func own() throws(ChildFault) -> Launcher {
        do {
            let path = "/proc/self/exe"
            return Launcher(path: try FileManager.default.destinationOfSymbolicLink(atPath: path))
        } catch {
            throw .notStarted(reason: error.localizedDescription)
        }
    }
}
