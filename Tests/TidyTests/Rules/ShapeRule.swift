/// A type has a size that a reader can hold, and stands where its name says.
enum ShapeRule {
    static let linesOfTypeMax = 900
    static let fieldsOfTypeMax = 16
    /// Types that are larger for a reason, which stands beside the name; at most six.
    static let exceptions: [String: String] = [
        "ReceivedNotification": "an app reads each fact of a notification by its own name"
    ]

    /// Types of too many lines over all their extensions.
    static func lines(_ module: Module) -> [Offence] {
        var sums: [String: (lines: Int, place: Finding)] = [:]
        for file in module.files {
            for type in file.types where type.isTop {
                let name = type.name.split(separator: ".").first.map(String.init) ?? type.name
                let place = file.source.finding(type.line, name)
                sums[name, default: (0, place)].lines += type.lines
            }
        }
        return sums.filter { $0.value.lines > linesOfTypeMax && exceptions[$0.key] == nil }.map {
            name,
            sum in
            let message = "\(name): \(sum.lines) lines, \(linesOfTypeMax) at most"
            let place = Finding(file: sum.place.file, line: sum.place.line, message: message)
            return Offence(key: name, place: place, amount: sum.lines)
        }
    }

    /// Types that store too much.
    static func fields(_ module: Module) -> [Offence] {
        module.files.flatMap { file in
            file.types.filter { type in
                type.fields.count > fieldsOfTypeMax && exceptions[type.name] == nil
            }.map { type in
                let message = "\(type.name) stores \(type.fields.count), \(fieldsOfTypeMax) at most"
                let place = file.source.finding(type.line, message)
                return Offence(key: type.name, place: place, amount: type.fields.count)
            }
        }
    }

    /// Types that other files use and that stand in a file of another name.
    static func homes(_ modules: [Module]) -> [Offence] {
        modules.flatMap { module in
            module.files.flatMap { file in
                file.types.filter { type in
                    type.isTop && !type.isPrivate && type.kind != "extension"
                        && type.name + ".swift" != file.source.base
                        && modules.contains { other in
                            other.files.contains { user in
                                user.source.name != file.source.name
                                    && user.words.contains(type.name)
                                    && (other.name == module.name
                                        || user.imports.contains(module.name))
                            }
                        }
                }.map { type in
                    let message = "\(type.name) is used elsewhere; it needs \(type.name).swift"
                    let place = file.source.finding(type.line, message)
                    return Offence(key: type.name, place: place)
                }
            }
        }
    }

    /// Types that another target declares too: a reader of one takes it for the other.
    static func names(_ modules: [Module]) -> [Offence] {
        var homes: [String: String] = [:]
        return modules.flatMap { module in
            module.files.flatMap { file in
                file.types.filter { type in
                    guard type.isTop, !type.isPrivate, type.kind != "extension" else {
                        return false
                    }
                    let home = homes[type.name]
                    homes[type.name] = home ?? module.name
                    return home.map { $0 != module.name } ?? false
                }.map { type in
                    let home = homes[type.name] ?? ""
                    let message = "\(home) has a \(type.name) too; give one another name"
                    return Offence(key: type.name, place: file.source.finding(type.line, message))
                }
            }
        }
    }
}
