from django.db import migrations
from django.db.models import F, Max


def to_rows(apps, schema_editor):
    """What a person decided used to be a row of its own beside the pair's gold; it is the pair's gold now.

    A lead's words to annotators were kept as the gold's comment, and what a person left unmarked as dismissed
    suggestions.
    """
    gold = apps.get_model("annotation", "Annotation").objects.filter(source="gold")
    gold.filter(verdict="submitted").update(feedback=F("comment"), comment="")
    gold.exclude(dismissed=[]).update(unmarked=F("dismissed"), dismissed=[])
    for decision in apps.get_model("agreement", "HandDecision").objects.select_related("pair"):
        _decide(gold, apps.get_model("agreement", "GoldVersion").objects, decision)


def _decide(gold, versions, decision):
    """Make the row that says the same the decision: the open draft's, else the newest."""
    versions = versions.filter(project=decision.pair.project_id)
    draft = versions.filter(open=True).values_list("number", flat=True).first()
    rows = list(gold.filter(pair=decision.pair_id).order_by("-gold_version"))
    rows.sort(key=lambda row: row.gold_version != draft)
    said = (decision.spans, decision.answers)
    row = next((row for row in rows if (row.spans, row.answers) == said), None)
    found = {"decided": decision.made, "decided_by": decision.made_by, "comment": decision.comment}
    if row is None:  # its row was changed by other means than Diptych's: it goes on in the version that comes next
        number = draft or (versions.aggregate(last=Max("number"))["last"] or 0) + 1
        row, _ = gold.get_or_create(
            source="gold", pair=decision.pair, gold_version=number, defaults={"revision": decision.revision}
        )
        found |= {"spans": decision.spans, "answers": decision.answers}
        found["span_count"] = len(decision.spans["spans"])
    if not row.verdict:
        found["provenance"] = decision.provenance
    gold.filter(pk=row.pk).update(**found)


class Migration(migrations.Migration):
    dependencies = [
        ("agreement", "0006_codes_of_reasons"),
        ("annotation", "0008_one_row_of_gold_a_pair"),
    ]

    operations = [
        migrations.RunPython(to_rows, migrations.RunPython.noop),
        migrations.DeleteModel(name="HandDecision"),
    ]
