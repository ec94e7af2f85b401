"""An authorization server made of Authlib, and an API that takes its tokens, for oauth.py.

Its refresh tokens are good for one use. One that is used twice ends the sign-in that it belongs to, unless the server is
told to allow that for a while. It can also be slow, fail, and lose its responses after it has done what they would say."""

import hashlib
import hmac
import json
import os
import secrets
import socket
import threading
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import (
    ClientMixin, InvalidGrantError, TokenMixin, grants, list_to_scope, scope_to_list)
from authlib.oauth2.rfc6749.grants import BaseGrant, TokenEndpointMixin
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7523 import JWTBearerClientAssertion
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialDict
from flask import Flask, Response, jsonify, request
from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, OctKey, RSAKey

SECRET = "p:w/ é+%" + "s" * 32
COMPANY = "c" * 32
ID_TOKEN = "the.id.token"
LIFE = 3600


class Client(ClientMixin):
    """A client that may do all that this server knows."""

    def __init__(self, name, method, redirects=None):
        self.client_id, self.method, self.redirects = name, method, redirects
        self.client_secret = SECRET

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        return list_to_scope([name for name in scope_to_list(scope or "") if name in ("read", "write")])

    def check_redirect_uri(self, uri):
        if self.redirects is not None:
            return uri in self.redirects
        return uri.startswith("http://127.0.0.1:") or uri == "com.example.tool:/signed-in"

    def check_client_secret(self, secret):
        return secret == SECRET

    def check_endpoint_auth_method(self, method, endpoint):
        return method == self.method

    def check_response_type(self, kind):
        return kind == "code"

    def check_grant_type(self, kind):
        return True


class Token(TokenMixin):
    """A token of one sign-in."""

    def __init__(self, values, client, family):
        self.access, self.refresh = values["access_token"], values.get("refresh_token")
        self.scope, self.client, self.family = values.get("scope", ""), client, family
        self.expires = time.time() + values["expires_in"]
        self.used, self.revoked = None, False
        # The thumbprint of the key that the token belongs to.
        self.key = values.get("jkt")

    def check_client(self, client):
        return self.client == client.client_id

    def get_scope(self):
        return self.scope

    def get_expires_in(self):
        return LIFE

    def is_expired(self):
        return self.expires < time.time()

    def is_revoked(self):
        return self.revoked

    def get_user(self):
        return "ann"

    def get_client(self):
        return find_client(self.client)


class Code(dict):
    def get_redirect_uri(self):
        return self["redirect_uri"]

    def get_scope(self):
        return self["scope"]

    def get_nonce(self):
        return None


class State:
    """What the server knows, and what it is told to do wrong."""

    def __init__(self):
        self.lock = threading.RLock()
        self.tokens, self.codes, self.devices = [], {}, {}
        self.reset()

    def reset(self):
        self.grace, self.slow, self.outages, self.lost = 0, 0, 0, 0
        self.requests, self.refreshes, self.reuses, self.polls = 0, 0, 0, []
        self.pending, self.slow_downs = 0, 0
        self.error, self.issuer, self.drops = None, None, False
        self.methods, self.scopes, self.documents, self.bare = ["none"], ["read", "write"], False, False
        self.registrations, self.registration_error, self.asked_scope = [], None, None
        self.nonce, self.proofs, self.wanted_nonces = None, set(), 0


STATE = State()


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"]

    def save_authorization_code(self, code, request):
        STATE.codes[code] = Code(
            client=request.client.client_id, redirect_uri=request.payload.redirect_uri,
            scope=request.payload.scope, challenge=request.payload.data.get("code_challenge"),
            method=request.payload.data.get("code_challenge_method"))
        STATE.codes[code].code_challenge = STATE.codes[code]["challenge"]
        STATE.codes[code].code_challenge_method = STATE.codes[code]["method"]

    def query_authorization_code(self, code, client):
        item = STATE.codes.get(code)
        return item if item and item["client"] == client.client_id else None

    def delete_authorization_code(self, code):
        STATE.codes = {key: value for key, value in STATE.codes.items() if value is not code}

    def authenticate_user(self, code):
        return "ann"


class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, text):
        with STATE.lock:
            STATE.refreshes += 1
            token = next((token for token in STATE.tokens if token.refresh == text), None)
            if token is None or token.revoked:
                return None
            if token.used is not None and time.time() - token.used > STATE.grace:
                # Somebody has stolen it, or has lost the response.
                STATE.reuses += 1
                for other in STATE.tokens:
                    other.revoked = other.revoked or other.family == token.family
                return None
            token.used = token.used or time.time()
            return token

    def authenticate_user(self, token):
        return "ann"

    def revoke_old_credential(self, token):
        pass


class DeviceGrant(DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"]

    def query_device_credential(self, code):
        return STATE.devices.get(code)

    def query_user_grant(self, user_code):
        with STATE.lock:
            device = next(item for item in STATE.devices.values() if item["user_code"] == user_code)
            answer = device.get("answer")
            return None if answer is None else ("ann", answer == "yes")

    def should_slow_down(self, credential):
        with STATE.lock:
            STATE.polls.append(time.time())
            STATE.slow_downs -= 1
            return STATE.slow_downs >= 0


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    INTERVAL = 1
    CLIENT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"]

    def get_verification_uri(self):
        return request.host_url + "device"

    def save_device_credential(self, client_id, scope, data):
        STATE.devices[data["device_code"]] = DeviceCredentialDict(
            data, client_id=client_id, scope=scope, expires_at=time.time() + data["expires_in"])


class ExchangeGrant(BaseGrant, TokenEndpointMixin):
    """Token exchange (RFC 8693), of which Authlib has nothing."""

    GRANT_TYPE = "urn:ietf:params:oauth:grant-type:token-exchange"
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic"]

    def validate_token_request(self):
        self.request.client = self.authenticate_token_endpoint_client()
        form = self.request.form
        known = any(token.access == form.get("subject_token") for token in STATE.tokens)
        if not known or form.get("subject_token_type") != "urn:ietf:params:oauth:token-type:access_token":
            raise InvalidGrantError()

    def create_token_response(self):
        token = self.generate_token(scope="read", user="ann", include_refresh_token=False)
        token["issued_token_type"] = "urn:ietf:params:oauth:token-type:access_token"
        self.save_token(token)
        return 200, token, self.TOKEN_RESPONSE_HEADER


class IdentityGrant(BaseGrant, TokenEndpointMixin):
    """An assertion of a company's server about its user (RFC 7523, draft identity assertion grant)."""

    GRANT_TYPE = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]

    def validate_token_request(self):
        self.request.client = self.authenticate_token_endpoint_client()
        try:
            token = jwt.decode(self.request.form["assertion"], OctKey.import_key(COMPANY), algorithms=["HS256"])
        except (ValueError, JoseError):
            raise InvalidGrantError()
        claims, root = token.claims, request.host_url.rstrip("/")
        if token.header["typ"] != "oauth-id-jag+jwt" or claims["aud"] != root or claims["resource"] != root + "/api":
            raise InvalidGrantError()

    def create_token_response(self):
        token = self.generate_token(scope="read", user="ann", include_refresh_token=False)
        self.save_token(token)
        return 200, token, self.TOKEN_RESPONSE_HEADER


class Assertion(JWTBearerClientAssertion):
    def get_audiences(self):
        return [request.base_url]

    def validate_jti(self, claims, jti):
        return True

    def resolve_client_public_key(self, client):
        return OctKey.import_key(SECRET)


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"]

    def query_token(self, text, hint):
        return next((token for token in STATE.tokens if text in (token.access, token.refresh)), None)

    def revoke_token(self, token, request):
        for other in STATE.tokens:
            other.revoked = other.revoked or other.family == token.family


class ClientGrant(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", Assertion.CLIENT_AUTH_METHOD]


CLIENTS = {name: Client(name, method) for name, method in [
    ("tool", "none"), ("basic é:", "client_secret_basic"), ("post", "client_secret_post"),
    ("jwt", Assertion.CLIENT_AUTH_METHOD)]}


def find_client(name):
    if STATE.documents and name.startswith("https://"):
        return Client(name, "none")
    return CLIENTS.get(name)


class WrongProof(Exception):
    """What is wrong with a proof, and the nonce that it needs."""


def check_proof(token=None):
    """The thumbprint of the key that a request's proof is signed with (RFC 9449, section 4.3)."""
    try:
        proof = request.headers["DPoP"]
        head = proof.split(".")[0]
        header = json.loads(urlsafe_b64decode(head + "=" * (-len(head) % 4)))
        if header["typ"] != "dpop+jwt" or header["alg"] not in ("ES256", "RS256") or "d" in header["jwk"]:
            raise WrongProof("invalid_dpop_proof")
        key = (ECKey if header["alg"] == "ES256" else RSAKey).import_key(header["jwk"])
        registry = jws.JWSRegistry(algorithms=[header["alg"]])
        registry.max_header_length = 4096
        claims = json.loads(jws.deserialize_compact(proof, key, registry=registry).payload)
    except (KeyError, ValueError, JoseError):
        raise WrongProof("invalid_dpop_proof")
    digest = token and urlsafe_b64encode(hashlib.sha256(token.encode()).digest()).rstrip(b"=").decode()
    right = (claims["htm"], claims["htu"], claims.get("ath")) == (request.method, request.base_url, digest)
    with STATE.lock:
        if not right or abs(time.time() - claims["iat"]) > 60 or claims["jti"] in STATE.proofs:
            raise WrongProof("invalid_dpop_proof")
        if claims.get("nonce") != STATE.nonce:
            STATE.wanted_nonces += 1
            raise WrongProof("use_dpop_nonce")
        STATE.proofs.add(claims["jti"])
    return key.thumbprint()


def save_token(values, asked):
    with STATE.lock:
        old = getattr(asked, "refresh_token", None)
        family = old.family if old is not None else secrets.token_hex(8)
        key = getattr(request, "proof_key", None)
        if key:
            values["token_type"], values["jkt"] = "DPoP", key
        STATE.tokens.append(Token(values, asked.client.client_id, family))
        values.pop("jkt", None)


def make_app():
    app = Flask(__name__)
    app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
    app.config["OAUTH2_TOKEN_EXPIRES_IN"] = {
        kind: LIFE for kind in (
            "authorization_code", "client_credentials", "refresh_token",
            DeviceGrant.GRANT_TYPE, ExchangeGrant.GRANT_TYPE, IdentityGrant.GRANT_TYPE)}
    server = AuthorizationServer(app, query_client=find_client, save_token=save_token)
    server.register_client_auth_method(Assertion.CLIENT_AUTH_METHOD, Assertion())
    server.register_grant(CodeGrant, [CodeChallenge(required=True)])
    for grant in (RefreshGrant, ClientGrant, DeviceGrant, ExchangeGrant, IdentityGrant):
        server.register_grant(grant)
    server.register_endpoint(DeviceEndpoint)
    server.register_endpoint(Revocation)

    @app.post("/token")
    def token():
        with STATE.lock:
            STATE.requests += 1
            STATE.outages -= 1
            if STATE.outages >= 0:
                return Response("<html>busy", 503)
            if STATE.error:
                return jsonify(error=STATE.error), 400
        if "DPoP" in request.headers:
            try:
                request.proof_key = check_proof()
                old = next((token for token in STATE.tokens if token.refresh == request.form.get("refresh_token")), None)
                if old and old.refresh and old.key != request.proof_key:
                    raise WrongProof("invalid_dpop_proof")
            except WrongProof as wrong:
                return jsonify(error=str(wrong)), 400, {"DPoP-Nonce": STATE.nonce} if STATE.nonce else {}
        response = server.create_token_response()
        with STATE.lock:
            slow, STATE.lost = STATE.slow, STATE.lost - 1
            lost = STATE.lost >= 0
        time.sleep(slow)
        if lost and STATE.drops:
            request.environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
        if lost:
            return Response("", 502)
        return response

    @app.post("/company/token")
    def company():
        form, kind = request.form, "urn:ietf:params:oauth:token-type:"
        if (form["subject_token"], form["subject_token_type"]) != (ID_TOKEN, kind + "id_token"):
            return jsonify(error="invalid_grant"), 400
        claims = {"aud": form["audience"], "resource": form["resource"], "sub": "ann", "exp": time.time() + 60}
        token = jwt.encode({"alg": "HS256", "typ": "oauth-id-jag+jwt"}, claims, OctKey.import_key(COMPANY))
        return jsonify(access_token=token, token_type="N_A", issued_token_type=form["requested_token_type"])

    @app.post("/register")
    def register():
        asked = request.get_json()
        error = STATE.registration_error
        if not all(uri.startswith("http://127.0.0.1:") for uri in asked["redirect_uris"]):
            error = "invalid_redirect_uri"
        elif asked["token_endpoint_auth_method"] not in STATE.methods:
            error = "invalid_client_metadata"
        if error:
            return jsonify(error=error), 400
        name, method = "registered-" + secrets.token_hex(4), asked["token_endpoint_auth_method"]
        with STATE.lock:
            CLIENTS[name] = Client(name, method, asked["redirect_uris"])
            STATE.registrations.append(name)
        secret = {} if method == "none" else {"client_secret": SECRET, "client_secret_expires_at": 0}
        return jsonify(client_id=name, **asked, **secret), 201

    @app.get("/authorize")
    def authorize():
        STATE.asked_scope = request.args.get("scope")
        if STATE.error:
            asked, issuer = request.args, request.host_url.rstrip("/")
            query = f"error={STATE.error}&state={asked['state']}&iss={issuer}"
            return Response("", 302, {"Location": f"{asked['redirect_uri']}?{query}"})
        grant = server.get_consent_grant(end_user="ann")
        response = server.create_authorization_response(grant_user="ann", grant=grant)
        issuer = STATE.issuer or request.host_url.rstrip("/")
        response.headers["Location"] += f"&iss={issuer}"
        return response

    @app.post("/device_authorization")
    def device_authorization():
        return server.create_endpoint_response("device_authorization")

    @app.post("/revoke")
    def revoke():
        return server.create_endpoint_response("revocation")

    @app.get("/.well-known/oauth-authorization-server")
    def metadata():
        root = request.host_url.rstrip("/")
        if STATE.bare:
            return Response("", 404)
        return jsonify(
            issuer=root, authorization_endpoint=root + "/authorize", token_endpoint=root + "/token",
            device_authorization_endpoint=root + "/device_authorization",
            revocation_endpoint=root + "/revoke", registration_endpoint=root + "/register",
            scopes_supported=STATE.scopes, token_endpoint_auth_methods_supported=STATE.methods,
            client_id_metadata_document_supported=STATE.documents,
            code_challenge_methods_supported=["S256"],
            authorization_response_iss_parameter_supported=True)

    @app.get("/.well-known/oauth-protected-resource/api")
    def resource():
        root = request.host_url.rstrip("/")
        if STATE.bare:
            return Response("", 404)
        return jsonify(resource=root + "/api", authorization_servers=[root])

    def challenge(status, *parts):
        where = f'resource_metadata="{request.host_url}.well-known/oauth-protected-resource/api"'
        return Response("", status, {"WWW-Authenticate": "Bearer " + ", ".join([where, *parts])})

    @app.get("/api/<scope>")
    def api(scope):
        text = request.headers.get("Authorization", "")
        if not text:
            return challenge(401)
        with STATE.lock:
            scheme, _, sent = text.partition(" ")
            token = next((item for item in STATE.tokens if item.access == sent), None)
            if token is not None and scheme == ("DPoP" if token.key else "Bearer"):
                try:
                    if token.key and check_proof(sent) != token.key:
                        raise WrongProof("invalid_token")
                except WrongProof as wrong:
                    nonce = {"DPoP-Nonce": STATE.nonce} if STATE.nonce else {}
                    return Response("", 401, {"WWW-Authenticate": f'DPoP error="{wrong}"', **nonce})
            else:
                token = None
            if token is None or token.revoked or token.is_expired():
                return challenge(401, 'error="invalid_token"')
            if scope not in scope_to_list(token.scope):
                return challenge(403, 'error="insufficient_scope"', f'scope="{scope}"')
        return jsonify(user="ann")

    @app.post("/sign")
    def sign():
        # In place of a key that the client would have.
        digest = hmac.digest(SECRET.encode(), request.get_data(), "sha256")
        return Response(urlsafe_b64encode(digest).rstrip(b"="))

    return app
