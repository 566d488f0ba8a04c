"""The next in line says that they are ready, as the players do by asking for a rematch."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0004_time_talk_and_lines")]

    operations = [
        migrations.AddField(
            model_name="waiting",
            name="ready_after",
            field=models.PositiveIntegerField(default=0, verbose_name="ready after game"),
        ),
    ]
