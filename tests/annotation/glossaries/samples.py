"""The same three terms in every format of glossaries."""

from __future__ import annotations

TSV = "en\tde\tnote\n# a comment\npower of attorney\tVollmacht\t\nlibrary\tBibliothek; Bücherei\tthe house\n"

TBX_2 = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE martif SYSTEM "TBXcoreStructV02.dtd">
<martif type="TBX" xml:lang="en">
 <martifHeader><fileDesc><sourceDesc><p>Made for a test</p></sourceDesc></fileDesc></martifHeader>
 <text><body>
  <termEntry id="c1">
   <langSet xml:lang="en"><tig><term>power of <hi>attorney</hi></term></tig></langSet>
   <langSet xml:lang="de-CH"><tig><term>Vollmacht</term></tig></langSet>
  </termEntry>
  <termEntry id="c2">
   <descrip type="subjectField">culture</descrip>
   <descrip type="definition">the house</descrip>
   <langSet xml:lang="en"><tig><term>library</term></tig></langSet>
   <langSet xml:lang="de"><ntig><termGrp><term>Bibliothek</term></termGrp></ntig>
    <tig><term>Bücherei</term></tig>
    <tig><term>Librarey</term><termNote type="administrativeStatus">deprecatedTerm-admn-sts</termNote></tig></langSet>
  </termEntry>
 </body></text>
</martif>
"""

TBX_3 = """<?xml version="1.0" encoding="UTF-8"?>
<tbx:tbx xmlns:tbx="urn:iso:std:iso:30042:ed-2" type="TBX-Basic" style="dca" xml:lang="en">
 <tbx:tbxHeader><tbx:fileDesc><tbx:sourceDesc><tbx:p>Made for a test</tbx:p></tbx:sourceDesc></tbx:fileDesc>
 </tbx:tbxHeader>
 <tbx:text><tbx:body>
  <tbx:conceptEntry id="c1">
   <tbx:langSec xml:lang="en"><tbx:termSec><tbx:term>power of attorney</tbx:term></tbx:termSec></tbx:langSec>
   <tbx:langSec xml:lang="de"><tbx:termSec><tbx:term>Vollmacht</tbx:term></tbx:termSec></tbx:langSec>
  </tbx:conceptEntry>
  <tbx:conceptEntry id="c2">
   <tbx:note>the house</tbx:note>
   <tbx:langSec xml:lang="en"><tbx:termSec><tbx:term>library</tbx:term></tbx:termSec></tbx:langSec>
   <tbx:langSec xml:lang="de"><tbx:termSec><tbx:term>Bibliothek</tbx:term></tbx:termSec>
    <tbx:termSec><tbx:term>Bücherei</tbx:term></tbx:termSec></tbx:langSec>
  </tbx:conceptEntry>
 </tbx:body></tbx:text>
</tbx:tbx>
"""

CEDICT = """# CC-CEDICT
#! version=1
圖書館 图书馆 [tu2 shu1 guan3] /library/CL:家[jia1],個|个[ge4]/
授權書 授权书 [shou4 quan2 shu1] /power of attorney/
去 去 [qu4] /to go (to a place)/variant of 往/
"""
