"""Words that are never suggested alone: articles, prepositions, conjunctions, pronouns, auxiliaries."""

from collections.abc import Mapping

from annotation.text.tokens import base_language

_WORDS: Mapping[str, str] = {
    "en": """a an the this that these those of to in on at by for from with without into onto over under between among
        through during before after about against as than and or but nor so yet if because while although though when
        where which who whom whose what how why that it its he him his she her they them their we us our you your i me
        my is are was were be been being am has have had having do does did done will would shall should can could may
        might must not no there here also too very just only even such both either neither each every any some all more
        most other another own same""",
    "de": """der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner dieser diese
        dieses diesen diesem jener jene jenes von vom zu zum zur in im ins an am ans auf aus bei beim mit nach vor für
        durch gegen ohne um über unter zwischen während wegen seit bis und oder aber denn sondern sowie dass daß weil
        wenn als wie ob obwohl damit da er sie es ihn ihm ihr ihnen wir uns unser unsere ich mich mir mein du dich dir
        dein man sich sein seine seinen seinem seiner ihre ihren ihrem ihrer ist sind war waren wird werden wurde
        wurden worden hat haben hatte hatten bin bist kann können konnte soll sollen sollte muss müssen darf dürfen
        nicht auch nur noch schon sehr so hier dort was wer wo welche welcher welches der deren dessen""",
    "fr": """le la les l' un une des du de d' au aux ce cet cette ces ceux celle celui celles à en dans sur sous par
        pour avec sans entre vers chez depuis pendant avant après contre et ou mais donc or ni car que qu' qui quoi dont
        où si comme quand lorsque parce puisque il elle ils elles on nous vous je j' tu me m' te t' se s' lui leur leurs
        y son sa ses mon ma mes ton ta tes notre nos votre vos est sont était étaient être été a ont avait avaient avoir
        eu sera seront peut peuvent doit doivent ne n' pas plus aussi très même tout tous toute toutes autre autres""",
    "it": """il lo la i gli le l' un uno una un' di del dello della dei degli delle d' a al allo alla ai agli alle da
        dal dallo dalla dai dagli dalle in nel nello nella nei negli nelle su sul sullo sulla sui sugli sulle con per
        tra fra e ed o od ma che chi cui se come quando dove perché mentre non ne ci vi si mi ti lo li lui lei loro noi
        voi io tu egli ella esso essa essi suo sua suoi sue mio mia nostro nostra vostro questo questa questi queste
        quello quella quelli quelle è sono era erano essere stato stata stati state ha hanno aveva avevano avere può
        possono deve devono sarà saranno anche più molto solo ogni tutto tutti tutta tutte altro altri""",
    "es": """el la los las lo un una unos unas de del a al en con sin por para sobre entre hasta desde hacia contra
        según durante ante bajo tras y e o u pero sino ni que quien quienes cual cuales cuyo cuya donde cuando como si
        porque aunque mientras él ella ellos ellas ello yo tú usted ustedes nosotros se me te le les nos su sus mi mis
        tu tus nuestro nuestra este esta estos estas ese esa esos esas aquel aquella es son era eran fue fueron ser
        sido siendo está están estaba ha han había habían haber puede pueden debe deben será serán no también más muy
        ya sólo solo todo todos toda todas otro otra otros otras cada""",
    "hi": """का के की को ने से में पर तक द्वारा लिए साथ और तथा एवं या लेकिन परंतु किन्तु कि जो जिस जिसे जिसके जिसकी
        जिन यह वह ये वे इस उस इन उन इसके उसके इसकी उसकी इनके उनके मैं हम तुम आप है हैं था थी थे हो होना होता होती
        होते हुआ हुई हुए कर करके किया रहा रही रहे गया गई गए जाता जाती जाते सकता सकते सकती नहीं न भी ही तो एक अपने
        अपना अपनी कुछ सब सभी""",
    "zh": """的 了 在 是 和 与 及 以及 或 而 而且 但 但是 也 都 就 又 还 把 被 给 对 从 向 由 于 以 为 因 因为 所以
        如果 虽然 这 那 这个 那个 这些 那些 其 之 他 她 它 他们 她们 它们 我 我们 你 你们 有 没 没有 不 会 能 可 可以
        要 着 过 地 得 所 等 并 并且 则 上 下 中 里 一 一个 个""",
    "ar": """في من إلى على عن مع بين حتى منذ خلال بعد قبل عند لدى أو و ف ثم لكن بل أن إن أنه أنها لأن إذا كما كل بعض
        هذا هذه ذلك تلك هؤلاء الذي التي الذين اللذان هو هي هم هن أنا نحن أنت كان كانت كانوا يكون تكون ليس ليست قد لقد
        لا لم لن ما هل سوف غير""",
}
_BY_LANGUAGE = {language: frozenset(words.split()) for language, words in _WORDS.items()}


def function_words(language: str) -> frozenset[str]:
    """The function words of a language in lower case; none if there is no list."""
    return _BY_LANGUAGE.get(base_language(language), frozenset())
