import Foundation

/// The stored properties of a struct or the cases of an enum, read from what the compiler writes
/// down of each type (Swift's ABI, "Type Metadata"). A `Mirror` would need a value.
struct TypeLayout {
    struct Field {
        let name: String
        /// The type of the property, or of the values of the case; `nil` for a case without values.
        let type: Any.Type?
        /// Where the property is in a value of the struct.
        let offset: Int
        /// Whether the values of the case are stored elsewhere (`indirect`).
        let isIndirect: Bool
    }

    let isEnum: Bool
    /// The properties as they are declared; of an enum, first the cases that have values.
    let fields: [Field]
    private let metadata: UnsafeRawPointer

    private static let (structKind, enumKind) = (0x200, 0x201)

    /// `nil` if the type is neither a struct nor an enum of Swift, or if a property's type isn't
    /// known at run time, and on a platform with 32 bits. An `Optional` has no layout here.
    init?(_ type: Any.Type) {
        guard MemoryLayout<Int>.size == 8 else { return nil }
        metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let kind = metadata.load(as: Int.self)
        guard kind == Self.structKind || kind == Self.enumKind else { return nil }
        isEnum = kind == Self.enumKind
        let descriptor = metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
        guard let list = descriptor.relative(at: 16) else { return nil }
        let recordSize = Int(list.load(fromByteOffset: 10, as: UInt16.self))
        let count = Int(list.load(fromByteOffset: 12, as: UInt32.self))
        let offsets =
            isEnum ? nil : metadata + 8 * Int(descriptor.load(fromByteOffset: 24, as: UInt32.self))
        var fields: [Field] = []
        for index in 0..<count {
            let record = list + 16 + index * recordSize
            guard let name = record.relative(at: 8) else { return nil }
            var type: Any.Type?
            if let mangled = record.relative(at: 4) {
                guard
                    let found = typeByMangledName?(
                        mangled, UInt(mangled.mangledLength), descriptor, metadata + 16)
                else { return nil }
                type = unsafeBitCast(found, to: Any.Type.self)
            }
            let offset = offsets.map { Int(($0 + 4 * index).load(as: UInt32.self)) } ?? 0
            fields.append(
                Field(
                    name: String(cString: name.assumingMemoryBound(to: CChar.self)), type: type,
                    offset: offset, isIndirect: record.load(as: UInt32.self) & 1 == 1))
        }
        self.fields = fields
    }

    /// Whether the type is an enum none of whose cases has values.
    var hasOnlyNames: Bool { isEnum && !fields.isEmpty && fields.allSatisfy { $0.type == nil } }

    /// Whether the type is an enum with a case that has values.
    var hasValues: Bool { isEnum && fields.contains { $0.type != nil } }

    /// Makes the memory of an enum's values that of a case.
    func inject(case index: Int, into memory: UnsafeMutableRawPointer) {
        typealias Inject =
            @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void
        let witnesses = (metadata - 8).load(as: UnsafeRawPointer.self)
        let inject = (witnesses + 8 * 13).load(as: Inject.self)
        inject(memory, UInt32(index), metadata)
    }
}

/// The memory in which an `indirect` case keeps its values.
struct HeapBox {
    /// What the case refers to.
    let object: UnsafeMutableRawPointer
    /// Where the values are.
    let contents: UnsafeMutableRawPointer

    /// `nil` where the runtime is linked without its symbols.
    init?(of type: Any.Type) {
        guard let allocateBox, let projectBox,
            let object = allocateBox(unsafeBitCast(type, to: UnsafeRawPointer.self)),
            let contents = projectBox(object)
        else { return nil }
        (self.object, self.contents) = (object, contents)
    }

    /// Gives the memory back, in which no value is.
    func deallocate() { _ = deallocateBox?(object) }
}

private typealias BoxFunction =
    @convention(c) (UnsafeRawPointer) -> UnsafeMutableRawPointer?

/// Functions of Swift's runtime. The first gives two pointers, of which the object is the first.
private let allocateBox = boxFunction("swift_allocBox")
private let projectBox = boxFunction("swift_projectBox")
private let deallocateBox = boxFunction("swift_deallocBox")

private func boxFunction(_ name: String) -> BoxFunction? {
    dlsym(dlopen(nil, RTLD_LAZY), name).map { unsafeBitCast($0, to: BoxFunction.self) }
}

private typealias TypeByMangledName =
    @convention(c) (UnsafeRawPointer, UInt, UnsafeRawPointer, UnsafeRawPointer) -> UnsafeRawPointer?

/// A function of Swift's runtime; `nil` where the runtime is linked without its symbols.
private let typeByMangledName: TypeByMangledName? =
    dlsym(dlopen(nil, RTLD_LAZY), "swift_getTypeByMangledNameInContext").map {
        unsafeBitCast($0, to: TypeByMangledName.self)
    }

extension UnsafeRawPointer {
    /// The place that a relative pointer leads to; `nil` for a null pointer.
    fileprivate func relative(at offset: Int) -> UnsafeRawPointer? {
        let distance = load(fromByteOffset: offset, as: Int32.self)
        return distance == 0 ? nil : self + offset + Int(distance)
    }

    /// The length of a mangled name, which may have references to types among its characters.
    fileprivate var mangledLength: Int {
        var end = self
        while true {
            switch end.load(as: UInt8.self) {
            case 0: return end - self
            case 0x01...0x17: end += 5
            case 0x18...0x1F: end += 9
            default: end += 1
            }
        }
    }
}
