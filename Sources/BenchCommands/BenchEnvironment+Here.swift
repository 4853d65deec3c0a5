import Foundation
import HubBench
import HubServer

extension BenchEnvironment {
    /// Where this runs, and how the hub seals and writes by its choice or its own defaults.
    static func here(_ hub: HubChoice) -> BenchEnvironment {
        let defaults = ServerOptions(data: "")
        let variables = ProcessInfo.processInfo.environment
        let processor = lines(of: "/proc/cpuinfo")
            .first { $0.hasPrefix("model name") }?
            .split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
        return BenchEnvironment(
            commit: commit(),
            processor: processor ?? "unknown",
            processors: ProcessInfo.processInfo.processorCount,
            kernel: lines(of: "/proc/sys/kernel/osrelease").first ?? "unknown",
            records: hub.records ?? variables["BELFRY_DEVICE_RECORDS"]
                ?? word(defaults.devices.records),
            submission: hub.submission ?? variables["BELFRY_DEVICE_SUBMISSION"]
                ?? word(defaults.devices.submission),
            isOptimized: isOptimized,
            load: lines(of: "/proc/loadavg").first?.split(separator: " ").first.flatMap {
                Double($0)
            },
            time: Date.now.formatted(.iso8601)
        )
    }

    /// The word of a choice whose type is the transport's, which is not imported here.
    private static func word(_ choice: some RawRepresentable<String>) -> String {
        choice.rawValue
    }

    private static var isOptimized: Bool {
        #if DEBUG
            false
        #else
            true
        #endif
    }

    private static func lines(of path: String) -> [String] {
        // The report says "unknown" where the system does not tell.
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").map(String.init)
    }

    /// The commit of the source tree around the program, with a mark when files differ from it.
    private static func commit() -> String? {
        // Without git, or outside of a source tree, no commit is told.
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        guard let program else { return nil }
        let git = Process()
        git.executableURL = URL(fileURLWithPath: "/usr/bin/git")
        git.arguments = [
            "-C", URL(fileURLWithPath: program).deletingLastPathComponent().path, "describe",
            "--always", "--dirty", "--abbrev=10", "--exclude=*",
        ]
        let output = Pipe()
        git.standardOutput = output
        git.standardError = FileHandle.nullDevice
        // Without git no commit is told.
        guard (try? git.run()) != nil else { return nil }
        // A commit is one short line; the pipe's end stops a program that says more.
        let data = (try? output.fileHandleForReading.read(upToCount: 256)) ?? Data()
        try? output.fileHandleForReading.close()  // Nothing more is wanted of it.
        git.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return git.terminationStatus == 0 && !text.isEmpty ? text : nil
    }
}
