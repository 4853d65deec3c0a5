import FoundationEssentials
import HubClient

extension BreakingNews {
    /// The most people of one file.
    package static let peopleMax = 64

    /// Reads who takes part from JSON: an array of objects with the members of `Person`, the
    /// platform by its name on the command line; `switchesOff` may be missing.
    ///
    ///     [{"name": "Mara", "platform": "apple", "subscribes": ["World"],
    ///       "first": ["World"], "second": ["World"]}]
    ///
    /// - Throws: `PeopleFault`, which names the member.
    package static func people(json: [UInt8]) throws(PeopleFault) -> [Person] {
        let rows: [PersonRow]
        do {
            rows = try JSONDecoder().decode([PersonRow].self, from: Data(json))
        } catch let error as DecodingError {
            throw .malformed(member: error.memberPath)
        } catch {
            throw .malformed(member: "")
        }
        guard (1...peopleMax).contains(rows.count) else { throw .count(rows.count) }
        var people: [Person] = []
        for row in rows {
            guard let platform = DevicePlatform(named: row.platform) else {
                throw .unknownPlatform(row.platform, of: row.name)
            }
            for category in row.first + row.second where !categories.contains(category) {
                throw .unknownCategory(category, of: row.name)
            }
            people.append(
                Person(
                    row.name,
                    platform,
                    subscribes: row.subscribes,
                    switchesOff: row.switchesOff ?? [],
                    first: row.first,
                    second: row.second
                )
            )
        }
        return people
    }

    /// The same people as JSON that `people(json:)` reads.
    package static func json(of people: [Person]) -> [UInt8] {
        let rows = people.map { person in
            PersonRow(
                name: person.name,
                platform: person.platform.commandLineName,
                subscribes: person.subscribes,
                switchesOff: person.switchesOff,
                first: person.first,
                second: person.second
            )
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        // Every string is JSON; only numbers that are not finite are not.
        guard let data = try? encoder.encode(rows) else {
            preconditionFailure("arrays of strings are JSON")
        }
        return [UInt8](data)
    }

    /// Why a file with people cannot be used.
    package enum PeopleFault: Error, Equatable, Sendable {
        /// Not the expected JSON; names the member where that is known.
        case malformed(member: String)
        /// Nobody, or too many.
        case count(Int)
        /// A platform that there is not.
        case unknownPlatform(String, of: String)
        /// Something is expected to arrive that is never sent.
        case unknownCategory(String, of: String)
    }
}

extension BreakingNews.PeopleFault: CustomStringConvertible {
    /// One readable line.
    package var description: String {
        switch self {
        case .malformed(let member):
            member.isEmpty ? "not an array of people" : "'\(member)' is missing or wrong"
        case .count(let count):
            "\(count) people; 1 to \(BreakingNews.peopleMax) can take part"
        case .unknownPlatform(let platform, let name): "\(name): '\(platform)' is no platform"
        case .unknownCategory(let category, let name):
            "\(name): '\(category)' is never sent; there are "
                + BreakingNews.categories.joined(separator: ", ")
        }
    }
}

/// A person as the file has it.
private struct PersonRow: Codable {
    var name: String
    var platform: String
    var subscribes: [String]
    var switchesOff: [String]?
    var first: [String]
    var second: [String]
}
