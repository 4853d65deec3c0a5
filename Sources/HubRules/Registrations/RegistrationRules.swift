package import HubModel
package import HubTags
package import HubTemplates
package import HubVocabulary

extension RegistrationContent {
    /// This content in its canonical spelling, once every rule is met.
    ///
    /// Handles are trimmed and spelled as the service returns them, a missing `X-WNS-Type` is set
    /// from the template's root element, and of push variables with one name the last stays. Who
    /// may set which tags is not asked here: `ProtectedTags` says so.
    /// Source: REST reference §4.15, §6.1, §7.7.
    /// - Throws: `.invalid` naming the element that is wrong.
    package func validated(
        limits: CoreLimits = .standard
    ) throws(Refusal) -> RegistrationContent {
        var content = self
        content.handle = try RegistrationRules.handle(
            handle,
            platform: platform,
            limits: limits
        )
        try RegistrationRules.check(tags, limits: limits)
        content.pushVariables = try RegistrationRules.pushVariables(self, limits: limits)
        try RegistrationRules.checkPlatformFields(self, limits: limits)
        if let definition = template {
            content.template = try RegistrationRules.template(
                definition,
                platform: platform,
                limits: limits
            )
        }
        return content
    }

    /// The compiled template of validated content; nil for a native registration.
    ///
    /// - Throws: `.invalid` naming the element and the position of what is wrong.
    package func compiledTemplate() throws(Refusal) -> CompiledTemplate? {
        guard let template else { return nil }
        return try RegistrationRules.compile(template, platform: platform)
    }
}

/// The rules of REST reference §4.15, one function for each part of a registration.
package enum RegistrationRules {
    /// Form and size of every tag and of all together; `$UserId:{…}` is the only one with `$`, and
    /// only once: `$InstallationId:{…}` is written by the hub alone.
    ///
    /// Source: rules C.3.
    package static func check(_ tags: TagSet, limits: CoreLimits) throws(Refusal) {
        try checkSize(tags, limits: limits)
        var users = 0
        for index in 0..<tags.count {
            let tag = tags.tag(at: index)
            let isUser = TagRules.hasPrefix(tag, userPrefix.span)
            if TagRules.isReserved(tag), !isUser {
                throw .invalid(field: "Tags", reason: "Tags can not start with $.")
            }
            if let problem = TagRules.checkIncludingReserved(tag, limits: limits.tags) {
                throw .invalid(
                    field: "Tags",
                    reason: "An invalid tag(s) '\(PlainText.shown(tag))' was supplied, number "
                        + "\(index + 1). \(problem.reason)"
                )
            }
            users += isUser ? 1 : 0
            if users > 1 {
                throw .invalid(field: "Tags", reason: "At most one $UserId tag is allowed.")
            }
        }
    }

    /// The size of all tags of a registration together.
    package static func checkSize(_ tags: TagSet, limits: CoreLimits) throws(Refusal) {
        let size = tags.bytes.count + max(0, tags.count - 1)
        guard size <= limits.registrations.tagsBytesMax else {
            throw .invalid(
                field: "Tags",
                reason: "Registration Tags serialized size is more than maximum supported value. "
                    + "Actual Size: '\(size)' and Max Allowed Size: '\(limits.registrations.tagsBytesMax)'"
            )
        }
        guard tags.count <= limits.registrations.tagsMax else {
            throw .invalid(
                field: "Tags",
                reason: "\(tags.count) tags; \(limits.registrations.tagsMax) are allowed"
            )
        }
    }

    private static let userPrefix = Array("$UserId:".utf8)

    /// The template with what is missing from its headers, if it compiles.
    package static func template(
        _ definition: TemplateDefinition,
        platform: Platform,
        limits: CoreLimits
    ) throws(Refusal) -> TemplateDefinition {
        let name = definition.name
        guard name.count <= limits.registrations.templateNameBytesMax else {
            throw .invalid(
                field: "TemplateName",
                reason:
                    "has \(name.count) bytes; \(limits.registrations.templateNameBytesMax) are allowed"
            )
        }
        guard PlainText.isPlain(name.span) else {
            throw .invalid(
                field: "TemplateName",
                reason: "must be UTF-8 without control characters"
            )
        }
        try checkHeaderSize(definition.headers, limits: limits)
        let completed = RegistrationRules.withTypeHeader(definition, platform: platform)
        _ = try compile(completed, platform: platform)
        return completed
    }

    /// Compiles, with the compiler's word for what is wrong.
    package static func compile(
        _ definition: TemplateDefinition,
        platform: Platform
    ) throws(Refusal) -> CompiledTemplate {
        do throws(TemplateError) {
            return try CompiledTemplate(definition, platform: platform)
        } catch {
            throw .invalid(field: error.field, reason: error.reason)
        }
    }

    /// Together they must fit beside those of a send into a parcel's options.
    private static func checkHeaderSize(
        _ headers: [NamedValue],
        limits: CoreLimits
    ) throws(Refusal) {
        let size = headers.reduce(0) { $0 + $1.name.count + $1.value.count + 2 }
        guard size <= limits.registrations.templateHeadersBytesMax else {
            throw .invalid(
                field: "headers",
                reason:
                    "have \(size) bytes together; \(limits.registrations.templateHeadersBytesMax) are allowed"
            )
        }
        for (index, header) in headers.enumerated()
        where headers[..<index].contains(where: { ASCII.equal($0.name, header.name) }) {
            throw .invalid(field: "headers", reason: "header number \(index + 1) is there twice")
        }
    }

    /// Sets `X-WNS-Type` from the root element of a WNS template that has none.
    ///
    /// Source: REST reference §7.7.
    private static func withTypeHeader(
        _ definition: TemplateDefinition,
        platform: Platform
    ) -> TemplateDefinition {
        guard platform == .windows,
            !definition.headers.contains(where: { ASCII.equal($0.name, WindowsType.header.utf8) }),
            let type = WindowsType(ofDocument: definition.body.span)
        else { return definition }
        var completed = definition
        completed.headers.append(
            NamedValue(name: Array(WindowsType.header.utf8), value: Array(type.rawValue.utf8))
        )
        return completed
    }

    /// Names like those of template properties, each once; the last of equal ones stays.
    ///
    /// Source: REST reference §7.8.
    package static func pushVariables(
        _ content: RegistrationContent,
        limits: CoreLimits
    ) throws(Refusal) -> [NamedValue] {
        let variables = content.pushVariables
        guard variables.count <= limits.registrations.pushVariablesMax else {
            throw .invalid(
                field: "PushVariables",
                reason:
                    "\(variables.count) are given; \(limits.registrations.pushVariablesMax) are allowed"
            )
        }
        var kept: [NamedValue] = []
        for (index, variable) in variables.enumerated() {
            guard (1...TemplateLimits.propertyNameBytesMax).contains(variable.name.count),
                variable.name.allSatisfy(TextBytes.isName)
            else {
                throw .invalid(
                    field: "PushVariables",
                    reason: "the name of number \(index + 1) must have 1 to "
                        + "\(TemplateLimits.propertyNameBytesMax) letters, digits and '_'"
                )
            }
            guard variable.value.count <= limits.registrations.pushVariableBytesMax,
                PlainText.isUTF8(variable.value.span)
            else {
                throw .invalid(
                    field: "PushVariables",
                    reason: "the value of number \(index + 1) must be UTF-8 of at most "
                        + "\(limits.registrations.pushVariableBytesMax) bytes"
                )
            }
            kept.removeAll { ASCII.equal($0.name, variable.name) }
            kept.append(variable)
        }
        return kept
    }
}
