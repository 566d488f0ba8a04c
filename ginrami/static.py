"""Static files under hashed names, imports inside JavaScript modules included."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """Hash module imports too: Django leaves them unhashed unless asked."""

    support_js_module_import_aggregation = True
