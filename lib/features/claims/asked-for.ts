/**
 * Kinds of messages, by what their words ask for: whether an answer that only talks can be all
 * there is to it. Rules of grammar and lists of common words, in English and German, which err: so
 * they decide no more than whether a line is shown. Pure.
 */

/**
 * - `deed`: something is to be done: "book a table", "can you tell Tom?"
 * - `words`: a text, a joke, a greeting: the answer is all of it
 * - `question`: something is to be said; `earlier`: what was done before
 * - `unclear`: a statement, half a sentence, an order in words not known here, or no words at all
 */
export type Asked = 'deed' | 'words' | 'question' | 'earlier' | 'unclear';

/** Longer messages are judged by their beginning. */
const READ_CHARS_MAX = 600;
/** A greeting alone is short. */
const GREETING_CHARS_MAX = 60;

/** Before what is asked stand a greeting and a polite form. */
const OPENING =
  /^(?:(?:hey|hi|hello|hallo|hej|moin|ok(?:ay)?|so|well|und|and|also|äh|please|pls|bitte|kindly|mal|btw|quick(?: one)?|schnell|one more thing|noch was|sag mal|say|great|perfect|super|cool|nice|thanks|danke|gut|ja|yes)[,:!. –-]+|(?:do you think you|any chance you|is it possible (?:for you )?to|would it be possible to|i wonder if you|(?:can|could|would|will) you)(?: could| can)? (?:please |quickly |kindly |just |mind )*|would it be possible to |is it possible to |wäre es möglich,? |meinst du,? du |(?:kannst|könntest|magst|würdest|willst) du (?:mir |bitte |mal |kurz |schnell |auch |uns )*|(?:können|könnten|würden) sie (?:mir |bitte |mal |kurz |auch |uns )*|please |bitte |i(?:['’]d| would) like you to |i need you to |ich möchte,? dass du |du sollst |go ahead and |let['’]s )+/;
const CONDITION =
  /^(?:if (?:so|not|yes|no|it is|possible)|wenn (?:ja|nicht|nein|möglich)|falls (?:ja|nicht)|otherwise|sonst|then|dann|also|and|und|please|bitte)[,:]? +/;
const GREETING =
  /^(?:thanks?|thank you|thx|danke\w*|vielen dank|hello|hi|hey|hallo|good (?:morning|night|evening)|guten|gute nacht|morning|bye|tschüss|haha|lol|joke|tell me a joke|you(?:['’]re| are)|du bist|i(?:['’]m| am) (?:tired|sad|bored|happy|nervous|so)|ich bin (?:müde|traurig|nervös|so)|how are|wie geht|what a|was für|schönen|sorry|na\b)/;
const DEED =
  /^(?:check (?:me|us|him|her|them|\w+) in|get (?:me|us|the)|need an?|back up|push|rotate|revoke|sort out|don['’]?t let me|every (?:day|morning|evening|night|week|month|\w+day)|jede[nrs]? (?:tag|morgen|abend|woche|monat|\w+tag)|sorg\w*|sperr\w*|füg\w*|hol\w*|gib (?!mir (?:ein|drei|zwei|ideen|tipps))|spiel\w*|storno|taxi|sag (?:\p{L}+ ){1,3}dass|do (?:the|this|it)|richte|verlänger\w*|ask|contact|apply|request|claim|report|chase|nudge|stups\w*|check in|follow up|pick up|frag\w*|hak\w*|kontaktier\w*|beantrag\w*|reklamier\w*|sag\w* .{0,40}(?:ab|bescheid)(?=[.!?]|$)|send|mail|e-?mail|text|message|write (?:to )?(?:my|him|her|them|it|tom|back)|book|reserve|add|save|note|store|remember|remind|cancel|delete|remove|kill|drop|tell(?! me(?! (?:when|if|as soon|once)(?!\p{L})))|let|inform|notify|forward|order|buy|put|set|move|reschedule|pay|transfer|post|publish|upload|file|complain|call|ring|reply|answer (?:him|her|them)|invite|schedule|plan in|create|make (?:a|an|it)|start|stop|restart|run|deploy|install|turn|switch|mute|block|unsubscribe|subscribe|archive|clean|clear|rename|copy|share|confirm|decline|accept|sign|register|renew|wake|ping|watch|keep an eye|get rid|fix|update|change|do it|do that|arrange|organi[sz]e|sort (?:it|that) out|schick\w*|send\w*|mail\w*|schreib\w*|buch\w*|reservier\w*|trag\w*|speicher\w*|notier\w*|merk\w*|erinner\w*|storni\w*|lösch\w*|entfern\w*|kündig\w*|sag\w* (?:ihm|ihr|ihnen|den|dem|der|allen|ab|bescheid|\w+ (?:bescheid|ab))|gib\w* (?:ihm|ihr|\w+ bescheid)|informier\w*|leit\w*|bestell\w*|kauf\w*|leg\w*|setz\w*|stell\w*|verschieb\w*|bezahl\w*|überweis\w*|poste|veröffentlich\w*|lad\w*|reich\w*|beschwer\w*|ruf\w*|antwort\w*|plan\w*|erstell\w*|mach\w*|start\w*|stopp\w*|führ\w*|installier\w*|schalt\w*|weck\w*|block\w*|melde\w*|archivier\w*|räum\w*|benenn\w*|kopier\w*|teil\w*|bestätig\w*|verläng\w*|behalt\w*|änder\w*|aktualisier\w*|hak\w*|pack\w*|häng\w*|druck\w*|weg damit|raus damit|los|tu\w*)(?!\p{L})/u;
const DEED_AFTER_TEXT = /^(?:send|mail|e-?mail|text|post|schick|maile?|leite?|poste|speicher|save|forward)(?!\p{L})/u;
const TEXT =
  /^(?:(?:write(?! (?:to|him|her|them|back|my)(?!\p{L}))|draft|compose|word|phrase|rephrase|reword|rewrite|translate|summari[sz]e|sum|shorten|proofread|correct|polish|improve|edit|turn (?:this|it|these)|make (?:it|this|that) \w*(?:er|more|less|sound|friendl)|brainstorm|generate|come up|how would you|pick (?:a|one|three|your) |act as|pretend|convert|format|fix (?:this|the) (?:sentence|grammar|text)|code|implement|formulier\w*|übersetz\w*|fass\w*|kürz\w*|korrigier\w*|entwirf|verbesser\w*|dichte|reim|mach (?:(?:es|das|den text) (?:\p{Ll}+er)|daraus|mir (?:mal )?(?:eine?n? )?(?:liste|checkliste|entwurf|vorschlag|plan|tabelle|gedicht|übersicht|zusammenfassung))|schreib\w* (?:mir |uns |mal )*(?:ein\w* (?=[^.]*(?:skript|programm|funktion|code|query|regex))[^.]*|ein\w*|doch|mal|kurz|den|die|das)? ?(?:\w+ )?(?:gedicht|text|funktion|skript|satz|entwurf|absatz|gruß|karte|mail|nachricht|brief|anzeige|rede|betreff\w*|glückwunsch\w*|kündigung\w*|absage|einladung\w*|entschuldigung\w*|spruch|toast|bewerbung\w*)(?! an (?:mama|\p{Lu})))(?!\p{L}))/u;
const TEXT_FOR_ME = /^schreib\w* mir (?:bitte |mal )*ein/u;
/** It may be a draft, or a message that is to go out. */
const TEXT_TO_SOMEBODY = /^schreib\w* (?:mir |mal |bitte )*ein(?!.*(?:skript|programm|funktion)).* (?:an|für) /u;
const POLITE =
  /(?:^|[,.!] )(?:(?:can|could) you|(?:would|will) you (?:please|kindly|mind)|do you think you could|any chance you|(?:kannst|könntest|magst|würdest) du|(?:können|könnten|würden) sie)(?!\p{L})/u;
const POLITE_QUESTION =
  /(?:can|could) you (?:also \p{Ll}+ \p{Ll}+\?|(?:please |quickly |just |maybe )*(?:explain|tell me(?! (?:when|if|as soon))|show|find (?:out|me (?!a (?:slot|table)))|search|look (?!after)|compare|recommend|suggest|translate|summari[sz]e|draft|rewrite|rephrase|shorten|read|list|calculate|help|give me|describe|do\b|check (?!(?:tomorrow|tonight|again|every|back))))|(?:kannst|könntest|magst|würdest) du (?:auch|überhaupt|eigentlich|sowas)|(?:erklären|zeigen|übersetzen|zusammenfassen|helfen|nachsehen|nachschauen|schauen|prüfen|suchen|nennen|empfehlen|vergleichen|rechnen|ausrechnen|vorlesen|lesen|erzählen|formulieren|entwerfen|umformulieren|kürzen|verbessern|korrigieren|sagen,)(?=[?.!,]|$)/u;
const EARLIER =
  /^(?:when did|did(?! (?:u|you)(?!\p{L}))|have you|has|had|where did|hast|hattest|wann hast|wurde|wann habe|hab ich|und, alles|alles)(?!\p{L})/u;
const STANDING =
  /^(?:what about|how about the|und was ist mit|was ist mit|wie (?:weit|steht)|what['’]?s (?:up with|the status)|any news|how far)(?!\p{L})/u;
const QUESTION =
  /^(?:(?:(?:bis|ab|seit|von|um|für|mit|bei|zu|an|in|at|for|since|until|by|from|to|on|auf|gegen) )?(?:wann|wem|wen|welche\w*|wie viel\w*|was|when|what|which|who|how)|(?:what|how|where|who|when)['’]?s|\p{Ll}{2,}t (?:es|das|der|die|dein\w*|mein\w*|ein\w*|du|\d+|denn|eigentlich|man|sich|ich|wir|ihr|er|sie|da|noch|schon)|\p{Ll}+st du|ging\w*|lief\w*|kam\w*|gab\w*|what|when|where|who|whose|whom|which|why|how|is|are|was|were|do|does|did|has|have|had|am|any|should|will|would|might|explain|tell me(?! (?:when|if|as soon|once))|show|find(?! (?:and|a slot|someone|somebody|me (?:a|an) (?:slot|table|appointment)))|look(?! after)|check(?! (?:tomorrow|tonight|again|every|back))|search|list|compare|recommend|suggest|name|define|calculate|convert|count|read|give me (?:a|an|some|the|three|five|ideas)|remind me (?:what|how|why|who)|help me (?:understand|decide)|i(?:['’]m| am) (?:wondering|curious|not sure)|i (?:wonder|don['’]t (?:get|understand))|describe|analy[sz]e|evaluate|quiz|teach|wann|wo|wohin|woher|wer|wen|wem|wessen|welche\w*|warum|wieso|weshalb|wie|was|ist|sind|war|waren|hat|habe|haben|hast|gibt|gab|muss|müssen|soll|sollte|darf|kann|können|stimmt|lohnt|geht|passt|erklär\w*|sag mir(?! (?:wenn|sobald|bescheid))|zeig\w*|such\w*|finde|schau\w*(?! (?:dass|morgen))|guck\w*|prüf\w*|liste|vergleich\w*|empfiehl|nenn\w*|rechne|lies|erzähl\w*|hilf mir (?:zu verstehen|bei der)|wozu|womit|wofür|worum|wieviel|wurde|wird|brauch\w*|kennst|weißt|bist|läuft)(?![\p{L}])/u;
const WISH = /^(?:i|ich) (?:need|want|would|brauch|möchte|will|hätte)/u;
/** "Den Vertrag bitte verlängern", "the light should be off". */
const DEED_IN_STATEMENT =
  /(?:\p{Ll}{3,}en|raus|weg|aus|an)[.! ]*$|please|bitte|\b(?:soll|should|needs? to|must|muss) /u;
const GERMAN_OBJECT_FIRST = /^(?:die|den|das|ein\w*|mein\w*) .*\p{Ll}+e?n[.!]?$/u;

/** @param words of the owner */
export const askedFor = (words: string): Asked => {
  const all = words
    .slice(0, READ_CHARS_MAX)
    .trim()
    .toLowerCase()
    .replace(/["„“”«»][^"„“”«»]*["“”«»]/g, 'it')
    .replace(/^\P{L}+/u, '');
  const bare = all.replace(OPENING, '');
  if (bare === '') return all === '' ? 'unclear' : 'words';
  if (GREETING.test(all) && all.length < GREETING_CHARS_MAX && !DEED.test(bare) && !POLITE.test(all)) return 'words';
  const clauses = bare
    .split(/(?<=[.?!;:])\s+|,\s+|\s(?:and|und|then|dann)\s+|\s[–—-]\s/)
    .map((one) => one.replace(CONDITION, '').replace(OPENING, '').replace(CONDITION, ''));
  const later = clauses.slice(1);
  if (later.some((one) => DEED_AFTER_TEXT.test(one))) return 'deed';
  if (TEXT_TO_SOMEBODY.test(bare)) return 'unclear';
  if (TEXT_FOR_ME.test(bare) || TEXT.test(bare)) return 'words';
  if ([bare, ...later].some((one) => DEED.test(one))) return 'deed';
  if (POLITE.test(all)) return POLITE_QUESTION.test(all) ? 'question' : 'deed';
  if (EARLIER.test(bare)) return 'earlier';
  if (STANDING.test(bare)) return 'unclear';
  if (clauses.some((one) => QUESTION.test(one))) return 'question';
  if (bare.endsWith('?') && !OPENING.test(all)) return 'unclear';
  if (/^bitte/.test(all) && GERMAN_OBJECT_FIRST.test(bare)) return 'deed';
  return DEED_IN_STATEMENT.test(bare) || WISH.test(bare) ? 'deed' : 'unclear';
};
