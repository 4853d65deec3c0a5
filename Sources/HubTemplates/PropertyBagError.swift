/// The mistake in a property bag, with its place.
package typealias PropertyBagError = JSONTextError
