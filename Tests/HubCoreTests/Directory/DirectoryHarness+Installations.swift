import HubModel
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
        let reply = try perform(.putInstallation(draft, grant)).get()
        guard case .installation(let installation, _) = reply else {
            throw Unexpected(what: "\(reply)")
        }
        return installation
    }

    func installation(_ id: String) throws -> Installation {
        let reply = try perform(.getInstallation(id: id.utf8Bytes)).get()
        guard case .installation(let installation, channelExpired: false) = reply else {
            throw Unexpected(what: "\(reply)")
        }
        return installation
    }

    /// Everything that a list names, page by page.
    func installations(_ filter: InstallationFilter, limit: Int) throws -> [Installation] {
        var all: [Installation] = []
        var after = InstallationNumber(0)
        while true {
            let reply = try perform(.listInstallations(filter, after: after, limit: limit)).get()
            guard case .installations(let page, let matched, let next, _) = reply,
                page.count <= limit, matched == page.count
            else {
                throw Unexpected(what: "\(reply)")
            }
            all += page
            guard let next else { return all }
            guard next > after else { throw Unexpected(what: "a list that stands still") }
            after = next
        }
    }

    /// How many installations a filter names, asked for without a list.
    func count(_ filter: InstallationFilter) throws -> Int {
        var count = 0
        var after = InstallationNumber(0)
        while true {
            let reply = try perform(.listInstallations(filter, after: after, limit: 0)).get()
            guard case .installations([], let matched, let next, _) = reply else {
                throw Unexpected(what: "\(reply)")
            }
            count += matched
            guard let next else { return count }
            after = next
        }
    }

    func registrations(_ filter: RegistrationFilter) throws -> [Registration] {
        let list = HubCommand.listRegistrations(filter, after: RegistrationNumber(0), limit: 100)
        let reply = try perform(list).get()
        guard case .registrations(let page, next: nil) = reply else {
            throw Unexpected(what: "\(reply)")
        }
        return page
    }
}
