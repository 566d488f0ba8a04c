"""Static files under hashed names, imports inside JavaScript modules included."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """Hash module imports too: Django leaves them unhashed unless asked."""

    support_js_module_import_aggregation = True
    # A pass resolves one more level of imports, and the table's modules nest deeper than five.
    max_post_process_passes = 20
