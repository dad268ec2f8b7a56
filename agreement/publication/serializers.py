"""The shapes of publications in the API."""

from __future__ import annotations

from rest_framework import serializers

from agreement.publication.difference import KINDS, TERMS
from agreement.publication.facts import CREATORS, LICENCES, NAMES
from annotation.models import JOB_CHOICES
from annotation.serializers.base import ErrorSerializer, Fields, PagedSerializer

MAX_INTEGER = 2**31 - 1


class FactsSerializer(Fields):
    """What people state for the card; '' is not stated. `creators` is one of the hub's terms."""

    contact = serializers.CharField(allow_blank=True, required=False)
    citation = serializers.CharField(allow_blank=True, required=False)
    sources = serializers.CharField(allow_blank=True, required=False)
    source_datasets = serializers.CharField(allow_blank=True, required=False)
    texts_licence = serializers.CharField(allow_blank=True, required=False)
    creators = serializers.ChoiceField(choices=list(CREATORS), allow_blank=True, required=False)
    recruitment = serializers.CharField(allow_blank=True, required=False)
    pay = serializers.CharField(allow_blank=True, required=False)
    limits = serializers.CharField(allow_blank=True, required=False)
    homepage = serializers.CharField(allow_blank=True, required=False)
    paper = serializers.CharField(allow_blank=True, required=False)


class CardFactsSaveSerializer(Fields):
    """The facts on top of a revision: they are saved whole, and omitted facts are no longer stated."""

    revision = serializers.IntegerField(min_value=0, max_value=MAX_INTEGER)
    facts = FactsSerializer()


class CardFactsSerializer(Fields):
    """What is stated, its revision (0: nothing yet), and what is missing before a dataset can be published."""

    revision = serializers.IntegerField()
    facts = FactsSerializer()
    missing = serializers.ListField(child=serializers.ChoiceField(choices=NAMES))


class PublicationRequestSerializer(Fields):
    """What is published: a format, and for a dataset its licence, description (Markdown) and splits to draw."""

    format = serializers.CharField(max_length=20)
    licence = serializers.CharField(max_length=80, required=False, help_text=", ".join(name for name, _ in LICENCES))
    description = serializers.CharField(max_length=20_000, required=False, allow_blank=True)
    splits = serializers.CharField(
        max_length=150, required=False, allow_blank=True, help_text="train=80, dev=10, test=10; empty: the pairs' own."
    )
    seed = serializers.IntegerField(min_value=0, max_value=MAX_INTEGER, required=False)
    preview = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Only make a dataset's card: it has the number 0, and the next preview replaces it.",
    )


class CardSerializer(Fields):
    """A dataset's card, as Markdown; empty until it is made."""

    card = serializers.CharField(allow_blank=True)


class PublicationSerializer(Fields):
    """A publication; `download` is the address of its file once it is `done`."""

    number = serializers.IntegerField()
    format = serializers.CharField()
    licence = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    gold = serializers.IntegerField(allow_null=True, help_text="The version of the gold in it.")
    splits = serializers.CharField(allow_blank=True)
    seed = serializers.IntegerField()
    status = serializers.ChoiceField(choices=JOB_CHOICES)
    total = serializers.IntegerField(help_text="pairs")
    done = serializers.IntegerField(help_text="pairs")
    problem = serializers.CharField(allow_blank=True)
    omitted = serializers.DictField(child=serializers.IntegerField(), help_text="What the format can't hold.")
    digest = serializers.CharField(allow_blank=True, help_text="The content hash.")
    file = serializers.CharField(allow_blank=True)
    size = serializers.IntegerField(help_text="bytes")
    made = serializers.DateTimeField()
    made_by = serializers.CharField(allow_null=True, help_text="The account that requested it.")
    download = serializers.CharField(allow_null=True)


class PublicationsSerializer(PagedSerializer):
    """Publications of a project, newest first."""

    publications = PublicationSerializer(many=True)


class CardIncompleteSerializer(ErrorSerializer):
    """A refusal; `missing` names everything that the card still has to state."""

    missing = serializers.ListField(child=serializers.CharField(), required=False)


class DeletedPublicationSerializer(Fields):
    """The number of the publication that was deleted."""

    deleted = serializers.IntegerField()


class DifferenceQuerySerializer(Fields):
    """The numbers of two datasets."""

    one = serializers.IntegerField(min_value=1, max_value=MAX_INTEGER)
    other = serializers.IntegerField(min_value=1, max_value=MAX_INTEGER)


class ChangeSerializer(Fields):
    """One thing that differs: the pair's id, and whose annotation it is ('' for the pair or its gold)."""

    pair = serializers.CharField()
    who = serializers.CharField(allow_blank=True)


class ChangesSerializer(Fields):
    """What differs in one way: how many, and the first of them."""

    kind = serializers.ChoiceField(choices=list(KINDS))
    count = serializers.IntegerField()
    first = ChangeSerializer(many=True)


class TermChangeSerializer(Fields):
    """What was chosen differently for the second publication; '' if nothing was chosen."""

    name = serializers.ChoiceField(choices=list(TERMS))
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)


class LabelCountSerializer(Fields):
    """How many spans have a label, before and after."""

    config = serializers.ChoiceField(choices=["gold", "annotations"])
    label = serializers.CharField()  # type: ignore[assignment]  # of the same name as a field's own
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class DifferenceSerializer(Fields):
    """What differs between two datasets, read from their files; `terms` is what was chosen differently for them."""

    one = serializers.IntegerField()
    other = serializers.IntegerField()
    terms = TermChangeSerializer(many=True)
    changes = ChangesSerializer(many=True)
    labels = LabelCountSerializer(many=True)


class PushRequestSerializer(Fields):
    """Where a dataset is pushed to. The token is used for this push and stored nowhere."""

    repository = serializers.CharField(max_length=200, help_text="owner/name; made if there is none.")
    tag = serializers.CharField(max_length=60)
    private = serializers.BooleanField(required=False, default=True)
    token = serializers.CharField(max_length=500, write_only=True)


class PushSerializer(Fields):
    """A push and how it went; `interrupted`: its process died, and it can be repeated."""

    id = serializers.IntegerField()
    repository = serializers.CharField()
    tag = serializers.CharField()
    private = serializers.BooleanField()
    status = serializers.ChoiceField(choices=JOB_CHOICES)
    interrupted = serializers.BooleanField()
    problem = serializers.CharField(allow_blank=True)
    url = serializers.CharField(allow_blank=True)
    made = serializers.DateTimeField()


class PushesSerializer(PagedSerializer):
    """Pushes of a publication, newest first."""

    pushes = PushSerializer(many=True)


class ConsentSerializer(Fields):
    """A person of the project, and when their consent was withdrawn (null: it was not)."""

    person = serializers.IntegerField()
    alias = serializers.CharField()
    withdrawn = serializers.DateTimeField(allow_null=True)


class ConsentsSerializer(PagedSerializer):
    """People of a project, in the order in which they joined."""

    people = ConsentSerializer(many=True)


class ConsentChangeSerializer(Fields):
    """Whether the person's annotations are excluded from every later publication."""

    withdrawn = serializers.BooleanField()
