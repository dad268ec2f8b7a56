"""What tells a full stop inside a sentence from one at its end: abbreviations and usual first words, by language.

An abbreviation is listed, in lower case and without its last full stop, if a sentence hardly ever ends with it: titles,
references, units before a number. Those that often end one ('etc.', 'p.m.', 'Inc.') are not.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ABBREVIATIONS = {
    "en": _words(
        """adm al app approx art arts assn ave bldg brig bros c ca cap capt cf ch chap cmdr col comdr corp cpl dept
        dr e.g ed eds eq eqs esp est ex exec fig figs fr ft gen gov govt hon i.e incl insp intl lt maj
        max messrs min misc mon mr mrs ms msgr mt mts natl no nos nr op p para paras pl pp pres prof pt
        pvt ref refs rep rev sec sect sen ser sgt sr st ste supt tel tue tues univ viz vol vols vs wed
        jan feb mar apr aug sept oct nov dec thu thurs fri"""
    ),
    "de": _words(
        """abb abs abschn abt allg amtl anm art aufl ausg begr bes best betr bez bezw bst bspw buchst bzgl bzw ca
        dgl dipl dr ebd ehem eidg einschl entspr erg erw evtl fa fig fr gegr geb gem gen ges ggf gr hl
        hr hrn hrsg i.d.r ing inkl insb insbes int jh jhd jr kant kap kath kl lat lic lit lt mag max mia
        min mind mio mrd nat nr nrn o.ä phil pos präs prof prot rd red resp s sog spez st std str südl
        stv tab tel techn u.a übers ugs urspr vgl verf vers vorm wg wiss z.b zit ziff zzgl jan feb apr
        aug sept okt nov dez"""
    ),
    "fr": _words(
        """adr al app approx art arts av bd boul c.-à-d chap cf ch circ dép dir dr drs éd env ex exp fig fr hab
        ibid janv févr avr juil sept oct nov déc jr l let lic lieut m max me mgr min mio mlle mlles mm
        mme mmes mrd no nos p par pers pl pp prof prot réf resp rte s sect sr st ste suppl suiv t tab
        tél trad v vol vs"""
    ),
    "it": _words(
        """ad.es all arch art artt avv ca cap capp cd cf cfr circ col comm cons cpv dir dott dott.ssa dr ed ediz es
        fig figg fr geom gent giu ing lett lic max min mio mons mrd n nn no nr num on op p pag pagg par
        pp prof prof.ssa pross rag reg rif s sec seg segg sez sig sig.na sig.ra sigg ss suppl tab tel
        trad v v.le vol voll vs febbr apr magg lug ag sett ott nov dic"""
    ),
    "es": _words(
        """admón af afmo afma aprox arq art arts av avda ca cap caps cf cfr cía col coord d da dir dr dra dras dres
        dña ed ee ej esq excmo excma fig figs fr fray gral gob hnos ibíd ilmo ilma ing izq kg lic máx
        mín mons ms mtro n no nro núm núms op p pág págs pár párr pbro p.ej pp prof profa prol pról pte
        rdo ref reg sec ss sr sra sras sres srta st sta sto t tel teléf tít tfno trad ud uds v vol vols
        vs ene feb abr jun jul ago sept oct nov dic"""
    ),
    "pt": _words(
        """al aprox art arts av cap cf cia d dr dra dras drs ed eng ex fig figs gal gen ibid il lda máx mín n no
        núm op p pág págs pe pp prof profa profs ref sec sr sra sras srs sta sto tel trad v vol vols"""
    ),
    "nl": _words(
        """afd afb art bijv blz bv ca d.w.z dhr dr drs evt fig geb hfdst i.p.v ing incl ir jl jr max mej mevr min
        mr mw nl nr nrs o.a p par pag pp prof resp sr st tel t.a.v vgl vnl vs wo z.g zgn"""
    ),
    "hi": _words(
        """डॉ डा श्री सुश्री प्रो पं सं स्व कु ई पू ई.पू रु कि.मी मो ले कर्नल मे ज क्र क्रं पृ वि चौ बी सी डी जी एच
        जे एल एम एन पी क्यू आर एस टी यू वी डब्ल्यू एक्स वाई ज़ेड एफ"""
    ),
    "ar": _words("د أ م ص ج ت هـ ق.م ش ع ط ف أ.د ر"),
}

FIRST_WORDS = {
    "en": _words(
        """a after all although an and as at both but by during each every for from he her here his how however if
        in it its many most no nobody not now on one our she since so some that the their then there
        these they this those though to two under we what when where while who why with yet you your"""
    ),
    "de": _words(
        """aber alle als am an auch auf aus bei bis da dabei damit dann das dazu dem den denn der deren des dessen
        die dies diese dieser dieses doch dort durch ein eine einem einen einer er es für heute hier ihr
        ihre im in ist ja jede jeder jedes kein keine man mit nach nicht noch nun nur ob oder sein seine
        seit sie sind so soll um und unter viele vom von vor war was wenn wer werden wie wir wird wo
        während zu zum zur zwei"""
    ),
    "fr": _words(
        """a à alors après au aussi aux avec c'est ce ces cet cette ceux chaque comme d'autres dans de depuis des
        dès deux donc du elle elles en et il ils je l'un la le les leur leurs lors mais même nous on or
        où par pendant plus pour quand que qui sa sans selon ses si son sous sur tous tout toutefois un
        une vers voici vous"""
    ),
    "it": _words(
        """a ai al alla alle anche che chi ci con così da dal dalla dei del della delle di dopo due durante e è
        ecco egli essa essi fu gli i il in la le lei lo loro lui ma mentre nei nel nella nelle noi non o
        ogni per perché però più poi prima qui quando questa queste questi questo se secondo sono su sua
        suo sul tra tutti un una uno voi"""
    ),
    "es": _words(
        """a al algunos además antes así aunque cada como con cuando de del desde después donde dos durante el ella
        ellas ellos en entre era es esa ese esta estas este esto estos fue ha hasta hay la las le lo los
        mientras muchos más ni no nos o para pero por porque que quien se según si sin sobre son su sus
        también tras un una uno y ya yo"""
    ),
    "pt": _words(
        """a ainda ao após as até cada com como da das de depois do dos e é ela elas ele eles em entre era esta
        este foi há já mais mas na não nas no nos o os para pela pelo por quando que se sem seu sua
        também um uma"""
    ),
    "nl": _words(
        """als bij daar dat de deze die dit door een en er het hier hij ik in is maar met na naar niet nu of om
        onder ook op over sinds te tot uit van voor waar wat we wie wij ze zij zijn zo"""
    ),
}

ORDINAL_STOP = _words("cs da de et fi hr hu lb nb nn no pl sk sl sr tr")
"""Languages that write a full stop after an ordinal number: 'am 3. Mai', 'Ludwig II.'"""
