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
        ),
        PageRow(
            "job",
            "/$belfry/ui/h/{hub}/jobs/{id}",
            for: .manager,
            shows: ["getJob"],
            run: show
        ),
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
                    row.cell { cell in
                        cell.element(
                            "a",
                            ["href": PageAddress.hub(visit.named, "jobs", id)]
                        ) { $0.time(job.created) }
                    }
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
                    row.cell { $0.stranger(shown(job.request.output)) }
                }
            }
        }
        return .page("Jobs", tab: .jobs, main)
    }

    /// A place of files; what stands behind its question mark may be a signature.
    private static func shown(_ place: String) -> String { String(place.prefix { $0 != "?" }) }

    private static func show(_ visit: PageVisit) async throws(RequestFailure) -> PageAnswer {
        guard let id = JobID(text: String(decoding: visit.part("id"), as: UTF8.self)) else {
            throw .refused(.jobNotFound)
        }
        let job = try await visit.asking.submit(GetJob(id))
        var main = HTMLOutput()
        main.facts { facts in
            facts.fact("Kind", job.request.kind.word)
            facts.fact("State") { $0.live("state", job.report.status.word) }
            facts.fact("Progress") { output in
                let permille = job.report.permille
                output.live("progress", "\(permille / 10).\(permille % 10) %")
            }
            facts.fact("Done") { $0.live("done", Spelled.count(job.report.done)) }
            facts.fact("Failed") { $0.live("failed", Spelled.count(job.report.failed)) }
            facts.fact("Begun") { $0.time(job.created) }
            facts.fact("Changed") { $0.time(job.updated) }
            facts.fact("By the rule") { $0.stranger(job.request.rule) }
            if let input = job.request.input {
                facts.fact("Reads") { $0.stranger(shown(input)) }
            }
            facts.fact("Writes") { $0.stranger(shown(job.request.output)) }
        }
        if !job.report.failure.isEmpty {
            main.element("p", ["class": "refused"]) { $0.stranger(job.report.failure) }
        }
        main.section("Its files") { section in
            let folder = job.resultFolder(of: visit.named).joined(separator: "/")
            let hasRefused = job.report.failed > 0
            section.element("ul", ["class": "plain"]) { list in
                list.element("li") { $0.stranger("\(folder)/\(BulkJob.outputFile)") }
                if hasRefused {
                    list.element("li") {
                        $0.stranger("\(folder)/\(BulkJob.failedFile)")
                        $0.text(": each refused line behind its reason")
                    }
                }
            }
        }
        return .page("Job", tab: .jobs, main)
    }
}
