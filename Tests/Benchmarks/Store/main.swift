import Foundation
import HubModel
import HubStore

// Measures a store on its own; see RESULTS.md for what the lines mean.
//
//     StoreBench FOLDER [RECORDS] [REGISTRATIONS]
//     StoreBench FOLDER start     only the start, with what an earlier run left there
//     StoreBench FOLDER fill REGISTRATIONS     fills the store of a hub that does not run

let arguments = CommandLine.arguments
guard arguments.count > 1 else {
    let forms = ["[RECORDS] [REGISTRATIONS]", "start", "fill REGISTRATIONS"]
    let usage = "usage: " + forms.map { "StoreBench FOLDER \($0)" }.joined(separator: " | ")
    FileHandle.standardError.write(Data((usage + "\n").utf8))
    exit(64)
}
let folder = arguments[1]
let word = arguments.dropFirst(2).first
let records = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 8_640_000
let registrations = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 1_000_000

do throws(StoreError) {
    let bench = StoreBench(folder: folder)
    switch word {
    case "start": try bench.startAgain()
    case "fill": try bench.fill(registrations)
    default: try bench.run(records: records, registrations: registrations)
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
