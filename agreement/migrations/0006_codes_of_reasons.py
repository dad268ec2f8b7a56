import re

from django.db import migrations

NUMBERS = {"n": int, "of": int, "share": float, "p": float}
PATTERNS = {"n": r"\d+", "of": r"\d+", "share": r"[\d.]+", "p": r"[\d.]+", "name": ".+"}
# What rules said until now, and before that; of the same code the sentences in the order of time.
SENTENCES = {
    "tie": ("a tie",),
    "labels-differ": ("all marked it, with different labels", "everyone marked it, with different labels"),
    "label-disputed": ("its annotators are divided over the label", "annotators disagree on the label"),
    "no-majority": ("no label has more than half of the votes", "no label has a majority"),
    "not-alike": ("not all marked it alike", "not everyone marked it the same way"),
    "three-way-tie": ("same, new and connotation have the same number of votes",),
    "middle-labels-differ": ("the two middle labels differ",),
    "improbable": ("the label has a probability of {p} only", "the label's probability is only {p}"),
    "marked-by": ("{n} of {of} marked it",),
    "inferable-by": ("{n} of {of} found it inferable", "{n} of {of} marked it inferable"),
    "connotation-by": ("{n} of {of} found another connotation", "{n} of {of} marked a connotation"),
    "new-by": ("{n} of {of} found it new", "{n} of {of} marked it new"),
    "same-by": ("{n} of {of} found it the same", "{n} of {of} considered it the same"),
    "answers-tied": ("two answers were given equally often", "two answers are tied"),
    "no-answer-majority": ("no answer was given by more than half", "no answer has a majority"),
    "middle-answers-differ": ("the two middle answers differ",),
    "answers-differ": ("not all gave the same answer", "not everyone gave the same answer"),
    "unanswered": ("nobody answered",),
    "rejected": ("rejected by {n} annotators", "found not comparable by {n} annotators"),
    "not-submitted": ("nobody handed in an annotation", "no annotation was submitted"),
    "none-picked": ("{n} annotations and none picked", "{n} annotations, none picked"),
    "picked-absent": (
        "{name} was picked and handed in no annotation of it",
        "{name} was picked but submitted no annotation",
    ),
    "nearly-all-new": (
        "{n} annotators marked more than {share} % of its tokens new",
        "{n} annotators marked more than {share}% of its tokens new",
    ),
}


def _pattern(sentence):
    return re.compile(re.sub(r"\\{(\w+)\\}", lambda found: f"(?P<{found[1]}>{PATTERNS[found[1]]})", re.escape(sentence)))


KNOWN = [(code, _pattern(sentence)) for code, sentences in SENTENCES.items() for sentence in sentences]


def coded(sentence):
    """A kept sentence as a code with parameters; what no rule said is someone's own words."""
    for code, pattern in KNOWN:
        if found := pattern.fullmatch(sentence):
            return {"code": code, **{name: NUMBERS.get(name, str)(value) for name, value in found.groupdict().items()}}
    return {"code": "other", "text": sentence}


def _provenance_coded(model, rows):
    changed = []
    for row in rows.exclude(provenance={}).only("provenance").iterator(chunk_size=400):
        kept = [origin for origin in row.provenance.values() if isinstance(origin.get("unsure"), str)]
        for origin in kept:
            origin["unsure"] = coded(origin["unsure"])
        if kept:
            changed.append(row)
    model.objects.bulk_update(changed, ["provenance"], batch_size=400)


def to_codes(apps, schema_editor):
    """Why rules were unsure or excluded pairs used to be kept as English sentences."""
    version, decision = (apps.get_model("agreement", name) for name in ("GoldVersion", "HandDecision"))
    annotation = apps.get_model("annotation", "Annotation")
    for row in version.objects.exclude(excluded={}):
        row.excluded = {pair: coded(why) for pair, why in row.excluded.items()}
        row.save(update_fields=["excluded"])
    _provenance_coded(decision, decision.objects.all())
    _provenance_coded(annotation, annotation.objects.filter(source="gold"))


class Migration(migrations.Migration):
    dependencies = [
        ("agreement", "0005_names_of_publication_states"),
        ("annotation", "0007_reassigned_assignments"),
    ]

    operations = [migrations.RunPython(to_codes, migrations.RunPython.noop)]
