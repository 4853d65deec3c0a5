import HubModel
import HubQuestions
import HubREST
import HubVocabulary

/// Bulk jobs: how far each is, and where its result lies.
enum JobPages {
    static let rows = [
        PageRow(
            "jobs",
            "/$belfry/ui/h/{hub}/jobs",
            for: .manager,
            shows: ["listJobs"],
            run: list
        )
    ]

    private static func list(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        let jobs = try await visit.asking.submit(ListJobs())
        var main = HTMLOutput()
        guard !jobs.isEmpty else {
            main.empty("No export or import was begun. 'POST /{hub}/jobs' begins one.")
            return .page("Jobs", tab: .jobs, main)
        }
        main.table("Jobs", ["Begun", "Kind", "State", "Done", "Failed", "Result"]) { table in
            for job in jobs {
                let id = job.id.text
                table.row { row in
                    row.cell { $0.time(job.created) }
                    row.cell(job.request.kind.word)
                    row.cell { cell in
                        cell.live("\(id)-state", job.report.status.word)
                        if !job.report.failure.isEmpty {
                            cell.text(": ")
                            cell.stranger(job.report.failure)
                        }
                    }
                    row.cell { $0.live("\(id)-done", Spelled.count(job.report.done)) }
                    row.cell { $0.live("\(id)-failed", Spelled.count(job.report.failed)) }
                    row.cell { cell in
                        // What stands behind the question mark may be a signature.
                        let place = job.request.output.prefix { $0 != "?" }
                        cell.stranger(String(place))
                    }
                }
            }
        }
        return .page("Jobs", tab: .jobs, main)
    }
}
