from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0007_people_are_suspended_and_sign_in"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="deleted_at",
            field=models.DateTimeField(editable=False, null=True, verbose_name="deleted"),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("deleted_at", None),
                    models.Q(
                        ("email", ""),
                        ("is_active", False),
                        ("is_staff", False),
                        ("is_superuser", False),
                        ("password__startswith", "!"),
                    ),
                    _connector="OR",
                ),
                name="a_deleted_account_is_nobodys",
            ),
        ),
    ]
