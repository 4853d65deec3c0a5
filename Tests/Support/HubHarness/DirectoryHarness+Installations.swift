import HubDirectory
import HubModel
import HubQuestions
import HubTags
import HubVocabulary
import Testing

extension DirectoryHarness {
    @discardableResult
    func install(
        _ json: String,
        id: String = "i-1",
        grant: AccessGrant = DirectoryHarness.manage
    ) throws -> Installation {
        let draft = try GivenInstallation.draft(json, id: id)
        return try perform(PutInstallation(draft, grant)).get()
    }

    func installation(_ id: String) throws -> Installation {
        let reply = try perform(GetInstallation(id: id.utf8Bytes)).get()
        guard !reply.channelExpired else { throw Unexpected(what: "\(reply)") }
        return reply.installation
    }

    /// Everything that a list names, page by page.
    func installations(_ filter: InstallationFilter, limit: Int) throws -> [Installation] {
        var all: [Installation] = []
        var after = InstallationNumber(0)
        while true {
            let reply = try perform(ListInstallations(filter, after: after, limit: limit)).get()
            guard reply.installations.count <= limit, reply.matched == reply.installations.count
            else {
                throw Unexpected(what: "\(reply)")
            }
            all += reply.installations
            guard let next = reply.next else { return all }
            guard next > after else { throw Unexpected(what: "a list that stands still") }
            after = next
        }
    }

    /// How many installations a filter names, asked for without a list.
    func count(_ filter: InstallationFilter) throws -> Int {
        var count = 0
        var after = InstallationNumber(0)
        while true {
            let reply = try perform(ListInstallations(filter, after: after, limit: 0)).get()
            guard reply.installations.isEmpty else { throw Unexpected(what: "\(reply)") }
            count += reply.matched
            guard let next = reply.next else { return count }
            after = next
        }
    }

    func registrations(_ filter: RegistrationFilter) throws -> [Registration] {
        let list = ListRegistrations(filter, after: RegistrationNumber(0), limit: 100)
        let page = try perform(list).get()
        guard page.next == nil else { throw Unexpected(what: "\(page)") }
        return page.entries
    }
}
