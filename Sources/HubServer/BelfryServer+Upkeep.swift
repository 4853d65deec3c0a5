import Foundation
import HubHistory
import HubTraces

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
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().async {
                        roster.keepUses()
                        continuation.resume()
                    }
                }
            },
        ] + (exporter.map { [UpkeepService(every: exportPause, export($0))] } ?? [])
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
