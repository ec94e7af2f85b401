#!/bin/sh
# The rows' paths as a CGI program, for httpd and lighttpd.

text() { printf 'Content-Type: text/plain\r\n%s\r\n%s' "$2" "$1"; }

case "$REQUEST_URI" in
*/echo) text "$REQUEST_METHOD $(wc -c)" ;;
/small) text "$REQUEST_METHOD $(wc -c)" ;;
/form) wc -c >/dev/null; text "$REQUEST_METHOD" ;;
/chunked | /unknown) text "Hello, world!" ;;
/many) printf 'Content-Type: text/plain\r\nX-Many: a\r\nX-Many: b\r\n\r\n' ;;
/header) text "$HTTP_X_FOO" ;;
/circle) printf 'Status: 302\r\nLocation: /circle\r\n\r\n' ;;
/version) text "$SERVER_PROTOCOL" ;;
/name) text "$SSL_TLS_SNI" ;;
/empty-body) printf 'Status: 204\r\n\r\na body' ;;
/empty) printf 'Status: 204\r\n\r\n' ;;
/move/hello) printf 'Status: 302\r\nLocation: /hello.txt\r\n\r\n' ;;
/move/*)
    wc -c >/dev/null
    printf 'Status: %s\r\nLocation: /echo\r\n\r\n' "${REQUEST_URI#/move/}" ;;
/headers/*)
    printf 'Content-Type: text/plain\r\n'
    value=$(head -c 1000 /dev/zero | tr '\0' a)
    i=0
    while [ "$i" -lt "${REQUEST_URI#/headers/}" ]; do
        printf 'X-%s: %s\r\n' "$i" "$value"
        i=$((i + 1))
    done
    printf '\r\nHello, world!' ;;
/counted/*)
    file=$SERVERS_COUNTS/${REQUEST_URI#/counted/}
    echo >>"$file"
    printf 'Content-Type: text/plain\r\nCache-Control: max-age=60\r\n\r\n%s' "$(($(wc -l <"$file")))" ;;
*) printf 'Status: 404\r\n\r\n' ;;
esac
