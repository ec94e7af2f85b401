"""What becomes of nested values, said a second time and another way than the library does it."""

from texts import NoText


def text(leaf):
    """The text of a value that has no others in it."""
    return str(leaf).lower() if isinstance(leaf, bool) else str(leaf)


def tidy(value, arrays):
    """The value as a reader of brackets finds it: texts, without what is empty; None if all is.

    A list that repeats its name can't be told from its element if it has one."""
    if isinstance(value, dict):
        found = {key: tidy(inner, arrays) for key, inner in value.items()}
        return {key: inner for key, inner in found.items() if inner is not None} or None
    if isinstance(value, list):
        found = [inner for inner in (tidy(inner, arrays) for inner in value) if inner is not None]
        is_one = arrays == "repeated" and len(found) == 1 and isinstance(found[0], str)
        # An element that is a list of one, and has become a text, has an index all the same.
        return found[0] if is_one and not has_list(value) else found or None
    return None if value is None else text(value)


def has_list(value):
    """Whether a list has another one with something in it."""
    return any(isinstance(inner, list) and tidy(inner, "indices") is not None for inner in value)


def has_bad_key(value):
    """Whether a key anywhere is empty or has a bracket."""
    if isinstance(value, dict):
        return any(not k or set(k) & set("[]") or has_bad_key(v) for k, v in value.items())
    return isinstance(value, list) and any(has_bad_key(inner) for inner in value)


def pairs(name, value, arrays):
    """The names and texts of a value below a name, in their order."""
    if has_bad_key(value):
        raise NoText
    return [(name + brackets, text) for brackets, text in leaves(tidy(value, "indices"), arrays)]


def fields(value, arrays):
    """The names and texts of a value that is a whole form."""
    if not isinstance(value, dict) or has_bad_key(value):
        raise NoText
    return [pair for key in sorted(value) for pair in pairs(key, value[key], arrays)]


def leaves(value, arrays):
    """Each text of a tidy value with the brackets that lead to it."""
    if value is None:
        return
    if isinstance(value, str):
        yield "", value
    elif isinstance(value, dict):
        for key in sorted(value):
            for brackets, text in leaves(value[key], arrays):
                yield f"[{key}]{brackets}", text
    elif arrays != "indices" and all(isinstance(element, str) for element in value):
        for element in value:
            yield "[]" * (arrays == "brackets"), element
    else:
        for index, element in enumerate(value):
            for brackets, text in leaves(element, arrays):
                yield f"[{index}]{brackets}", text
