import EndpointsDocuments

extension Plan {
    /// Nests the response of one request in it: `GetUser.Response` for `GetUserResponse`.
    func nestResponses() {
        let models = typer.models.filter { !$0.tags.isEmpty }
        let places = Places(models, requests, top: names.top)
        for request in requests where request.scope.models.isEmpty {
            guard case .type(.model(let model)) = request.response, case .object = model.kind,
                model.name.lowercased() == "\(request.name)Response".lowercased(),
                names.overrides.names[model.pointer.description] == nil,
                !(errors.type?.models.contains(model) ?? false), places.isUsedOnce(model)
            else { continue }
            places.move(model, to: request.scope, as: "Response")
        }
    }
}
