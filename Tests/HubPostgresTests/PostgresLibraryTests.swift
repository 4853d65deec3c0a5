import Foundation
import HubPostgres
import Testing

@Suite("PostgreSQL's client library")
struct PostgresLibraryTests {
    @Test("nothing is loaded before a database is wanted, and a missing library is named")
    func loading() async {
        await #expect(processExitsWith: .success) {
            func isLoaded() throws -> Bool {
                try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).contains("libpq")
            }
            func problem(_ name: String) -> PostgresError? {
                do throws(PostgresError) {
                    try PostgresLibrary.load(name)
                    return nil
                } catch { return error }
            }
            let isLoadedBefore = try isLoaded()
            precondition(!isLoadedBefore, "libpq is loaded")
            let missing = problem("libpq-of-nowhere.so.5")
            precondition(missing == .library(.missing), "\(missing as Any)")
            precondition("\(missing as Any)".contains("libpq5"), "\(missing as Any)")
            let old = problem("libz.so.1")
            precondition(old == .library(.old), "\(old as Any)")
        }
    }
}
