from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0005_the_next_in_line_says_they_are_ready'),
    ]

    operations = [
        migrations.AddField(
            model_name='clock',
            name='resumed_at',
            field=models.DateTimeField(null=True, verbose_name='resumed'),
        ),
    ]
