import Foundation
package import HubDoctor
import HubTransport
import HubVocabulary

/// Reads the facts of this machine.
package enum MachineReading {
    /// Returns them, for a hub's process or for one that starts from here.
    package static func facts(process: Int?) -> MachineFacts {
        var facts = MachineFacts()
        let folder = "/proc/" + (process.map(String.init) ?? "self")
        facts.openFilesMax = openFiles(text(folder + "/limits"), isRunning: process != nil)
        if let group = controlGroup(text(folder + "/cgroup")) {
            facts.memoryBytesMax = Int(text("/sys/fs/cgroup\(group)/memory.max"))
        }
        facts.acceptQueueMax = Int(text("/proc/sys/net/core/somaxconn"))
        facts.isClockSynchronised = Clock.isSynchronised
        facts.ringError = Submission.probeRing().map(Int.init)
        return facts
    }

    private static func text(_ path: String) -> String {
        // A fact that the kernel does not tell is not known.
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The limit of a process; one that starts raises its own to the hard one.
    ///
    ///     Max open files            1024                 524288               files
    static func openFiles(_ limits: String, isRunning: Bool) -> Int? {
        let line = limits.split(separator: "\n").first { $0.hasPrefix("Max open files") }
        let numbers = line?.split(separator: " ").dropFirst(3).prefix(2).map { Int($0) ?? .max }
        return isRunning ? numbers?.first : numbers?.last
    }

    /// The group of version 2, as a path: `0::/system.slice/belfry.service`.
    static func controlGroup(_ groups: String) -> String? {
        groups.split(separator: "\n").first { $0.hasPrefix("0::/") }.map { String($0.dropFirst(3)) }
    }
}
