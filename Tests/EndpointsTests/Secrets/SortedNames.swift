import Endpoints

/// Names from public documents of APIs and standards, sorted by hand: whose value is a secret, and
/// whose isn't.
struct SortedNames: Sendable {
    let from: String
    let place: SecretNames.Place
    let hidden: String
    let shown: String

    static let all: [SortedNames] = [
        .init(
            from: "OAuth 2.0, OpenID Connect and their extensions, in a form", place: .form,
            hidden: """
                access_token refresh_token id_token client_secret code code_verifier password \
                assertion client_assertion device_code user_code subject_token actor_token \
                id_token_hint logout_token token registration_access_token request_token \
                oauth_token oauth_token_secret oauth_verifier oauth_signature auth_code SAMLRequest \
                SAMLResponse software_credential nonce login_token session_token
                """,
            shown: """
                grant_type client_id redirect_uri scope state response_type response_mode \
                token_type expires_in token_type_hint subject_token_type actor_token_type \
                requested_token_type client_assertion_type code_challenge code_challenge_method \
                audience resource username prompt display max_age ui_locales acr_values \
                login_hint error error_description error_uri interval verification_uri \
                oauth_consumer_key oauth_nonce_method oauth_signature_method oauth_timestamp \
                oauth_version oauth_callback token_endpoint jwks_uri issuer
                """),
        .init(
            from: "Queries", place: .query,
            hidden: """
                key api_key apikey access_token token auth sig signature X-Amz-Signature \
                X-Amz-Security-Token X-Amz-Credential X-Goog-Signature X-Goog-Credential session \
                sid jsessionid PHPSESSID password code client_secret subscription-key hapikey_token \
                secret pin otp hmac sign authkey appkey sharedAccessKey sastoken csrf_token pw pwd \
                user[password] token[0] auth.token api-key apiKey API_KEY accessToken userToken \
                reset_token confirmation_token invitation_token unsubscribe_token oauth_token
                """,
            shown: """
                q page per_page limit offset cursor sort order max-keys prefix delimiter marker \
                key-marker start-after continuation-token page_token nextPageToken pageToken \
                sync_token list-type encoding-type versionId X-Amz-Date X-Amz-Expires \
                X-Amz-Algorithm X-Amz-SignedHeaders X-Goog-Date X-Goog-Expires filter fields \
                include expand since until from to country_code language_code currency_code \
                postal_code zip_code area_code status_code error_code sort_key group_key cache_key \
                startkey endkey partition_key public_key keyword keywords monkey author authors \
                authority authenticated token_type tokenize secretary session_length sessions \
                signature_method designator signed assigned pinned pins pinterest passenger \
                passengers compass bypass_cache passive pincode codes codec decode encode barcode \
                qrcode timezone lang locale format callback alt id ids user account region
                """),
        .init(
            from: "Headers", place: .header,
            hidden: """
                Authorization Proxy-Authorization Authentication Cookie Set-Cookie X-Api-Key X-API-KEY Api-Key \
                X-Auth-Token X-Auth-Key X-Access-Token X-Session-Token X-Session-Id X-CSRF-Token \
                X-XSRF-TOKEN X-CSRFToken Private-Token JOB-TOKEN Deploy-Token X-Vault-Token \
                X-Amz-Security-Token X-Goog-Api-Key X-Goog-Iam-Authorization-Token \
                Ocp-Apim-Subscription-Key X-Functions-Key X-Shopify-Access-Token \
                X-Hub-Signature X-Hub-Signature-256 Stripe-Signature X-Slack-Signature \
                X-Twilio-Signature X-Line-Signature DPoP X-RapidAPI-Key X-MBX-APIKEY \
                CB-ACCESS-KEY CB-ACCESS-SIGN-SECRET CB-ACCESS-PASSPHRASE CB-ACCESS-SIGNATURE \
                X-Parse-REST-API-Key X-Parse-Master-Key X-Parse-Session-Token X-User-Token \
                X-Service-Token X-Subject-Token X-Plex-Token X-Figma-Token X-Tracker-Token \
                X-Redmine-API-Key X-Elastic-Client-Secret X-Algolia-API-Key X-Honeycomb-Token \
                Circle-Token Fastly-Key-Token X-Papertrail-Token X-Consul-Token X-Nomad-Token \
                X-Registry-Auth-Token Authentication-Token Session-Cookie X-2FA-Code X-OTP \
                Github-Verification-Token X-Gitlab-Token X-Client-Secret x-ms-client-secret \
                X-Authorization X-Forwarded-Authorization Sec-Token-Secret X-Key
                """,
            shown: """
                Accept Accept-Encoding Accept-Language Age Allow Alt-Svc Cache-Control \
                Content-Disposition Content-Encoding Content-Language Content-Length \
                Content-Location Content-Range Content-Type Date ETag Expect Expires From Host \
                If-Match If-Modified-Since If-None-Match If-Range If-Unmodified-Since \
                Last-Modified Link Location Origin Pragma Prefer Range RateLimit-Limit \
                RateLimit-Remaining Referer Retry-After Server Strict-Transport-Security TE \
                Trailer Transfer-Encoding Upgrade User-Agent Vary Via WWW-Authenticate \
                Idempotency-Key Sec-WebSocket-Key Sec-WebSocket-Accept Surrogate-Key X-Cache-Key \
                Cache-Key X-Request-Id X-Correlation-Id X-Amz-Date X-Amz-Content-Sha256 \
                x-amz-request-id x-amz-version-id x-amz-server-side-encryption \
                x-amz-server-side-encryption-customer-algorithm X-Ratelimit-Limit-Tokens \
                X-Ratelimit-Remaining-Tokens Anthropic-Version OpenAI-Organization \
                Stripe-Version X-GitHub-Api-Version X-GitHub-Media-Type X-OAuth-Scopes \
                X-Accepted-OAuth-Scopes Access-Control-Allow-Credentials-Mode Signature-Input \
                Public-Key-Pins Digest Content-Digest Content-MD5 Traceparent Tracestate Forwarded \
                X-Forwarded-For Sec-Fetch-Mode Sec-GPC DNT Authority Author Last-Event-ID
                """),
        .init(
            from: "JSON of sign-ins, payments and clouds", place: .json,
            hidden: """
                SecretString SecretBinary secret_value tokenValue token_v2 password_value \
                access_token accessToken refresh_token refreshToken id_token idToken token tokens \
                auth_token authToken session_token sessionToken csrfToken password newPassword \
                old_password passwordConfirmation password_confirmation passwd passphrase \
                client_secret clientSecret secret secretKey secret_key api_key apiKey apikey \
                private_key privateKey signing_key webhook_secret webhookSecret \
                endpoint_secret encryption_key master_key ephemeralKey SecretAccessKey \
                SessionToken aws_secret_access_key AccountKey SharedAccessKey connectionString \
                credential credentials creds cookie cookies sessionId session_id otp totp_secret \
                mfa_code mfaCode verification_code verificationCode email_code sms_code \
                recovery_codes backup_codes backupCodes security_code cvc cvv cvv2 card_number \
                cardNumber ssn mnemonic seed_phrase bearer jwt dpop signature signatures hmac \
                device_code device_token deviceToken push_token registration_token fcm_token \
                bot_token user_token app_secret appSecret consumer_secret db_password \
                smtp_password root_password adminPassword license_key sas_token auth_key authKey \
                access_key accessKey storage_key subscription_key pass pw pwd 2fa_code user_pin \
                userPin hashed_password password_hash passwordHash x_csrf_token code_verifier \
                client_assertion authorization proxy_authorization deploy_key sshPrivateKey \
                kubeconfig_token stream_key_secret upload_token uploadToken shared_secret \
                Password__c API_Token__c apiKeyLive api_key_test private_key_pem privateKeyBase64 \
                keyMaterial key_material tokenHash token_digest secret_plaintext tokenValue \
                passwd_hash passwordEncrypted client_secret_value ssn_encrypted cvvValue
                """,
            shown: """
                hash_value Id__c Name__c Session__c key_value token_type_hash test_live \
                public_key_pem publicKeyBase64 digest_value commit_hash code_hash pin_test \
                Name_Encrypted material \
                id name key keys license session sessions pin pins auth code status \
                type title description message detail error errors error_code errorCode \
                country_code countryCode currency language public_key publicKey publishable_key \
                primary_key foreign_key sort_key partition_key cache_key idempotency_key \
                object_key Key Keys MaxKeys KeyCount NextContinuationToken ContinuationToken \
                nextPageToken next_page_token NextToken pageToken nextSyncToken syncToken \
                max_tokens maxTokens total_tokens prompt_tokens completion_tokens input_tokens \
                output_tokens cached_tokens reasoning_tokens token_type tokenType token_count \
                tokenizer num_tokens stop_tokens secret_name secretName has_secret_name \
                password_updated_at passwordChangedAt password_policy expires_in access_type \
                author authors authority authorized_by signed_at signature_status \
                signature_algorithm cookie_policy cookieConsent session_length session_count \
                keyword keywords monkey turkey keyboard passenger passengers passing passed \
                passes compass bypass boarding_pass pinned pin_count pincode pinCode opinion \
                spinner code_of_conduct codename coder qr_code barcode zip_code postal_code \
                promo_code coupon_code discount_code airport_code status_code exit_code sku \
                email phone address city user username login avatar_url html_url clone_url \
                created_at updated_at price amount total count page limit offset cursor next prev \
                self href rel links tags labels state nonce hash sha sha256 md5 checksum etag \
                digest fingerprint uuid guid version revision commit tree branch sig_count \
                salt seed bucket region zone tokenized accesskeyid AccessKeyId aws_access_key_id \
                key_id keyId kid private public visibility authenticated verified \
                two_factor_authentication mfa mfa_enabled crypto currency_pair card brand last4 \
                exp_month fingerprint_hash default_pass_rate tokens_per_minute
                """),
        .init(
            from: "JSON whose values are numbers", place: .number,
            hidden: "pin_secret password otp passcode cvc cvv card_number ssn mfa_code token",
            shown: """
                pass signature time_signature \
                tokens access_tokens pin code key session max_tokens expires_in total \
                token_count pincode
                """),
        .init(
            from: "Forms and parts", place: .form,
            hidden: """
                password password2 new_password user[password] authenticity_token \
                csrfmiddlewaretoken _csrf __RequestVerificationToken login-password pass pwd pin \
                otp totp totp_code 2fa mfa_code security_code card[cvc] card[number] card[number][secret] \
                signature X-Amz-Signature x-amz-security-token api_dev_key_token secret \
                recovery_code sms-code auth session webhook_secret g-recaptcha-token
                """,
            shown: """
                key policy Content-Type success_action_status acl x-amz-algorithm x-amz-date \
                AWSAccessKeyId bucket file filename username email remember_me commit utf8 \
                _method button amount currency source description card[exp_month] \
                items[0][price] metadata[order] customer mode line_items[0][quantity] To Body
                """),
    ]
}
