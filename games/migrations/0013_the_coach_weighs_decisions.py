import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0012_friends_are_made_by_a_link'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Analysis',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('hand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='analyses', to='games.hand')),
                ('seat', models.PositiveSmallIntegerField(verbose_name='seat')),
                ('asked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('playouts', models.PositiveIntegerField(verbose_name='playouts a decision')),
                ('state', models.CharField(choices=[('building', 'Under way'), ('ready', 'Finished'), ('failed', 'Given up')], default='building', max_length=8, verbose_name='state')),
                ('done', models.PositiveIntegerField(default=0, verbose_name='done')),
                ('total', models.PositiveIntegerField(verbose_name='total')),
                ('tries', models.PositiveSmallIntegerField(default=0, verbose_name='failed tries')),
                ('asked_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='asked')),
                ('moved_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='went on')),
            ],
            options={
                'verbose_name': 'analysis',
                'verbose_name_plural': 'analyses',
                'default_permissions': (),
                'constraints': [
                    models.UniqueConstraint(fields=('hand', 'seat'), name='one_analysis_a_seat'),
                    models.UniqueConstraint(condition=Q(('state', 'building')), fields=('asked_by',), name='one_analysis_at_a_time'),
                    models.CheckConstraint(condition=Q(('state__in', ('building', 'ready', 'failed'))), name='an_analysis_is_building_ready_or_failed'),
                    models.CheckConstraint(condition=Q(('done__lte', F('total'))), name='no_more_is_weighed_than_there_is'),
                    models.CheckConstraint(condition=~Q(('state', 'ready')) | Q(('done', F('total'))), name='a_ready_analysis_is_whole'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Weighing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('analysis', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='weighings', to='games.analysis')),
                ('ply', models.PositiveIntegerField(verbose_name='ply')),
                ('moves', models.JSONField(verbose_name='moves')),
            ],
            options={
                'verbose_name': 'decision weighed',
                'verbose_name_plural': 'decisions weighed',
                'ordering': ['ply'],
                'default_permissions': (),
                'constraints': [models.UniqueConstraint(fields=('analysis', 'ply'), name='a_decision_is_weighed_once')],
            },
        ),
    ]
