"""The shapes of a project's life in the API: its checklist, archive, copies and deletion."""

from __future__ import annotations

from rest_framework import serializers

from annotation.selectors.audit import Topic
from annotation.selectors.checklist import StepName
from annotation.serializers.base import Fields, PagedSerializer, PageSerializer


class StepSerializer(Fields):
    """A step; `count` is how many there are of what it is about, `lacking` how many of them need something."""

    step = serializers.ChoiceField(choices=[name.value for name in StepName])
    done = serializers.BooleanField()
    optional = serializers.BooleanField()
    count = serializers.IntegerField(help_text="Pairs, people, assignments; the version of the guidelines.")
    lacking = serializers.IntegerField(help_text="Annotators whose languages nobody has entered.")


class ChecklistSerializer(Fields):
    """What a project still needs; `running`: someone has submitted a pair."""

    running = serializers.BooleanField()
    steps = StepSerializer(many=True)


class ArchivedSerializer(Fields):
    """Whether a project is archived: it can then be read and exported, and not changed."""

    archived = serializers.BooleanField()


class DuplicateSerializer(Fields):
    """A copy with its name; `slug` is derived from the name unless given. `glossary`: whether it gets the entries."""

    name = serializers.CharField(max_length=200)
    slug = serializers.SlugField(max_length=80, required=False, default="")
    glossary = serializers.BooleanField(required=False, default=False)


class ChangesQuerySerializer(PageSerializer):
    """Which changes are wanted."""

    kind = serializers.ChoiceField(choices=[kind.value for kind in Topic], required=False, default="")
    person = serializers.CharField(required=False, default="", help_text="The username of who made them.")


class ChangedValueSerializer(Fields):
    """A value before and after, in words; '' for none."""

    name = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class ProjectChangeSerializer(Fields):
    """A change, in the reader's language. `by` is '' for commands, workers and accounts that were removed."""

    at = serializers.DateTimeField()
    by = serializers.CharField()
    kind = serializers.ChoiceField(choices=[kind.value for kind in Topic])
    what = serializers.CharField()
    about = serializers.CharField()
    values = ChangedValueSerializer(many=True)


class ProjectChangesSerializer(PagedSerializer):
    """A page of the changes, newest first."""

    changes = ProjectChangeSerializer(many=True)


class DeletionCountsSerializer(Fields):
    """What a deletion would remove, or has removed."""

    pairs = serializers.IntegerField()
    people = serializers.IntegerField()
    assignments = serializers.IntegerField()
    annotations = serializers.IntegerField()
    gold = serializers.IntegerField(help_text="Pairs with gold.")
    messages = serializers.IntegerField(help_text="Between annotators and leads.")
    guidelines = serializers.IntegerField(help_text="Versions.")
    glossary = serializers.IntegerField(help_text="Entries.")
    runs = serializers.IntegerField()
    gold_versions = serializers.IntegerField()
    publications = serializers.IntegerField()


class DeletionSerializer(Fields):
    """A project's full name, which confirms its deletion."""

    name = serializers.CharField(max_length=200)


class DeletedSerializer(Fields):
    """A project that is deleted; `done`: nothing of it remains, or else a worker is removing its data."""

    slug = serializers.CharField()
    done = serializers.BooleanField()
    counts = DeletionCountsSerializer()


class ProjectNamedSerializer(Fields):
    """A project that was made."""

    name = serializers.CharField()
    slug = serializers.CharField()
