/// Lets ``EventStream`` have these events as its items. The data of an event are never decoded as
/// one.
extension ServerSentEvent: Codable {}
