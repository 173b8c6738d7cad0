"""The door of the web server: every request passes here. What is not allowed is refused before any page sees it."""

import secrets
from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl, quote, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from vision.store.database import StoreError
from vision.store.people import ROLES, SESSION_NS, People, Session

COOKIE: Final = "feltwatch"  # holds the token of a session
FORM_COOKIE: Final = "feltwatch_form"  # holds the token of the login form
FORM_FIELD: Final = "form_token"
LOGIN, PASSWORD, LOGOUT = "/login", "/password", "/logout"
OPEN: Final = frozenset({LOGIN, "/static/style.css", "/static/icon.svg"})  # all that is shown without a login
CHANGING: Final = frozenset({PASSWORD, LOGOUT})  # all that one can do before one has chosen a password
NEEDS: Final = {"/people": "admin", "/log": "admin", "/setup": "engineer", "/replay": "engineer"}  # pages of a role
LONGEST_BODY: Final = 16_384  # bytes of a form
LONGEST_AGE_S: Final = SESSION_NS // 1_000_000_000
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}


class Guard:
    """Lets in who is logged in and asks for this host by a name it has; takes a form only from our own pages."""

    def __init__(self, app: ASGIApp, people: People, hosts: frozenset[str]) -> None:
        self._app, self._people, self._hosts = app, people, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let it pass."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        try:
            refusal = self._wrong_host(request) or await self._refusal(request)
        except StoreError as error:
            refusal = PlainTextResponse(f"The store cannot be used: {error}", 503)
        await (refusal or self._app)(scope, receive, _with_headers(send, is_secure(request)))

    def _wrong_host(self, request: Request) -> Response | None:
        """Refuse a request for another name: a page elsewhere could have pointed its own name at this machine."""
        name = urlsplit(f"//{request.headers.get('host', '')}").hostname
        if name in self._hosts:
            return None
        return PlainTextResponse(f"This server does not go by the name {name!r}; see `feltwatch serve --name`.", 421)

    async def _refusal(self, request: Request) -> Response | None:
        token = request.cookies.get(COOKIE, "")
        session = await run_in_threadpool(self._people.session, token) if token else None
        request.state.session = session
        request.state.token = token
        return _lacks_login(request, session) or await _bad_form(request, session)


def _lacks_login(request: Request, session: Session | None) -> Response | None:
    path = request.url.path
    if path in OPEN:
        return None
    if session is None:
        back = quote(path + (f"?{request.url.query}" if request.url.query else ""))
        return _sent_to(request, f"{LOGIN}?next={back}", 401, "Log in first.")
    if session.must_change and path not in CHANGING and not path.startswith("/static/"):
        return _sent_to(request, PASSWORD, 403, "Choose a password of your own first.")
    wanted = _role_for(request.method, path)
    return (
        None
        if session.may(wanted)
        else PlainTextResponse(f"This needs the role {wanted}; you are {session.role}.", 403)
    )


def _role_for(method: str, path: str) -> str:
    """Return the role that a request needs: whoever changes anything but the own password is an operator at least."""
    role = NEEDS.get("/" + path.split("/")[1], "viewer")
    is_changing = method not in ("GET", "HEAD") and path not in (*CHANGING, LOGIN)
    return max(role, "operator" if is_changing else "viewer", key=ROLES.index)


def _sent_to(request: Request, path: str, status: int, why: str) -> Response:
    """Send a person to a page; whatever is not a person's own look at a page is told why not."""
    if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        return RedirectResponse(path, 303)
    return PlainTextResponse(why, status)


async def _bad_form(request: Request, session: Session | None) -> Response | None:
    """Read a form, and refuse one that is not ours: from elsewhere, or without the token of this session."""
    if request.method in ("GET", "HEAD"):
        return None
    if not _is_from_here(request.headers):
        return PlainTextResponse("This form came from another site.", 403)
    form = await _form(request)
    if form is None:
        return PlainTextResponse(f"A form has {LONGEST_BODY} bytes at most.", 413)
    request.state.form = form
    wanted = session.form_token if session is not None else request.cookies.get(FORM_COOKIE, "")
    if not wanted or not secrets.compare_digest(wanted.encode(), form.get(FORM_FIELD, "").encode()):
        return PlainTextResponse("This form is out of date. Go back, load the page again, and send it again.", 403)
    return None


def _is_from_here(headers: Mapping[str, str]) -> bool:
    origin = headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != headers.get("host"):
        return False
    return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")


async def _form(request: Request) -> dict[str, str] | None:
    """Return the fields of a form; None if it is too large to be one of ours."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LONGEST_BODY:
            return None
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))


def is_secure(request: Request) -> bool:
    """Tell whether the browser came by TLS, here or up to a proxy before us."""
    return "https" in (request.url.scheme, request.headers.get("x-forwarded-proto"))


def _with_headers(send: Send, secure: bool) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(HEADERS)
            if secure:
                headers["Strict-Transport-Security"] = "max-age=31536000"
        await send(message)

    return send_with_headers


def keep_session(response: Response, token: str, request: Request) -> None:
    """Give the browser the token of a session; no script and no other site can use it."""
    _keep(response, COOKIE, token, request, LONGEST_AGE_S)
    response.delete_cookie(FORM_COOKIE, httponly=True, samesite="strict")


def keep_form_token(response: Response, token: str, request: Request) -> None:
    """Give the browser the token of the login form, which has no session yet."""
    _keep(response, FORM_COOKIE, token, request, None)


def end_session(response: Response) -> None:
    """Take the token of a session from the browser."""
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")


def _keep(response: Response, name: str, value: str, request: Request, age_s: int | None) -> None:
    secure = is_secure(request)
    response.set_cookie(name, value, max_age=age_s, secure=secure, httponly=True, samesite="strict")


def local_path(text: str) -> str:
    """Return a path of this site; whatever leads elsewhere is the first page."""
    is_ours = text.startswith("/") and not text.startswith(("//", "/\\")) and text.isprintable() and "\\" not in text
    return text if is_ours else "/"
