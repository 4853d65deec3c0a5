import Foundation
import HubData
import HubDatabase
import HubHistory
import HubMetrics
import HubTraces
import HubVocabulary
import Logging

/// Work that comes back while a server runs.
extension BelfryServer {
    /// Numbers over time, announcements of the certificate's end, last uses of keys on the disk.
    var upkeep: [UpkeepService] {
        [
            UpkeepService(every: .seconds(HistoryLimits.fine.seconds)) { [roster] in
                await roster.readNumbers()
            },
            UpkeepService(every: .seconds(3_600)) { [roster] in roster.announceCertificate() },
            UpkeepService(every: .seconds(600)) { [roster] in
                await Self.blocking { roster.keepUses() }
            },
        ] + (roster.launcher.database.map { [watching($0)] } ?? [])
            + (exporter.map { [UpkeepService(every: exportPause, export($0))] } ?? [])
    }

    /// Does something that blocks, off the threads that tasks share.
    private static func blocking(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                body()
                continuation.resume()
            }
        }
    }

    /// Answers callers whom a database lets wait; ends the server when another leads a hub of it, and
    /// has another lead where the disk here takes nothing.
    private func watching(_ database: ServerDatabase) -> UpkeepService {
        UpkeepService(every: .seconds(1)) { [self] in
            for member in roster.members {
                member.hub.writer.answerOverdue()
                guard member.hub.writer.hasLostLead, database.loseLead(of: member.stored.name)
                else { continue }
                logger.error("the lead is lost", metadata: ["hub": "\(member.stored.name)"])
                stop()
            }
            database.keepKeysAgain()
            if database.mustYield { await Self.blocking { database.yieldLead() } }
        }
    }

    private var exportPause: Duration { .seconds(TraceLimits.pauseSeconds) }

    private var exporter: TraceExporter? {
        guard let url = options.rest.traces.url, let traces = roster.launcher.traces else {
            return nil
        }
        return TraceExporter(traces, url: url, version: Release.version)
    }

    private func export(_ exporter: TraceExporter) -> @Sendable () async -> Void {
        { ServerEvents.count(await exporter.export()) }
    }

    /// Exports the last spans, unless the collector lets a server that ends wait.
    func exportTraces() async {
        guard let exporter else { return }
        _ = await TimeLimit.value(within: .seconds(2), export(exporter))
    }
}
