"""The shapes of parallel documents in the API."""

from __future__ import annotations

from rest_framework import serializers

from agreement.gold.services.document_exclusions import MAX_DOCUMENTS
from annotation.serializers.base import Fields, PagedSerializer, PageSerializer


class DocumentsQuerySerializer(PageSerializer):
    """Which documents: `q` is a part of the name."""

    q = serializers.CharField(required=False, default="", allow_blank=True, max_length=300)
    only = serializers.ChoiceField(choices=["flagged", "excluded"], required=False, default="", allow_blank=True)


class DocumentPairSerializer(Fields):
    """One of a document's pairs."""

    id = serializers.IntegerField()
    external_id = serializers.CharField()
    languages = serializers.CharField(help_text="'en-de': sides A and B.")
    flags = serializers.IntegerField(help_text="Annotators who flagged it.")
    rejections = serializers.IntegerField()
    excluded = serializers.BooleanField()
    reason = serializers.CharField(allow_blank=True, help_text="Why it is excluded.")


class DocumentSerializer(Fields):
    """A document, with its pairs of languages."""

    document = serializers.CharField()
    subdomain = serializers.CharField(allow_blank=True)
    flags = serializers.IntegerField(help_text="On all its pairs.")
    pairs = DocumentPairSerializer(many=True)


class SizeSerializer(Fields):
    """How long the texts of one side are, in a subdomain, or ('') in all."""

    languages = serializers.CharField()
    side = serializers.ChoiceField(choices=["a", "b"])
    language = serializers.CharField()
    subdomain = serializers.CharField(allow_blank=True)
    documents = serializers.IntegerField()
    tokens = serializers.IntegerField()
    min = serializers.IntegerField()
    max = serializers.IntegerField()
    mean = serializers.FloatField()


class DocumentsSerializer(PagedSerializer):
    """The documents of a project in the order of their first pairs; `statistics` are those of all its pairs."""

    statistics = SizeSerializer(many=True)
    documents = DocumentSerializer(many=True)


class DocumentsExcludedSerializer(Fields):
    """Documents to exclude from all gold made from now on, or to include again. A reason is needed to exclude them."""

    documents = serializers.ListField(
        child=serializers.CharField(max_length=300, trim_whitespace=False), allow_empty=False, max_length=MAX_DOCUMENTS
    )
    excluded = serializers.BooleanField()
    reason = serializers.CharField(required=False, default="", allow_blank=True, max_length=2000)


class DocumentsChangedSerializer(Fields):
    """How many documents were named, and how many of their pairs changed."""

    documents = serializers.IntegerField()
    pairs = serializers.IntegerField()
