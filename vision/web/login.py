"""Logging in and out, and choosing a password. Forms enter, sessions leave."""

import logging
import secrets
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from vision.store.people import SHORTEST, People, RefusedError, TooManyError
from vision.web import auth_middleware as guard
from vision.web.pages import Pages

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class LoginPages:
    """The pages about oneself."""

    people: People
    pages: Pages

    def routes(self) -> list[Route]:
        """Return where they are."""
        return [
            Route(guard.LOGIN, self.show, methods=["GET"]),
            Route(guard.LOGIN, self.login, methods=["POST"]),
            Route(guard.LOGOUT, self.logout, methods=["POST"]),
            Route(guard.PASSWORD, self.show_password, methods=["GET"]),
            Route(guard.PASSWORD, self.change_password, methods=["POST"]),
        ]

    def show(self, request: Request) -> Response:
        """Show the login form."""
        if request.state.session is not None:
            return RedirectResponse("/", 303)
        return self._form(request, 200, "", request.query_params.get("next", "/"))

    def login(self, request: Request) -> Response:
        """Begin a session; the one that the browser had before ends."""
        form = request.state.form
        name, back = form.get("name", ""), form.get("next", "/")
        address = request.client.host if request.client else "unknown"
        try:
            token = self.people.login(name, form.get("password", ""), address)
        except RefusedError as error:
            log.warning("login refused name=%r address=%s why=%s", name, address, error)
            return self._form(request, 429 if isinstance(error, TooManyError) else 401, str(error), back, name)
        self.people.logout(request.state.token)
        response = RedirectResponse(guard.local_path(back), 303)
        guard.keep_session(response, token, request)
        return response

    def logout(self, request: Request) -> Response:
        """End the session."""
        self.people.logout(request.state.token)
        response = RedirectResponse(guard.LOGIN, 303)
        guard.end_session(response)
        return response

    def show_password(self, request: Request) -> Response:
        """Show the form for another password."""
        return self._password(request, 200, "")

    def change_password(self, request: Request) -> Response:
        """Change the password; all sessions of this person end, and a new one begins."""
        form = request.state.form
        if form.get("new") != form.get("again"):
            return self._password(request, 400, "The two new passwords are not the same.")
        try:
            token = self.people.change(request.state.session.name, form.get("old", ""), form.get("new", ""))
        except RefusedError as error:
            return self._password(request, 400, str(error))
        response = RedirectResponse("/", 303)
        guard.keep_session(response, token, request)
        return response

    def _form(self, request: Request, status: int, why: str, back: str, name: str = "") -> Response:
        token = request.cookies.get(guard.FORM_COOKIE) or secrets.token_urlsafe(32)
        values = {"why": why, "back": guard.local_path(back), "name": name, "form_token": token}
        response = self.pages.page(request, "login.html", values, status)
        guard.keep_form_token(response, token, request)
        return response

    def _password(self, request: Request, status: int, why: str) -> Response:
        return self.pages.page(request, "password.html", {"why": why, "shortest": SHORTEST}, status)
