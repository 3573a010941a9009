# ruff: noqa: E501, RUF001 -- the words of eight languages, a pattern a line
"""How models say that they will not act, in eight languages. Data only; `refusal.py` reads it.

Each language gives regular expressions: `unable`, a first-person inability; `ability`, what
an agent's tools do (both in one sentence make a refusal); `limited`, an environment blamed or
the work handed back to the user; `announced`, an act promised; `policy`, a refusal on
principle, never argued with; `asked`, a question for what only the user knows; `handed`, a
request to paste what a tool would have read.
"""

from msgspec import Struct


class Lexicon(Struct, frozen=True, kw_only=True):
    unable: str
    ability: str
    limited: str
    announced: str
    policy: str
    asked: str
    handed: str
    hard: str  # tools themselves denied


ENGLISH = Lexicon(
    unable=r"""\b(?:i|we)(?:\ ?(?:'m|’m|\ am|\ are|'re))?\ (?:\w+\ ){0,2}?(?:can(?:no|'|’)t|can\ not|cannot
        |unable\ to|not\ able\ to|do(?:n't|n’t|\ not)\ (?:\w+\ )?(?:have|possess|support|own)
        |have\ no\ (?:\w+\ )?(?:way|means|ability|access|tools?|capability|permission|direct)
        |lack|am\ not\ (?:able|capable|equipped|permitted|allowed|designed|set\ up)|(?:'m|’m)\ not\ (?:able|capable|equipped|designed|set\ up|permitted)
        |could(?:n't|n’t|\ not)\ (?:directly\ )?(?:access|execute|run)|wo(?:n't|n’t)\ be\ able|will\ not\ be\ able)
      |\b(?:apologies|sorry)\b.{0,40}\b(?:unable\ to|can(?:no|'|’)t|not\ able\ to)
      |\b(?:it(?:'s|’s|\ is)|this\ is)\ not\ (?:possible\ for\ me|something\ i\ can)
      |\bmy\ (?:capabilities|environment|abilities|training)\ (?:do(?:es)?\ not|do(?:es)?n't|are\ limited)
      |\bas\ an?\ (?:ai|language\ model|text|large)\b.{0,60}\b(?:can(?:no|'|’)t|unable|not\ able|do(?:n't|\ not)\ have)""",
    ability=r"""\b(?:tools?|functions?|files?|filesystem|folders?|director(?:y|ies)|command|shell|terminal|bash|code
        |execut\w+|run(?:ning)?|access\w*|browse?\w*|internet|web\w*|urls?|links?|search\w*|real[-\ ]time|live|current|up-to-date
        |databases?|data|systems?|network|apis?|servers?|computer|machine|device|environment|repositor\w+|project
        |perform\w*|retriev\w+|fetch\w*|provide\w*|check\w*|verif\w+|play\w*|calculat\w+|generat\w+|classif\w+|look\ up
        |read\w*|writ\w+|edit\w*|modif\w+|creat\w+|delet\w+|open\w*|send\w*|book\w*|order\w*|information|capabilit\w+|functionalit\w+
        |interact\w*|test\w*|install\w*|inspect\w*|view\w*|see|list\w*|process\w*|schedul\w+|assist\w*|call\w*|use|screens?|images?|make|complete|get|tell)\b""",
    limited=r"""\bin\ this\ (?:environment|context|session|chat|setting|interface)\b.{0,60}\b(?:can(?:no|'|’)t|not|no|unable|without|lack)
      |\b(?:environment|sandbox|platform|interface|session)\b.{0,40}\b(?:does(?:n't|\ not)|limit\w*|restrict\w*|prevents?|lacks?|has\ no)
      |\byou\ (?:can|could|may|might|should|will\ need\ to|need\ to|would\ need\ to|'ll\ need\ to)\ (?:\w+\ )?(?:run|execute|type|enter|use)\ (?:the\ following|this|these|that|it)\b.{0,60}\b(?:commands?|terminal|yourself|locally|shell|manually|script)
      |\b(?:run|execute)\ (?:the\ following|this|these)\ commands?\ (?:in|on)\ your
      |\b(?:paste|share|send|upload|copy)\b.{0,60}\b(?:here|output|contents?|results?|with\ me)\b
      |\btext-based\ (?:responses?|answers?|model|ai)|\bonly\ (?:provide|generate|produce)\ text
      |\bintegration\ problem\b|\btool\ execution\ layer\b
      |\bi\ need\ to\ (?:read|check|look|consult)\b.{0,60}\b(?:documentation|docs|files?)\b
      |\b(?:i\ recommend|please|you\ (?:may|can))\ (?:check|visit|use|using|checking|consult|contact)\w*\b.{0,80}\b(?:website|app|service|listing|official|directly)""",
    announced=r"""\b(?:i'll|i’ll|i\ will|let\ me|i'm\ going\ to|i’m\ going\ to|i\ am\ going\ to|going\ to|next,?\ i(?:'ll|\ will)|now\ i(?:'ll|\ will)|i\ (?:need|have)\ to|i(?:'d|\ would)\ start\ by|allow\ me\ to)
        \ (?:now\ |first\ |then\ |quickly\ |just\ |also\ |go\ ahead\ and\ |begin\ by\ |start\ by\ |start\ |proceed\ to\ |continue\ |try\ to\ |take\ a\ |have\ a\ )*
        (?:read\w*|check\w*|look(?:ing)?\b|search\w*|run\w*|execut\w+|list\w*|open\w*|fetch\w*|call\w*|invok\w+|inspect\w*|examin\w+|explor\w+|quer\w+|scan\w*|download\w*|brows\w+|investigat\w+
          |find\w*|locat\w+|retriev\w+|review\w*|verif\w+|analy[sz]\w+|edit\w*|updat\w+|modif\w+|creat\w+|writ\w+|install\w*|test\w*|view\w*|get\w*|gather\w*|grep\w*|access\w*
          |us(?:e|ing)\ (?:the\ |a\ |my\ )?[\w\ -]{0,30}(?:tools?|commands?|functions?|search|api|bash|shell))
      |(?:^|\b(?:i'm|i’m|i\ am)\ (?:now\ |currently\ )?|\b(?:one\ moment|hold\ on|just\ a\ (?:moment|second))\b.{0,12}\b(?:while|as)\ i\ )(?:checking|reading|searching|fetching|running|looking|opening|listing|executing|fetch|check|read|search|run|look|open|list)\b[^.!?\n]{0,60}(?:now|\.\.\.|…|:$|$)""",
    policy=r"""\b(?:can(?:no|'|’)t|cannot|unable\ to|not\ able\ to|won't|will\ not|not\ comfortable)\ (?:\w+\ )?(?:help|assist|comply|do|fulfil+|continue|engage|support|provide|participate|share|create|generate|discuss)\w*\ (?:you\ )?(?:with\ )?(?:that|this|these|those|such|your)?\ ?(?:request|task|question|topic|content|type|kind)?\s*(?:[.,;!]|$|because|as\ it|since)
      |\b(?:illegal|unethical|harmful|dangerous|unsafe|against\ (?:my|our)\ (?:guidelines|policy|policies|principles)|violat\w+|inappropriate|policy|malicious|security\ reasons|privacy\ reasons|copyright\w*|guidelines)\b""",
    asked=r"""\b(?:could|can|would)\ you\ (?:please\ )?(?:\w+\ ){0,2}?(?:specify|provide|tell|clarify|confirm|let\ me\ know|give|share|elaborate|describe)|\bwhich\b.{0,60}\?|\bwhat\b.{0,60}\?|\bplease\ (?:specify|clarify|confirm|provide\ (?:the|your|a|me))|\bi(?:'ll)?\ need\ (?:to\ know\ )?(?:the|a|your|some)\b|\bdo\ you\ (?:want|mean|have|prefer)""",
    handed=r"""\b(?:paste|upload|copy|share|send|provide)\b.{0,40}\b(?:contents?|output|files?|code|logs?|snippet|text|results?)\b""",
    hard=r"""\b(?:tools?|functions?)\b.{0,60}\b(?:(?:not|isn't|aren't|isn’t|aren’t)\ (?:in\ my|(?:available|provided|accessible|enabled)(?!\ (?:on|for|under|until|before|in\ (?!this|my|the\ current)))|working)|unavailable\ to\ me|don't\ exist)
      |\bno\ (?:such\ )?(?:tools?|functions?)\b.{0,40}\b(?:available|provided|here|in\ this|i\ can|access|exist|configured|listed)
      |\b(?:don't|do\ not|have\ no)\ (?:\w+\ ){0,3}?(?:tools?|functions?)\b|\b(?:couldn't|could\ not|can't|cannot)\ (?:find|see)\ (?:any|the|such)\ (?:\w+\ )?(?:tools?|functions?)\b|\bi(?:'m|’m|\ am)\ not\ connected\ to\b|\bwithout\ (?:any\ )?(?:tools?|access\ to)\b
      |\btool\ (?:outputs?|results?|calls?)\b.{0,60}\b(?:different|another|not\ (?:from|mine|real)|fabricated|system\ context|injected|fake)
      |\b(?:i\ am|i'm|i’m)\ (?:only\ )?(?:scoped|limited|restricted|here)\ (?:to|only)\b|\bmy\ (?:role|scope|purpose)\ is\ (?:limited|only|restricted)
      |^\W*(?:this|that)\ is(?:n't|n’t|\ not)\ something\ i\ can\ (?:help|assist)\ with\b|\bprompt\ injection\b|\bi\ only\ (?:answer|help|assist)""",
)
CHINESE = Lexicon(
    unable=r"(?:我|抱歉|对不起|對不起|很遗憾|很抱歉|本助手|^\W*(?:当前|目前|當前|暂时|这里|此处)?(?=无法|無法|不能|没法))[^。！？\n]{0,20}?(?:无法|無法|不能|没有办法|沒有辦法|不具备|不具備|没有(?:权限|能力|工具|办法|直接)|沒有(?:權限|能力|工具|辦法|直接)|做不到|不支持|没法|沒法|不可以直接|并不能|未被授权)",
    ability=r"工具|函数|文件|檔案|文档|系统|系統|命令|指令|终端|終端|执行|執行|运行|運行|访问|訪問|存取|读取|讀取|查看|浏览|瀏覽|网络|網絡|網路|互联网|网页|搜索|联网|上网|实时|即時|實時|数据|資料|代码|程式|环境|環境|电脑|電腦|设备|操作|调用|呼叫|查询|查詢|获取|獲取|写入|修改|创建|打开|能力|权限|直接",
    limited=r"(?:当前|目前|此|这个|這個|本)?(?:环境|環境|会话|對話|对话|平台)(?:的)?(?:限制|受限|不支持|无法|無法|中?没有)|(?:你|您)(?:可以|可|需要|得)(?:自己|自行|手动|在(?:终端|本地|命令行))?[^。\n]{0,12}(?:运行|執行|执行|输入|粘贴|複製|复制)|请(?:你|您)?(?:自行|手动|在(?:终端|本地))[^。\n]{0,12}(?:运行|执行)|(?:请|把)[^。\n]{0,20}(?:粘贴|贴|发)(?:给我|到这里|过来|出来)|我(?:只能|仅能|僅能)(?:提供|回答|生成)",
    announced=r"(?:^|[。！\n，])\s*(?:好的[，,]?)?(?:接下来|现在|首先|然后|下面|继续|我(?:将|会|来|先|现在|要|需要|去)|让我(?:先|来)?|我们(?:先|来)|稍等[，,]?我?|正在)[^。！？\n]{0,8}(?:读取|读|查看|看|检查|搜索|查找|查询|执行|运行|调用|打开|列出|获取|访问|分析|浏览|扫描|定位|修改|编辑|创建|写入|更新|测试|把|使用)[^。！？\n]{0,60}(?:[。：:…！]|\.{3}|$)",
    policy=r"(?:违法|非法|不道德|有害|危险|违反|政策|不合适|不安全|敏感)|(?:无法|不能)(?:协助|帮助|提供)(?:这|此|该|您|你)?(?:类|个)?(?:请求|要求|帮助)?[。！]?$",
    asked=r"(?:请(?:问|提供|告诉|说明|确认|指定)|能否|是否|哪个|哪些|什么|吗)[^。\n]{0,40}[？?]|请(?:提供|告诉我|说明|确认|指定)",
    handed=r"粘贴|贴出|发给我|复制|上传|提供(?:文件|内容|输出|代码)",
    hard=r"(?:没有|沒有|无|不存在|未提供)(?:任何|可用的?|可以使用的)*(?:工具|函数)|工具(?:[^。\n]{0,12})(?:不可用|无法使用|不存在|未启用|不在)|工具(?:输出|輸出|结果|調用|调用)[^。\n]{0,16}(?:不同|其他|并非|不是)|我(?:只|仅)(?:负责|能)(?:回答|处理)",
)
SPANISH = Lexicon(
    unable=r"\b(?:no\ (?:puedo|podemos|podré|soy\ capaz|me\ es\ posible|tengo|dispongo|cuento|es\ posible\ para\ mí|estoy\ en\ condiciones)|carezco|me\ resulta\ imposible|soy\ incapaz)\b",
    ability=r"\b(?:herramientas?|funci(?:ón|ones)|archivos?|ficheros?|carpetas?|directorios?|comandos?|terminal|consola|ejecutar\w*|acce\w+|navegar\w*|internet|web|buscar\w*|búsqueda\w*|tiempo\ real|datos|sistema\w*|red|código|ordenador|computadora|equipo|capacidad\w*|leer\w*|escribir\w*|abrir\w*|consultar\w*|información|realizar\w*|verificar\w*|entorno|permisos?|manera|forma|modo|ver)\b",
    limited=r"\ben\ este\ (?:entorno|contexto|chat|momento)\b.{0,60}\bno\b|\b(?:puedes|puede|podrías|debes|tendrás\ que)\ (?:ejecutar|correr|usar)\w*\b.{0,60}\b(?:comando|terminal|consola|tú\ mismo|manualmente|localmente)|\bejecuta\w*\b.{0,40}\b(?:comando|en\ tu)|\b(?:pega|pegar|pégame|comparte|copia|envíame)\w*\b.{0,40}\b(?:aquí|salida|resultado|contenido)|\bsolo\ puedo\ (?:ofrecer|proporcionar|generar|dar)",
    announced=r"\b(?:voy\ a|vamos\ a|déjame|permíteme|ahora\ (?:voy\ a|leeré|buscaré|revisaré)|primero\ (?:voy\ a|leeré|revisaré)|a\ continuación\ (?:voy\ a|leeré|ejecutaré)?)\ ?(?:leer|revisar|buscar|ejecutar|comprobar|verificar|abrir|listar|consultar|examinar|usar\ la\ herramienta|mirar|analizar|obtener|explorar|correr|ver|editar|crear|escribir|llamar)\w*|\b(?:leeré|revisaré|buscaré|ejecutaré|comprobaré|abriré|listaré|consultaré|verificaré|examinaré|usaré\ la\ herramienta)\b",
    policy=r"\b(?:ilegal|dañin\w+|peligros\w+|polític\w+|inapropiad\w+|ético|no\ ética|viola\w*)\b|\bno\ puedo\ (?:ayudar(?:te|le)?|asistir\w*|cumplir)\ ?(?:con)?\ ?(?:eso|esto|esa\ (?:solicitud|petición))?\s*(?:[.,]|$|porque)",
    asked=r"\b(?:podrías|puedes|podría|puede)\b.{0,20}\b(?:decirme|indicar\w*|especificar|proporcionar|confirmar|aclarar)|¿[^?]{0,120}\?|\bpor\ favor,?\ (?:indica|especifica|confirma|dime)",
    handed=r"\b(?:pega|pegar|péga\w*|copia|comparte|envía\w*|sube)\b.{0,40}\b(?:contenido|salida|archivo|código|resultado)",
    hard=r"\bno\ (?:tengo|dispongo\ de|hay|cuento\ con)\ (?:\w+\ ){0,3}?(?:herramientas?|funciones)\b|\bherramientas?\b.{0,40}\bno\ (?:están?|disponib\w+)",
)
GERMAN = Lexicon(
    unable=r"\b(?:ich\ (?:kann|könnte|habe|bin|verfüge)\b.{0,40}\b(?:nicht|kein\w*|nicht\ in\ der\ lage)|kann\ ich\b.{0,50}\b(?:nicht|kein\w*)|(?:leider|mir)\b.{0,40}\b(?:nicht\ möglich|nicht\ zugänglich|fehlt|kein\w*)|ist\ es\ mir\ nicht\ möglich|habe\ ich\ kein\w*|bin\ ich\ nicht\ in\ der\ lage)",
    ability=r"\b(?:werkzeuge?n?|tools?|funktion\w*|datei\w*|ordner\w*|verzeichnis\w*|befehl\w*|terminal|konsole|ausführ\w*|zugriff\w*|zugreif\w*|internet|web\w*|such\w*|echtzeit\w*|daten\w*|system\w*|netzwerk|code|computer|rechner|umgebung|fähigkeit\w*|les\w+|schreib\w*|öffn\w*|abruf\w*|prüf\w*|informationen|möglichkeit\w*|durchführ\w*|einseh\w*|seh\w+|starten|test\w*)\b",
    limited=r"\bin\ dieser\ (?:umgebung|sitzung)\b.{0,60}\b(?:nicht|kein\w*)|\b(?:du\ kannst|sie\ können|kannst\ du|können\ sie)\b.{0,80}\b(?:ausführen|eingeben|starten|terminal|selbst)|\bführe\w*\ (?:bitte\ )?(?:den|die|das|folgend\w*)\b.{0,40}\baus\b|\b(?:füge|fügen|kopier\w*|poste\w*|schick\w*)\b.{0,60}\b(?:hier|ausgabe|inhalt|ergebnis)\b|\bnur\ text\w*\b",
    announced=r"\b(?:ich\ (?:werde|will|schaue|lese|prüfe|suche|führe|rufe|öffne|sehe|überprüfe|liste|starte|untersuche|hole)|lass\ (?:mich|uns)|lassen\ sie\ mich|als\ nächstes|zuerst|jetzt)\b.{0,80}\b(?:les\w*|prüf\w*|überprüf\w*|such\w*|ausführ\w*|aus|öffn\w*|an(?:sehen|schauen)?|nach(?:sehen|schauen)?|auf|ab(?:rufen)?|auflisten|datei\w*|befehl\w*|untersuch\w*|starte\w*|durch(?:suchen)?|werkzeug\w*|tool)",
    policy=r"\b(?:illegal\w*|gefährlich\w*|schädlich\w*|richtlinie\w*|unethisch\w*|unangemessen\w*|verstößt|rechtswidrig\w*|strafbar)\b|\b(?:dabei|damit|hierbei)\ (?:\w+\ )?(?:nicht|leider)\ ?(?:nicht\ )?(?:helfen|unterstützen|behilflich)",
    asked=r"\b(?:könntest|könnten|kannst|können)\ (?:du|sie)\b.{0,60}\b(?:sagen|angeben|mitteilen|bestätigen|nennen|präzisieren)|\b(?:welche\w*|was|wo|wie)\b.{0,80}\?|\bbitte\ (?:gib|geben|nenne|nennen|teile)\b",
    handed=r"\b(?:füge?|fügen|kopier\w*|poste\w*|schick\w*|lade)\b.{0,60}\b(?:inhalt|ausgabe|datei|code|ergebnis)",
    hard=r"\b(?:kein\w*)\ (?:\w+\ ){0,2}?(?:werkzeuge?|tools?|funktionen)\b|\b(?:mir|hier|in\ dieser)\b.{0,40}\b(?:werkzeuge?|tools?|funktionen)\b.{0,30}\bnicht\ (?:verfügbar|vorhanden|zur\ verfügung)",
)
FRENCH = Lexicon(
    unable=r"\b(?:je\ ne\ (?:peux|dispose|suis|possède|parviens)\b|je\ n['’](?:ai|arrive)\b|il\ (?:ne\ )?m['’]est\ (?:pas\ possible|impossible)|je\ suis\ (?:incapable|dans\ l['’]incapacité)|impossible\ (?:pour\ moi\ )?d['’e]|il\ ne\ m['’]est\ pas\ possible)",
    ability=r"\b(?:outils?|fonctions?|fichiers?|dossiers?|répertoires?|commandes?|terminal|console|exécut\w*|acc[eéè]\w+|navigu\w*|internet|web|recherch\w*|temps\ réel|données|systèmes?|réseau|code|ordinateur|machine|environnement|capacité\w*|lire|écrire|ouvrir|consulter|informations?|effectuer|vérifier|lancer|voir|moyen|tests?)\b",
    limited=r"\bdans\ cet\ (?:environnement|espace|contexte)\b.{0,60}\b(?:ne|pas|aucun\w*)|\b(?:vous\ pouvez|tu\ peux|vous\ devez|il\ faut)\ (?:\w+\ )?(?:exécuter|lancer|utiliser|taper|saisir)\b.{0,60}\b(?:commande|terminal|vous-même|toi-même|manuellement)|\bexécute[zs]?\b.{0,40}\b(?:commande|dans\ (?:votre|ton))|\b(?:colle[zr]?|copie[zr]?|partage[zr]?|envoie|envoyez)\b.{0,60}\b(?:ici|sortie|résultat|contenu)|\bseulement\ (?:fournir|générer)\ du\ texte",
    announced=r"\b(?:je\ vais|laisse[zs]?-moi|permette?z-moi|maintenant,?\ je|d['’]abord,?\ je|ensuite,?\ je)\b.{0,24}\b(?:lire|vérifier|chercher|rechercher|exécuter|lancer|ouvrir|lister|consulter|examiner|utiliser\ l['’]outil|regarder|analyser|récupérer|explorer|appeler|inspecter|créer|modifier|écrire)\w*",
    policy=r"\b(?:illéga\w+|dangereu\w+|nuisible\w*|contraire\w*|inapproprié\w*|politique\w*|éthique\w*|viol\w+)\b|\bje\ ne\ peux\ pas\ (?:vous\ |t['’])?(?:aider|assister)\w*\ ?(?:avec|à|pour|sur)?\ ?(?:cela|ça|cette\ demande)?\s*(?:[.,]|$|car)",
    asked=r"\b(?:pouvez-vous|pourriez-vous|peux-tu|pourrais-tu)\b.{0,60}\b(?:préciser|indiquer|fournir|confirmer|dire)|\b(?:quel\w*|lequel)\b.{0,80}\?|\bveuillez\ (?:préciser|indiquer|confirmer)",
    handed=r"\b(?:colle[zr]?|copie[zr]?|partage[zr]?|envoye[zr]|envoie)\b.{0,60}\b(?:contenu|sortie|fichier|code|résultat)",
    hard=r"\b(?:aucun\w*|pas\ d['’e]\ ?)\ ?(?:\w+\ ){0,2}?(?:outils?|fonctions?)\b|\b(?:outils?|fonctions?)\b.{0,40}\b(?:ne\ (?:sont|est)\ pas\ disponib\w+|indisponib\w+)|\bd['’]aucun\ outil",
)
JAPANESE = Lexicon(
    unable=r"(?:でき(?:ません|ない|かねます)|出来(?:ません|ない)|不可能|ありません|持って(?:いません|おりません|いない)|備えて(?:いません|おりません)|対応して(?:いません|おりません)|できず)",
    ability=r"ツール|関数|ファイル|フォルダ|ディレクトリ|コマンド|端末|ターミナル|実行|アクセス|インターネット|ウェブ|検索|リアルタイム|データ|システム|コード|環境|機能|能力|読み|書き|閲覧|取得|操作|確認|権限|手段|直接|呼び出",
    limited=r"(?:この|現在の|今の)(?:環境|セッション|会話)(?:で|に)は[^。\n]{0,40}(?:できま?せん|できない|ありません|制限)|(?:ターミナル|コマンド|ご自身|お手元)[^。\n]{0,24}(?:実行して|入力して)[^。\n]{0,24}(?:ください|下さい)|(?:貼り付け|コピー|共有)[^。\n]{0,16}(?:ください|下さい|もらえ)",
    announced=r"(?:それでは|では|まず|次に|これから|今から|続いて|引き続き)?[^。\n]{0,40}(?:を|で)?(?:読み(?:込み)?|確認|検索|実行|調べ|調査|取得|開き|一覧表示|呼び出し|チェック|見て|使用|参照|探し|分析|作成|編集)て?(?:し(?:ます|ていきます|てみます|ましょう)|ます|みます|みましょう|いきます)(?:[。：:…]|$)",
    policy=r"違法|危険|有害|不適切|ポリシー|倫理|規約|お手伝いできません[。]?$|お手伝いすることはできません",
    asked=r"(?:教えて|ご提示|指定して|お知らせ|ご確認)(?:ください|いただけ)|(?:でしょうか|ますか|ですか)[？?。]",
    handed=r"貼り付け|コピー|共有|アップロード",
    hard=r"(?:利用|使用|使え|使う)(?:可能な|できる|る)?[^。\n]{0,8}ツール(?:が|は)(?:あり(?:ません)|ない|存在しません)|ツール[^。\n]{0,16}(?:利用できません|使えません|使用できません|ありません|持っていません|アクセスできません)",
)
PORTUGUESE = Lexicon(
    unable=r"\b(?:não\ (?:posso|consigo|podemos|tenho|disponho|possuo|sou\ capaz|me\ é\ possível|é\ possível\ para\ mim|estou\ apt\w)|sou\ incapaz|careço)\b",
    ability=r"\b(?:ferramentas?|funç(?:ão|ões)|arquivos?|ficheiros?|pastas?|diretórios?|comandos?|terminal|console|execut\w+|rod\w+|acess\w+|naveg\w+|internet|web|busc\w+|pesquis\w+|tempo\ real|dados|sistema\w*|rede|código|computador|máquina|ambiente|capacidade\w*|ler|escrever|abrir|consultar|informaç\w+|realizar|verificar|permiss\w+|ver|forma|meio\w*|testes?)\b",
    limited=r"\bneste\ (?:ambiente|contexto|chat|momento)\b.{0,60}\bnão\b|\b(?:você\ pode|pode|poderia|precisará)\ (?:executar|rodar|usar|correr)\b.{0,60}\b(?:comando|terminal|você\ mesmo|manualmente|localmente)|\b(?:execute|rode)\b.{0,40}\b(?:comando|no\ seu)|\b(?:cole|copie|compartilhe|envie|partilhe)\b.{0,60}\b(?:aqui|saída|resultado|conteúdo)|\bsó\ posso\ (?:fornecer|oferecer|gerar)",
    announced=r"\b(?:vou|vamos|deixe-me|deixa-me|permita-me|agora\ vou|primeiro\ vou|irei)\ (?:\w+\ ){0,2}?(?:ler|verificar|buscar|procurar|pesquisar|executar|rodar|abrir|listar|consultar|examinar|usar\ a\ ferramenta|olhar|analisar|obter|explorar|chamar|checar|ver|editar|criar|escrever)\w*|\b(?:lerei|verificarei|buscarei|executarei|abrirei|listarei|consultarei)\b",
    policy=r"\b(?:ilegal|perigos\w+|prejudicia\w+|inapropriad\w+|política\w*|ético|antiético|viola\w*)\b|\bnão\ posso\ (?:ajudar|ajudá-l\w|auxiliar)\ ?(?:com)?\ ?(?:isso|isto|esse\ pedido)?\s*(?:[.,]|$|porque)",
    asked=r"\b(?:poderia|pode|você\ pode)\b.{0,40}\b(?:informar|especificar|fornecer|confirmar|dizer|esclarecer)|\b(?:qual|quais)\b.{0,80}\?|\bpor\ favor,?\ (?:informe|especifique|confirme|diga)",
    handed=r"\b(?:cole|copie|compartilhe|envie|partilhe)\b.{0,60}\b(?:conteúdo|saída|arquivo|código|resultado)",
    hard=r"\bnão\ (?:tenho|disponho\ de|há|possuo)\ (?:\w+\ ){0,3}?(?:ferramentas?|funções)\b|\bferramentas?\b.{0,40}\bnão\ (?:estão?|disponíve\w+)",
)
RUSSIAN = Lexicon(
    unable=r"(?:я\ (?:не\ (?:могу|имею|обладаю|способ\w+|умею|в\ состоянии)|лишён|лишен)|у\ меня\ (?:нет|отсутству\w+|не\ имеется)|не\ могу|не\ имею\ (?:доступа|возможности)|(?:мне\ )?(?:невозможно|недоступн\w+)|не\ смогу|нет\ возможности)",
    ability=r"инструмент\w*|функци\w+|файл\w*|папк\w+|каталог\w*|команд\w+|терминал\w*|консол\w+|выполн\w+|запуск\w*|запуст\w+|доступ\w*|интернет\w*|веб\w*|поиск\w*|искать|реальн\w+\ времен\w*|данны\w+|систем\w+|сет\w+|код\w*|компьютер\w*|сред\w+|возможност\w+|чита\w+|прочита\w+|запис\w+|откры\w+|просм\w+|провер\w+|информаци\w+|получ\w+",
    limited=r"в\ (?:этой|данной|текущей)\ (?:среде|сессии)[^.\n]{0,60}(?:не|нет)|(?:вы\ можете|можете|ты\ можешь)\ (?:сами\ |самостоятельно\ )?(?:выполнить|запустить|ввести|использовать)[^.\n]{0,60}(?:команд\w+|терминал\w*|сами|вручную|локально)|выполните[^.\n]{0,40}(?:команд\w+|в\ терминале)|(?:вставьте|скопируйте|пришлите|отправьте)[^.\n]{0,60}(?:сюда|вывод\w*|результат\w*|содержимое)|могу\ (?:только|лишь)\ (?:предоставить|генерировать|давать)",
    announced=r"(?:сейчас(?:\ я)?|давайте(?:\ я)?|я\ (?:сейчас\ )?|позвольте(?:\ мне)?|сначала(?:\ я)?|теперь(?:\ я)?|далее(?:\ я)?|затем(?:\ я)?)\ ?(?:\w+\ )?(?:прочита\w+|провер\w+|посмотр\w+|поищ\w+|найд\w+|выполн\w+|запущ\w+|откро\w+|вызов\w+|изуч\w+|просмотр\w+|получ\w+|использу\w+\ инструмент|проанализиру\w+|загляну)",
    policy=r"незаконн\w+|опасн\w+|вредн\w+|неэтичн\w+|политик\w+|неуместн\w+|наруша\w+|противозаконн\w+|не\ могу\ (?:вам\ )?(?:помочь|содействовать)\ ?(?:с\ этим|в\ этом)?\s*(?:[.,]|$)",
    asked=r"(?:не\ могли\ бы\ вы|можете\ ли\ вы|могли\ бы\ вы)[^?\n]{0,80}\?|(?:как\w+|котор\w+|что|где)[^?\n]{0,80}\?|пожалуйста,?\ (?:уточните|укажите|сообщите|подтвердите)",
    handed=r"(?:вставьте|скопируйте|пришлите|отправьте|загрузите)[^.\n]{0,60}(?:содержимое|вывод|файл|код|результат)",
    hard=r"(?:нет|отсутству\w+|не\ имею|не\ предоставлен\w*)\ (?:\w+\ ){0,3}?(?:инструмент\w*|функци\w+)|инструмент\w*[^.\n]{0,40}(?:недоступн\w+|не\ доступн\w+|отсутству\w+)",
)
LEXICONS = (ENGLISH, CHINESE, SPANISH, GERMAN, FRENCH, JAPANESE, PORTUGUESE, RUSSIAN)
