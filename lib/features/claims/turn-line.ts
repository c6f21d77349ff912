/**
 * The line below an answer that speaks of something as done, or promises it, in a turn that did
 * nothing of it: it says what the turn did, by its record. The rules here, of English and German,
 * only decide whether the line is shown: where they err, a line is too many or missing. Pure.
 */
import { isMcpTool } from '../../core/signal/mcp-name.ts';
import { findTool } from '../../core/tools/catalogue.ts';
import { askedFor } from './asked-for.ts';

/**
 * For sentences in small letters. V8 takes 60 ms to compile them as one pattern of any case, and 10
 * ms like this.
 */
const any = (...patterns: readonly string[]): readonly RegExp[] => patterns.map((one) => new RegExp(one, 'u'));

/** Verbs of reading, thinking and wording: an answer needs no tool for them. */
const ONLY_SAID = [
  'read|found|find|look|check|double|search|see|saw|hear|underst|compar|notic|thought|assum|consider|tried|review|summari|translat|draft',
  'word|phras|list|includ|explain|mention|answer|learn|calculat|count|use|base|been|had|want|need|meant|guess|rewr|writ|wrote|ask|scann|examin',
  'verif|research|spott|discover|estimat|interpret|skimm|brows|miss|fail|outlin|suggest|recommend|quot|describ|convert|fetch|consult|figur',
  'believ|hop(?:e|ing)|lov|lik|enjoy|wonder|chose|came|gone|went|identif|refer|spoke|trust|expect|intend|decid|claim|stat|said|shorten|proofread',
  'got|kept|nam|point|receiv|know|known|seem|happen|turned out|appli|relat|limit|allow|suppos|requir|design|divid|surpris|pleas|interest|left out|led|indeed|instead|red(?!\\p{L})|bed|need',
].join('|');
/** The same in German, as their participles. */
const ONLY_SAID_GERMAN = [
  'gefunden|gelesen|gesehen|\\p{Ll}*prüft|\\p{Ll}*gesehen|\\p{Ll}*geschaut|\\p{Ll}*sucht|verglichen|\\p{Ll}*verstanden|gedacht|angenommen|gehört',
  'recherchiert|\\p{Ll}*rechnet|gezählt|übersetzt|zusammengefasst|formuliert|umformuliert|entworfen|geschrieben|bemerkt|gemeint|genannt|gebeten',
  'erwähnt|erklärt|beschrieben|gefragt|ausgewertet|analysiert|gewusst|gehabt|gewesen|bekommen|erhalten|gelernt|vermutet|geschätzt|ermittelt',
  '\\p{Ll}*gefunden|entdeckt|gezeigt|gesagt|gebraucht|verwendet|benutzt|getroffen|abgerufen|gekürzt|korrigiert|berücksichtigt|gewählt|beantwortet',
  '\\p{Ll}*gelesen|verlesen|durchgegangen|nachvollzogen|identifiziert|interpretiert|geeignet|gerne?|bestimmt|relevant|bedeutet|erlaubt|verboten|gelegen|eigen\\p{Ll}*|gegen|morgen|wegen|gestern|unten|unter|versehen|entweder|verstehen|begonnen|geboren|entstanden|gestorben|gewonnen|verloren|geöffnet|geschlossen|gegründet|erbaut|gebaut|erfunden|entdeckt|verfasst|gelten',
].join('|');
/** A deed, and in German. */
const DID = `(?!(?:${ONLY_SAID}))(?:\\p{Ll}{2,}ed|sent|set|made|put|built|bought|let|told(?! you)|paid|done|ran|run|taken|took|given|gave|cut|shut|begun|began|held|brought|reset|hidden|undone|thrown|sold|rung|rang)`;
const DID_GERMAN = `(?!(?:${ONLY_SAID_GERMAN})(?!\\p{L}))(?:\\p{Ll}*ge\\p{Ll}{3,}(?:t|en)|(?:be|ver|ent|er|zer|über|unter|wieder)\\p{Ll}{3,}(?:t|en)|\\p{Ll}{2,}iert)`;
const NOW = '(?: (?:just|also|already|now|successfully|quickly|both|went ahead and|gone ahead and|\\p{Ll}{3,}ly))*';
const ACT = any(
  `\\bi(?:['’]ve| have)?${NOW} ${DID}(?!\\p{L})`,
  `\\b(?:ich hab|hab)e?(?:['’]?s)?(?: ich)? (?:.{0,100}? )?${DID_GERMAN}(?=\\P{L}*$|,| und | – )`,
  "\\bi(?:['’]m| am) (?:just |now |already |currently )*(?!(?:not|look|read|try|wonder|think|assum|hop|guess|miss|us|refer|go|talk|ask|see|be|check|search|draw|bas|happ|tell|say)\\p{L}*)\\p{Ll}{2,}ing(?!\\p{L})",
);

/** Something is so for the reader, by the agent. */
const FOR_YOU = any(
  `(?<!\\p{L})(?:bist du|seid ihr|sind sie|du bist|ihr seid) (?:.{0,80} )?${DID_GERMAN}(?=\\P{L}*$|,| und )`,
  `\\byou(?:['’]re| are) (?:now |all |officially )*(?:booked|subscribed|unsubscribed|covered|registered|signed up|checked in|confirmed|scheduled)`,
  "\\bi(?:['’]ll| will).{0,60} let you know(?! (?:what|how|which|if you))",
  '\\bhalte (?:ich )?(?:dich|sie|euch) auf dem laufenden|\\bich halte (?:dich|sie|euch) auf dem laufenden',
);

/** Said of something that nobody clearly asked for. */
const SETTLED = any(
  "\\b(?:taken care of|all set|is (?:now )?(?:booked|scheduled|sent|saved|live|done)|it just went out|i won[’']t let you forget|went out|in your inbox)(?!\\p{L})",
  '(?:^|, )(?:ist|sind) (?:schon |bereits |jetzt )*(?:\\p{Ll}*ge\\p{Ll}{3,}(?:t|en)|\\p{Ll}+iert|be\\p{Ll}+t|erledigt|raus|durch)(?=\\P{L}*$|,| und )',
  '(?<!\\p{L})(?:noted|notiert|gemerkt|vermerkt|abgespeichert|eingetragen|vorgemerkt|gespeichert)(?!\\p{L})',
);

/** Promises that the answer itself keeps. */
const I_WILL_SAY =
  'need|be (?:happy|glad|honest|here|brief|able|clear|direct)|explain|show|say|start|assume|try|walk|list|summari[sz]e|translate|draft|tell you(?! (?:when|if|as soon|once))|give you|answer|write|stick|keep (?:it|this|that|things)? ?(?:short|brief|simple)|admit|leave|skip|go through|read|look at|look it|look into|have to|wait|use|ask|not|never|only|gladly|happily|suggest|just (?:say|list|explain)|probably|need|do my best|then|hold off|see|know|mention|add (?:that|one)|want|put it (?:plainly|simply)|rephrase|rewrite';
const I_SAY_GERMAN =
  'habe?|hätte|könnte|würde|möchte|sehe|finde|denke|glaube|weiß|verstehe|empfehle|schlage|brauche|nehme|lese|meine|hoffe|frage|helfe|erkläre|zeige|nenne|fasse|übersetze|rate|vermute|kenne|gehe davon|sage|bitte|danke|bedaure|entschuldige|stehe|beziehe|warte|tue|fände|dürfte|sollte|müsste|wünsche|freue|bekomme|wollte|konnte|musste|durfte|hatte|wäre|erwarte|fürchte|bevorzuge|gebe|halte|liste|beginne|rede|spreche|suche|schaue|gucke|prüfe|vergleiche|fange|bleibe|arbeite nur|zähle|rechne|beantworte|formuliere|lege (?:mal )?los|werde|lasse|antworte|gerne?|eine?|heute|alle|keine|diese|deine|ihre|erst|ohne|könne|müsse|komme|sei|wende|lerne|stelle mir|verzichte|verweise|leite ab|mag|erinnere mich|ende|traue|tippe|höre|heiße|schreibe (?:dir )?(?:gern|einen|eine|mal|nur)|mache (?:das |es |dir )?(?:gern|nur|einen vorschlag|mir)|eine|viele|nachgelesen|stimme|mache (?:das |es )?(?:kurz|nicht)|laute|wusste|dachte|bräuchte|nur|mache ich nicht';
const PROMISE = any(
  `\\bi(?:['’]ll| will|['’]m going to|['’]m about to) (?:also |then |now |just |automatically |gladly )*(?!(?:${I_WILL_SAY}))\\p{Ll}+`,
  "(?:^|, )(?:it|this|that|the (?:job|reminder|alarm|system|bot|script)|they|you)(?: will|['’]ll) (?:be )?(?:remind|notif|alert|wake|ping)",
  '\\bexpect (?:a|an|the|my) (?:\\S+ )?(?:nudge|reminder|message|ping|call|mail|note|heads-up)',
  "\\byou['’]ll hear from me",
  `(?:^|[,;] |(?:und|dann|da|gerne?|also|dafür|das|den|die) )ich (?!(?:${I_SAY_GERMAN})(?!\\p{L}))\\p{Ll}+e\\b`,
  `(?<!\\p{L})(?!(?:${I_SAY_GERMAN})(?!\\p{L}))\\p{Ll}{3,}e ich(?!\\p{L})(?! (?:nur|nicht|erst|gern|nichts|kein\\p{Ll}*)(?!\\p{L}))`,
  '\\bich werde (?!.*(?:nicht|nichts|kein))(?:.{1,80} )?(?!(?:erklären|zeigen|sagen|müssen|versuchen|nennen|brauchen|können)(?!\\p{L}))\\p{Ll}+en(?=\\P{L}*$|,| und | sobald)',
  '\\bich melde mich\\b|\\bmelde mich\\b|\\bbehalte .{1,60} im (?:auge|kopf|blick)|\\bmerke (?:ich )?mir\\b|\\b(?:schicke|sende|maile|erinnere|sage?|gebe?|kümmere|notiere|trage|buche|bestelle|lösche) (?:ich )?(?:dir|dich|mich|ihr|ihm|ihnen|es|das)\\b',
);

/** These reach other people or systems: a note or a job does not make them true. */
const SENT = any(
  "\\bi(?:['’]ve| have)? .{0,40}?(?:sent|e-?mailed|messaged|texted|forwarded|notified|informed|replied|posted|submitted|uploaded|published|invited|told|passed|let \\S+(?: \\S+)? know)(?!\\p{L})",
  '(?:\\bich hab|\\bhabe? ich|^hab)e? .{0,80}?(?:(?:ge|ver|abge|rausge|weiterge)(?:sendet|schickt)|weitergeleitet|informiert|benachrichtigt|geantwortet|gepostet|gemailt|hochgeladen|veröffentlicht|mitgeteilt|eingeladen|bescheid gegeben|zugestellt)(?!\\p{L})',
);

/** The whole answer, or a sentence of it. */
const ALONE =
  /^\P{L}*(?:all |it['’]s |alles |ist |schon |already )?(?:done|erledigt|gemacht|passiert|check|will do|mach ich|wird gemacht|consider it done)\P{L}*$/iu;
/** Before a claim these make it an offer, a condition, or a denial. */
const HEDGE =
  /\b(?:if|when|once|before|whether|that|not|never|can|could|would|should|may|might|cannot|wenn|falls|sobald|nachdem|bevor|ob|dass|nicht|nichts|kein\w*|kann|kannst|könnte\w*|soll|sollte\w*|hätte\w*|würde\w*|muss|musst|müsste\w*|darf|n['’]t|\w+n['’]t|nothing|no|none|niemand|nobody|noch nicht|niemals|unless|until|how|what|who|where|why|wie|was|wer|wo|warum)\b/i;
const DENIED = /^(?: \S+)? (?:nicht|nichts|nothing|no one|nobody|none|no|kein\w*|neither)\b/i;
const ON_DEMAND =
  /\b(?:if you|once you|when you|as soon as you|after you|say (?:the word|yes|so|when)|unless you|whenever you|should i|shall i|want me|with your (?:ok|yes|go)|if that|wenn du|sobald du|falls du|falls ihr|auf wunsch|soll ich|möchtest du|willst du|nach deinem|mit deinem ok|wenn das|sag (?:mir )?(?:einfach )?bescheid|on your go|give me the)\b/i;
/** Another turn. */
const THEN =
  /\b(?:this morning|yesterday|earlier|previously|last|(?<!moment )(?<!minute )(?<!second )ago|back in|heute morgen|heute früh|gestern|vorgestern|letzte\w*|damals|vorhin|vor (?:\w+ )?(?:tagen|wochen|stunden|monaten|jahren)|habe? ich am \w+tag|bereits am|schon am|at the time|in an earlier|originally|ursprünglich|previous)\b/i;
const DATED =
  /\b(?:on (?:the )?\d{1,2}|(?:january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember)|am \d{1,2}\.|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|am (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag))\b/i;
/** The work is a text that the answer holds. */
const OF_TEXT =
  /\b(?:paragraph|sentence|verb|wording|draft|heading|below|above|version|following|absatz|satz|verb|entwurf|unten|oben|folgende\w*|fassung|vorschlag|formulierung|summary here|here['’]s|hier ist|hier sind)\b/i;
/** Somebody else is the source, or a rule of the world. */
const REPORT =
  /\b(?:says?|said|according|because|by|pasted|page|first|\d{4}|laut|weil|wegen|von|so die|steht in|erste\w*|usually|typically|often|generally|in general|always|every time|meist\w*|üblicherweise|oft|normalerweise|häufig|shows?|mentions?|notes? (?:say|mention|show)|was|were|war|waren|century|jahrhundert|people|the mail|die mail|in deiner notiz|zeigt|notierst|stehen? dort|dort|darin|therein|there)\b/i;

/** Answers that refuse or leave open what is asked: one of these may well be all there is. */
const LEFT_OPEN = [
  /\?|\b(?:cannot|can['’]t|can not|couldn['’]t|unable|not able|beyond me|haven['’]t|have not|hasn['’]t|didn['’]t|did not|don['’]t have|won['’]t be able|no (?:access|way|tool|permission|connection)|i (?:still )?need|i['’]d need|i would need|need(?:s)? (?:your|a|the|to know)|not (?:yet|been|going|sent|done|booked)|nothing (?:has|was|is|went|goes|will)|before (?:i|anything)|say (?:yes|the word)|your (?:ok|go-ahead|yes|approval|confirmation)|waiting for you|i could|i can\b|would you|do you want|kann (?:ich )?.{0,40}?(?:nicht|kein)|konnte|leider|noch (?:nicht|kein\w*|nichts)|brauche ich|ich brauche|bräuchte|fehlt mir|fehlen mir|dazu fehlt|habe (?:ich )?(?:noch )?(?:nichts|nicht|kein)|komme ich nicht|keinen zugriff|wurde nichts|wurde nicht|ist nichts|nichts (?:gesendet|gebucht|verschickt|passiert|getan|geändert)|ein ja|dein (?:ok|ja|okay)|deine (?:zustimmung|freigabe|bestätigung)|wartet auf dein|waits for your|muss ich passen|gehört nicht|weder|geht nicht|neither|sobald du|wenn du (?:möchtest|willst|magst)|soll ich|könnte ich|ich könnte|kann ich (?:gern|dir|das)|würde ich|magst du|only you|nur du)\b/i,
  /(?<!\p{L})(?:not|never|neither|nor|nicht|nie|niemals|nein|weder|bislang|erst,? wenn|only (?:once|after|when|if)|i would|i['’]d (?:need|have to|rather|want|be (?:happy|glad)|only|like)|i (?:know|have|see|found|find) no|ich (?:kenne|habe|sehe|finde) kein\p{Ll}*|(?:nobody|no one|niemand) (?:approved|confirmed|answered|said|hat|gab)|denied|refused|rejected|expired|impossible|failed|abgelehnt|verweigert|abgelaufen|unmöglich|fehlgeschlagen|scheiterte|nenn mir|tell me|give me (?!a few|a moment|a minute)|let me know (?:if|which|when|what|how)|okay\b.*\bfirst|with your|(?:no|nothing|none|nobody) (?:\p{L}+ )?(?:has|have|was|were|is|are|went|goes|got)|(?:kein\p{Ll}*|nichts|niemand) (?:\p{L}+ )?(?:ist|sind|wurden?|hat|ging|geht|habe)|(?:ist|sind|wurden?|ging|habe|hab) (?:\p{L}+ )?(?:kein\p{Ll}*|nichts|niemand\p{Ll}*)(?! \p{L}* ?(?:hinzu|mehr)))(?!\p{L})|n['’]t(?!\p{L})|^(?:no|nope|nein|nö)[,.: ]/iu,
];
/** These only look like it. */
const SOOTHING =
  /(?:do)?n['’]t worry|not (?:a problem|to worry|hesitate)|(?:muss|musst|brauchst?) .{0,40}?nicht(?: mehr)?|nicht (?:mehr|vergessen|nötig|nur)|not? (?:be|have to|only|necessary)|won['’]t (?:be|have|need|forget|miss)|vergesse .{0,20}?nicht|wasn['’]t (?:needed|necessary)/giu;
const ANYTHING_ELSE = /(?:anything else|what else|noch (?:etwas|was)|sonst noch)[^?]*\?/gi;

/** More is not looked at: a claim is short. */
const SENTENCE_CHARS_MAX = 300;
const QUOTED = /"[^"\n]{0,300}"|[„“»][^“”«\n]{0,300}[“”«]|(?<!\p{L})'[^'\n]{3,300}'(?!\p{L})|«[^»\n]{0,300}»/gu;
const EXAMPLE =
  /(?:maybe|perhaps|how about|wie wäre es(?: mit| damit)?|etwa so|vielleicht|vorschlag|suggestion|something like|so etwas wie|zum beispiel|for example): [^\n]*/gi;
const OPENING =
  /^(?:(?:ok(?:ay)?|sure(?: thing)?|great(?: news)?|perfect|got it|no (?:problem|worries)|alles klar|gut|klar|gerne?|keine? (?:problem|sorge)|yes|yep|ja|so|super|prima|of course|absolutely|well|right|jo|jep|na klar|natürlich|passt)[,!.:]* |\P{L})+/iu;

/** Sentences without code, quotations, questions, and what a line with a colon announces. */
const sentencesOf = (text: string): readonly string[] =>
  text
    .replace(/```[\s\S]*?(?:```|$)|^>.*$|`[^`\n]*`/gm, 'it')
    .replace(QUOTED, 'it')
    .replace(/:[ \t]*\n[\s\S]*$/, '?')
    .replace(EXAMPLE, '?')
    .replace(/[*_#]/g, '')
    .split(/(?<=[.!?:;])\s+|\s[–—]\s|\n+/)
    .filter((sentence) => !sentence.endsWith('?'))
    .map((sentence) => sentence.replace(OPENING, '').slice(0, SENTENCE_CHARS_MAX).toLowerCase());

/** The leftmost find of the rules, unless an exception or a hedge makes it something else. */
const says = (sentence: string, rules: readonly RegExp[], ...exceptions: readonly RegExp[]): boolean => {
  const [found] = rules
    .map((rule) => rule.exec(sentence))
    .filter((one) => one !== null)
    .toSorted((a, b) => a.index - b.index);
  if (found === undefined || exceptions.some((exception) => exception.test(sentence))) return false;
  const end = found.index + found[0].length;
  return !HEDGE.test(sentence.slice(0, end)) && !DENIED.test(sentence.slice(end));
};

const isLeftOpen = (text: string): boolean => {
  const rest = text.replace(QUOTED, 'it').replace(ANYTHING_ELSE, '').replace(SOOTHING, '');
  return LEFT_OPEN.some((rule) => rule.test(rest));
};

const speaksOfDeed = (text: string, asked: string): boolean => {
  const kind = askedFor(asked);
  if (kind === 'words') return false;
  if (kind === 'deed' && !isLeftOpen(text)) return true;
  const hasOrder = kind === 'deed' || kind === 'unclear';
  return sentencesOf(text).some(
    (sentence) =>
      (hasOrder && ALONE.test(sentence)) ||
      (kind !== 'earlier' && says(sentence, ACT, THEN, OF_TEXT, ON_DEMAND, ...(kind === 'question' ? [DATED] : []))) ||
      says(sentence, FOR_YOU, THEN, REPORT, ON_DEMAND) ||
      (kind === 'unclear' && says(sentence, SETTLED, THEN, ON_DEMAND)) ||
      says(sentence, PROMISE, ON_DEMAND),
  );
};

/** A program's work is its output, which an answer tells. */
const changes = (tool: string): boolean => isMcpTool(tool) || tool === 'run-code' || findTool(tool)?.kind !== 'read';

/** A tool that works at another place, or calls tools that may. */
const reachesOthers = (tool: string): boolean => {
  const found = findTool(tool);
  return found?.target !== 'tool' || found.run === undefined || /^run-(?:runbook|skill)$/.test(tool);
};

const GERMAN = /\b(?:ich|habe?|dein\w*|die|der|das|ist|wurde|erledigt|und|nicht|ge\w+t)\b/i;

/**
 * @param asked the owner's words that began the turn; empty if none are known
 * @param tools called in this turn, done or waiting for a yes
 * @returns the line, in the language of the answer; undefined if none is due
 */
export const lineOfTurn = (text: string, asked: string, tools: readonly string[]): string | undefined => {
  const changing = [...new Set(tools.filter(changes))];
  if (changing.some(reachesOthers)) return undefined;
  const isGerman = GERMAN.test(text);
  if (changing.length > 0) {
    if (!sentencesOf(text).some((sentence) => says(sentence, SENT, THEN))) return undefined;
    const names = changing.map((tool) => `\`${tool}\``).join(', ');
    return isGerman
      ? `(In dieser Runde getan: ${names}. Gesendet oder gebucht wurde nichts.)`
      : `(Done in this turn: ${names}. Nothing was sent or booked.)`;
  }
  if (!speaksOfDeed(text, asked)) return undefined;
  return isGerman
    ? '(In dieser Runde wurde nichts gesendet, gebucht oder gespeichert.)'
    : '(Nothing was sent, booked or saved in this turn.)';
};
