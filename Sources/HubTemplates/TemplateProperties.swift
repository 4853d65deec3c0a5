/// The properties that a rendering may use; those of the send come first.
struct TemplateProperties {
    var bag: PropertyBag
    var variables: PropertyBag?

    func value(of property: TemplateExpression.Property) -> ArraySlice<UInt8> {
        bag.value(ofFolded: property.name)
            ?? variables?.value(ofFolded: property.name)
            ?? property.fallback.map { $0[...] }
            ?? []
    }
}
