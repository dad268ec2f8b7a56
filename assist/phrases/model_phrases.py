"""Why a model isn't available or can't be used: stored in English, shown in the reader's language."""

from __future__ import annotations

from annotation.phrases import Phrase

ENCODER, TRANSLATION_MODEL, NLI_MODEL = Phrase("encoder"), Phrase("translation model"), Phrase("NLI model")
TRAINED, LANGUAGE_MODEL = Phrase("trained encoder"), Phrase("language model")
KINDS = {each.message: each for each in (ENCODER, TRANSLATION_MODEL, NLI_MODEL, LANGUAGE_MODEL)}
"""What sentences call a model, by the word that methods use."""

NO_PACKAGES = Phrase("encoders need packages that are not installed on this machine (%(packages)s): run script/setup")
NO_PACKAGES_FOR_MINING = Phrase(
    "encoders need packages that are not installed on this machine (%(packages)s): run script/setup, or compare by "
    "words"
)
NO_POOLER = Phrase("encoder '%(name)s' has no pooler; set pooling to mean")
NO_FOLDER = Phrase("%(kind)s '%(name)s' is not on this machine: there is no such folder, or no %(kind)s in it")
DOWNLOADS_OFF = Phrase(
    "%(kind)s '%(name)s' is not on this machine, and downloads are switched off (HF_HUB_OFFLINE): choose one that is"
)
NO_SUCH_NAME = Phrase("%(kind)s '%(name)s' is not on this machine, and no hub can have one with this name")
NO_REVISION = Phrase("%(kind)s '%(name)s' is not on this machine, and the hub has no revision '%(revision)s' of it")
NOT_ON_HUB = Phrase("%(kind)s '%(name)s' is not on this machine, and the hub has no public one with this name")
HUB_UNREACHABLE = Phrase(
    "%(kind)s '%(name)s' is not on this machine and cannot be downloaded, because the hub does not answer: "
    "choose another, or try later"
)
LINK_OUTSIDE = Phrase("%(kind)s '%(name)s' is not loaded: a link in it points outside the folder of models")
PICKLED = Phrase(
    "%(kind)s '%(name)s' is not loaded: none of its weights are safetensors, and other files could run code. Choose "
    "another, give a revision that has a model.safetensors (often a pull request, such as refs/pr/1), or have the "
    "server administrator convert the weights"
)
BAD_INDEX = Phrase(
    "%(kind)s '%(name)s' is not loaded: its model.safetensors.index.json names other files than safetensors in the "
    "same folder"
)
ADAPTER = Phrase(
    "%(kind)s '%(name)s' is not loaded: its adapter_config.json makes it an adapter, which may name another model. "
    "Choose a whole model; the server administrator can merge an adapter into its model and save that"
)
NO_WORDS = Phrase("%(kind)s '%(name)s' is not loaded: its tokenizer has no words; the tokenizer's files are missing")
INCOMPLETE = Phrase("%(kind)s '%(name)s' is not loaded: its files lack some of the model's weights")
NAME_IS_A_FOLDER = Phrase(
    "%(kind)s '%(name)s' cannot be loaded: a folder here has the same name; give the folder's full path"
)
NOT_LOADED = Phrase("%(kind)s '%(name)s' cannot be loaded: %(reason)s (choose one that needs no code of its own)")
UNSUPPORTED_TOKENIZER = Phrase(
    "tokenizer %(name)s does not put its special tokens around a text: choose another encoder"
)

NO_DEVICE = Phrase("device '%(device)s' is not known; use 'auto', 'cpu', 'cuda' or 'cuda:1'")
NO_GPU = Phrase("device '%(device)s': this machine has no GPU that torch can use; use 'auto' or 'cpu'")
LEGACY_NO_DEVICE = Phrase("device '%(device)s' is not known; take 'auto', 'cpu', 'cuda' or 'cuda:1'")
LEGACY_NO_GPU = Phrase("device '%(device)s': this machine has no GPU that torch can use; take 'auto' or 'cpu'")
"""As older logs and failures say it."""
NO_LAYER = Phrase("encoder '%(name)s' has layers 0 to %(layers)s: there is no layer %(layer)s")
NO_WINDOW = Phrase("encoder '%(name)s' reads %(least)s to %(most)s subwords at once, not %(window)s")
WINDOW_TOO_LARGE = Phrase(
    "encoder '%(name)s': one window of %(n)s subwords does not fit into the memory of %(device)s; set a smaller "
    "'window', or device 'cpu'"
)
NOT_NUMBERS = Phrase("encoder '%(name)s' gives vectors that are not numbers; try another layer or model")
LEGACY_NOT_NUMBERS = Phrase("encoder '%(name)s' gives vectors that are no numbers; try another layer or model")
"""As older logs say it."""
INPUT_TOO_LARGE = Phrase(
    "encoder '%(name)s': inputs of %(n)s subwords do not fit into the memory of %(device)s; choose a smaller encoder, "
    "set 'lora', or device 'cpu'"
)
NO_LOSS = Phrase("encoder '%(name)s': the loss is not a number; set a smaller learning rate")
NO_LOSS_LLM = Phrase("language model '%(name)s': the loss is not a number; set a smaller rate")
NO_TRAINED = Phrase("%(kind)s '%(name)s' is not on this machine: save_model writes such folders")
UNREADABLE_TRAINED = Phrase("trained encoder '%(name)s' can't be read: its file %(file)s is missing or damaged")
OTHER_ENCODER = Phrase(
    "trained encoder '%(name)s' belongs to another version of encoder '%(encoder)s' than the one on this machine"
)
OTHER_TARGET = Phrase("trained encoder '%(name)s' ranks the target '%(target)s': choose that target")
LANGUAGE_UNKNOWN = Phrase("translation model '%(name)s' does not know the language '%(language)s'")
SENTENCE_TOO_LARGE = Phrase(
    "translation model '%(name)s': one sentence of %(n)s subwords does not fit into the memory of %(device)s; set "
    "fewer 'beams', or device 'cpu'"
)
NOT_NLI = Phrase("'%(name)s' is not an NLI model that can be used: choose an encoder with a classifier of two texts")
NO_ENTAILMENT = Phrase(
    "NLI model '%(name)s' has the labels %(labels)s: exactly one of two or more must be called 'entailment' in its "
    "configuration (id2label)"
)
INPUT_TOO_LARGE_NLI = Phrase(
    "NLI model '%(name)s': inputs of %(n)s subwords do not fit into the memory of %(device)s; choose a smaller model, "
    "or device 'cpu'"
)
LANGUAGES_NOT_READ = Phrase(
    "none of the pairs has a text in a language that the NLI model reads (%(languages)s): choose another model, and "
    "set 'languages' to what it reads"
)
NO_TRANSLATION = Phrase(
    "the text in %(language)s has no translation into a language that the NLI model reads (%(languages)s): run the "
    "method 'translate' first, or choose another model and set 'languages' to what it reads"
)

NO_PIVOT = Phrase("both languages are the pivot's, '%(language)s': there is nothing to translate")
NO_TAGGER = Phrase("tagger '%(name)s' is not known; take spacy:MODEL or stanza:LANGUAGE")
NO_TAGGER_PACKAGE = Phrase("the package %(package)s is not installed; install it, or give parts of speech in columns")
NO_TAGGER_MODEL = Phrase("%(package)s has no model '%(name)s' on this machine; install it first")

SENTENCES = (
    *(BAD_INDEX, ADAPTER, NO_WORDS, INCOMPLETE),
    *(TRAINED, NLI_MODEL, LANGUAGE_MODEL, NO_LOSS_LLM, NO_TRAINED, UNREADABLE_TRAINED, OTHER_ENCODER, OTHER_TARGET),
    *(
        ENCODER,
        TRANSLATION_MODEL,
        NO_FOLDER,
        DOWNLOADS_OFF,
        NO_SUCH_NAME,
        NO_REVISION,
        NOT_ON_HUB,
        HUB_UNREACHABLE,
        LINK_OUTSIDE,
    ),
    *(LEGACY_NO_DEVICE, LEGACY_NO_GPU),
    *(
        PICKLED,
        NAME_IS_A_FOLDER,
        NOT_LOADED,
        UNSUPPORTED_TOKENIZER,
        NO_DEVICE,
        NO_GPU,
        NO_LAYER,
        NO_WINDOW,
        WINDOW_TOO_LARGE,
    ),
    *(NOT_NLI, NO_ENTAILMENT, INPUT_TOO_LARGE_NLI, LANGUAGES_NOT_READ, NO_TRANSLATION),
    *(
        NO_PACKAGES,
        NO_PACKAGES_FOR_MINING,
        NO_POOLER,
        NOT_NUMBERS,
        LEGACY_NOT_NUMBERS,
        INPUT_TOO_LARGE,
        NO_LOSS,
        LANGUAGE_UNKNOWN,
        SENTENCE_TOO_LARGE,
    ),
    *(NO_PIVOT, NO_TAGGER, NO_TAGGER_PACKAGE, NO_TAGGER_MODEL),
)
