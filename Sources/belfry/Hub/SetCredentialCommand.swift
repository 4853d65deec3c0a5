import ArgumentParser
import CommandTerminal
import Foundation
import HubRelay
import HubSender

/// `belfry hub credential set`.
struct SetCredentialCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Sets credentials from the files that services hand out.",
        discussion: """
            Reads one file: Apple's key (AuthKey_KEYID.p8) or certificate (.p12), Firebase's \
            service account, a pair of Web Push keys, or Azure's description of a hub as JSON. \
            What was sent before a hub had its first credential of a service is not relayed.

            Examples:
              belfry hub credential set --data ./data --apple-key AuthKey_ABC123DEFG.p8 \\
                --team TEAM123456 --bundle com.example.app
              belfry hub credential set --data ./data --apple-certificate push.p12 \\
                --password-file password.txt
              belfry hub credential set --data ./data --firebase service-account.json
              belfry hub credential set --data ./data --browser vapid.json \\
                --subject mailto:ops@example.com
              belfry hub credential set --data ./data --azure hub.json
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Option(help: "Apple's key, a .p8 file.")
    var appleKey: String?

    @Option(help: "The key's id, where the file's name does not say it.")
    var keyID: String?

    @Option(help: "Apple's id of the team.")
    var team: String?

    @Option(help: "The app's bundle id.")
    var bundle: String?

    @Option(help: "Apple's certificate with its key, a PKCS#12 bundle.")
    var appleCertificate: String?

    @Option(help: "A file whose first line is the bundle's password.")
    var passwordFile: String?

    @Flag(help: "Uses Apple's sandbox.")
    var sandbox = false

    @Option(help: "Firebase's file of a service account.")
    var firebase: String?

    @Option(help: "A pair of Web Push keys in JSON, or a private key in PEM.")
    var browser: String?

    @Option(help: "How browsers' services reach the operator: mailto: or https:.")
    var subject: String?

    @Flag(help: "Allows another pair of Web Push keys, which ends every subscription.")
    var confirmNewKeys = false

    @Option(help: "Azure's description of a hub with its credentials, as JSON.")
    var azure: String?

    func validate() throws {
        let files = [appleKey, appleCertificate, firebase, browser, azure]
        guard files.count(where: { $0 != nil }) == 1 else {
            throw ValidationError(
                "Name one of --apple-key, --apple-certificate, --firebase, --browser and --azure."
            )
        }
        guard appleKey == nil || team != nil && bundle != nil else {
            throw ValidationError("--apple-key needs --team and --bundle.")
        }
        guard appleKey != nil || [keyID, team, bundle] == [nil, nil, nil] else {
            throw ValidationError("--key-id, --team and --bundle are for --apple-key.")
        }
        guard !sandbox || appleKey != nil || appleCertificate != nil else {
            throw ValidationError("--sandbox is for --apple-key and --apple-certificate.")
        }
        guard subject == nil || browser != nil else {
            throw ValidationError("--subject is for --browser.")
        }
        guard passwordFile == nil || appleCertificate != nil else {
            throw ValidationError("--password-file is for --apple-certificate.")
        }
    }

    func run() async throws {
        let given = try properties()
        let described = given.map { properties in
            (
                element: properties.kind.rawValue,
                properties: properties.stored.map { name, value in
                    (name: name, value: String(decoding: value.bytes, as: UTF8.self))
                }
            )
        }
        let confirms = confirmNewKeys
        _ = try await Connecting.administering(hubOptions) { sender throws(SenderError) in
            try await RelayAdministration(sender).change(described, confirmsNewKeys: confirms)
        }
        for properties in given {
            Terminal.line("set \(properties.kind.rawValue)")
            for name in properties.unknownNames {
                Terminal.line("\(name) is unknown and was not kept")
            }
            if let reason = properties.kind.unusedBecause {
                Terminal.line("\(properties.kind.rawValue) is kept and not used: \(reason)")
            }
        }
    }

    private func properties() throws -> [CredentialProperties] {
        do throws(CredentialProblem) {
            if let appleKey {
                return [
                    try CredentialFile.apple(
                        try Self.bytes(appleKey),
                        fileName: URL(fileURLWithPath: appleKey).lastPathComponent,
                        keyID: keyID,
                        team: team ?? "",
                        bundle: bundle ?? "",
                        sandbox: sandbox
                    )
                ]
            }
            if let appleCertificate {
                let password = try passwordFile.map(Self.firstLine) ?? ""
                return [
                    try CredentialFile.appleCertificate(
                        try Self.bytes(appleCertificate),
                        password: password,
                        sandbox: sandbox
                    )
                ]
            }
            if let firebase { return [try CredentialFile.firebase(try Self.bytes(firebase))] }
            if let browser {
                return [try CredentialFile.browser(try Self.bytes(browser), subject: subject)]
            }
            return try CredentialFile.azure(try Self.bytes(azure ?? ""))
        } catch { throw Failure(error.detail) }
    }

    private static func firstLine(_ path: String) throws(CredentialProblem) -> String {
        let line = try bytes(path).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return String(decoding: line, as: UTF8.self)
    }

    private static func bytes(_ path: String) throws(CredentialProblem) -> [UInt8] {
        // The path is what its user can do something about.
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            throw .invalid(field: path, reason: "cannot be read.")
        }
        return [UInt8](data)
    }
}
