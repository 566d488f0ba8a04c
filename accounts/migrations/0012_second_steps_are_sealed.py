"""What was kept of second steps in the clear is sealed with SECRET_KEY."""

from django.db import migrations

from accounts import sealing

SECRETS = ("secret", "seed")


def seal_all(apps, _schema_editor):
    _change_all(apps, lambda kept: sealing.seal(sealing.unseal(kept)))


def unseal_all(apps, _schema_editor):
    _change_all(apps, sealing.unseal)


def _change_all(apps, change):
    for step in apps.get_model("mfa", "Authenticator").objects.all():
        found = {name: change(step.data[name]) for name in SECRETS if name in step.data}
        if found:
            step.data = {**step.data, **found}
            step.save(update_fields=["data"])


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0011_the_computer_has_an_account_a_level"),
        ("mfa", "0003_authenticator_type_uniq"),
    ]

    operations = [migrations.RunPython(seal_all, unseal_all)]
