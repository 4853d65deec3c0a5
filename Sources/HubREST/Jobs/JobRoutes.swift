import HubAtom
import HubDirectory
import HubModel
import HubQuestions
import HubRules
import HubVocabulary

/// Bulk jobs: begin one, read one, list them.
///
/// Source: REST §13.
enum JobRoutes {
    static let rows = [
        RouteRow(
            "createJob",
            "POST",
            "/{hub}/jobs",
            "Begins a bulk job: an export, or an import of registrations",
            needs: .manage,
            body: description,
            answers: [
                AnswerNote(
                    201,
                    "Durable; it is carried out when those before it are",
                    ContentType.entry,
                    headers: [("Location", "The job's address")]
                )
            ],
            run: create
        ),
        RouteRow(
            "listJobs",
            "GET",
            "/{hub}/jobs",
            "Lists the jobs that are remembered, the newest first",
            needs: .manage,
            answers: [AnswerNote(200, "A feed", ContentType.feed)],
            run: list
        ),
        RouteRow(
            "getJob",
            "GET",
            "/{hub}/jobs/{id}",
            "Tells how far a job is",
            needs: .manage,
            inputs: [.path("id", "The last part of the `Location` of its making.")],
            answers: [AnswerNote(200, "The job", ContentType.entry)],
            run: get
        ),
    ]

    private static let description = BodyUse.read(
        BodyNote(
            ["application/atom+xml;type=entry;charset=utf-8"],
            "An Atom entry whose content is one job. Places are `file:///NAME` in the hub's folder "
                + "for jobs, or addresses that the operator allows.",
            example: """
                <entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml">\
                <NotificationHubJob xmlns="\(XMLNamespace.connect)">\
                <Type>ExportRegistrations</Type>\
                <OutputContainerUri>file:///out</OutputContainerUri>\
                </NotificationHubJob></content></entry>
                """
        )
    )

    private static func create(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let request = try refusing { () throws(Refusal) -> JobRequest in
            try JobReader.read(
                exchange.body,
                rule: exchange.grant.rule,
                places: exchange.configuration.jobPlaces,
                limits: exchange.configuration.limits
            )
        }
        let job = try await exchange.submit(CreateJob(request))
        let url = exchange.location(of: job.id.text)
        return Answer(
            status: 201,
            headers: [("Content-Type", ContentType.entry), ("Location", url)],
            body: JobWriter.entry(job, of: exchange.hub, url: url)
        )
    }

    private static func list(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let jobs = try await exchange.submit(ListJobs())
        let incoming = exchange.incoming
        let entries = jobs.map { job in
            let path = "\(incoming.target.path)/\(job.id.text)"
            return (job, url: incoming.url(path: path, query: incoming.target.versionQuery))
        }
        return Answer(
            status: 200,
            headers: [("Content-Type", ContentType.feed)],
            body: JobWriter.feed(
                entries,
                of: exchange.hub,
                url: incoming.url(path: incoming.target.path, query: incoming.target.query()),
                now: exchange.service.now
            )
        )
    }

    private static func get(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let text = String(decoding: exchange.parameter("id"), as: UTF8.self)
        guard let id = JobID(text: text.lowercased()) else { throw .refused(.jobNotFound) }
        let job = try await exchange.submit(GetJob(id))
        let target = exchange.incoming.target
        let url = exchange.incoming.url(path: target.path, query: target.query())
        return Answer(
            status: 200,
            headers: [("Content-Type", ContentType.entry), ("Content-Location", url)],
            body: JobWriter.entry(job, of: exchange.hub, url: url)
        )
    }
}
