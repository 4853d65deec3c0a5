/// One vector of `template.json`.
struct TemplateVector: Decodable {
    struct Rendered: Decodable {
        let body: String
    }

    let name: String
    let platform: UInt8
    let body: String
    let expiry: String
    let headers: [[String]]
    let properties: String
    let expect: Rendered?
}
