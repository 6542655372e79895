"""Static files under hashed names, compressed once, their addresses worked out once."""

from functools import lru_cache

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFilesStorage(CompressedManifestStaticFilesStorage):
    """WhiteNoise's storage. Every page links the same handful of files, so their addresses are kept."""

    @lru_cache(maxsize=256)  # noqa: B019  (there is one storage, for as long as the process lives)
    def url(self, name: str | None, force: bool = False) -> str:
        return str(super().url(name, force))
