/**
 * Finds what an answer claims that its turn did not do: "I've sent it" without a call that sends.
 * Sentences are compared with a table of verbs, in English and German, and with the facts that the
 * catalogue states of the tools. A claim in other words is missed. Pure.
 */
import { mayChange } from '../signal/changing-tools.ts';
import { isMcpTool } from '../signal/mcp-name.ts';
import { findTool } from '../tools/catalogue.ts';

export interface EmptyClaim {
  /** As the answer has them, without what follows the verb. */
  readonly words: string;
  /** What is so: "nothing was sent in this turn". */
  readonly denial: string;
  /** The same for the person, in the language of the claim. */
  readonly line: string;
}

type Does = (tool: string) => boolean;

/** What these do cannot be known: they make any claim true. */
const DOES_ANYTHING: Does = (tool) =>
  isMcpTool(tool) ||
  ['run-runbook', 'run-job', 'run-skill', 'accept-offer'].includes(tool) ||
  findTool(tool)?.target === 'webhook' ||
  findTool(tool)?.effects?.runsCommand !== undefined;
const SENDS: Does = (tool) => findTool(tool)?.target === 'text';
const WRITES: Does = (tool) =>
  findTool(tool)?.effects?.writesFiles !== undefined || findTool(tool)?.changesMemory === true;
const CHANGES: Does = (tool) => WRITES(tool) || findTool(tool)?.kind !== 'read';
const SCHEDULES: Does = (tool) => mayChange(tool, 'job');
const RUNS: Does = (tool) => findTool(tool)?.effects?.runsCode === true;

interface Kind {
  readonly en: string;
  readonly de: string;
  readonly does: Does;
  /** Verbs that say "done" of it: participles, in German too. */
  readonly verbs: string;
  /** Whole phrases that claim or promise it. */
  readonly phrases?: string;
}

/** Where a claim keeps something. */
const PLACE = '(?:calendar|(?:\\S+ )?list|notes?|memory|invitation|kalender|\\S*liste|notizen|gedächtnis|einladung)';

// biome-ignore format: one row per kind
const KINDS: readonly Kind[] = [
  { en: 'sent', de: 'gesendet', does: SENDS,
    verbs: "sent|e-?mailed|messaged|texted|forwarded|notified|informed|replied|answered (?:her|him|them)|asked \\S+(?= (?:if|whether|to))|posted|delivered|shared \\S+ \\S+ with|told(?! you)|let (?:\\S+ ){1,3}know|passed (?:\\S+ ){1,3}on|(?:ge|ver|abge|losge)(?:sendet|schickt)|weitergeleitet|informiert|benachrichtigt|geantwortet|gefragt(?=, ob)|gepostet|zugestellt|mit \\S+ geteilt|gemailt|getextet|(?:ein)?gereicht|hochgeladen|veröffentlicht|übermittelt|mitgeteilt|verständigt|eingeladen|angerufen|submitted|uploaded|published|invited|dropped \\S+ a (?:line|note|message)|gesagt(?=, dass)|(?:gerade|ihm|ihr|ihnen) geschrieben|geschrieben(?=, dass)|bescheid gegeben|raus|unterwegs|on its way", phrases: 'has gone out' },
  { en: 'scheduled', de: 'geplant', does: SCHEDULES,
    verbs: `(?:re)?scheduled|booked|reserved|moved (?:the|your) (?:\\S+ )?(?:call|meeting|appointment|event)|verschoben|verlegt|vereinbart|set (?:up )?(?:an?|the|your) (?:\\S+ )?(?:job|reminder|alarm|timer)|set(?= for)|created an? (?:\\S+ )?(?:reminder|job|event)|(?:added|put)(?: \\S+){0,4}? (?:to|on|in) (?:your|the) calendar|eingeplant|geplant|gestellt|gesetzt|reserviert|gebucht|(?:job|erinnerung|termin|\\S*eintrag) (?:\\S+ ){0,3}?(?:eingerichtet|angelegt|erstellt)|kalender (?:eingetragen|gepackt|gesetzt)`,
    phrases: "I(?:['’]ll| will|['’]m going to) (?:make sure to )?(?:remind|notify|alert|wake|ping|nudge|text you|message you|let you know|follow up (?:with|on)|(?:check|look) again|get back to you|check back|keep an eye (?!out)|send you .* (?:every|tomorrow))|you['’]ll get a (?:reminder|message) from me|(?:ich|und) (?:erinnere?|wecke?|benachrichtige?|stupse?) (?:dich|sie)|ich werde (?:dich|dir|sie|ihnen) .*(?:erinnern|benachrichtigen|informieren|bescheid|schreiben)|ich (?:sage?|gebe?) (?:dir|ihnen) .*bescheid|ich schreibe? dir(?=, (?:sobald|wenn))|du bekommst .*(?:erinnerung|nachricht) von mir|ich melde mich|ich behalte .* im auge|ich schaue? (?:in|um|morgen|später) .*nach|ich schicke? (?:dir|ihnen) jede|(?:steht|stehen|ist) jetzt (?:in|auf) (?:deine[mr]|der) \\S*(?:kalender|liste)|timer läuft|(?:job|reminder|erinnerung|alarm|wecker|timer) (?:is|ist) (?:now |jetzt )?(?:active|aktiv)$|^(?:reminder|erinnerung) (?:created|set|erstellt|gesetzt)" },
  { en: 'saved', de: 'gespeichert', does: WRITES,
    verbs: `saved(?! (?:the best|you\\b|time))|stored|noted(?= (?:that|it|this|your|down)|$|,)|recorded|made a note|(?:added|put)(?: \\S+){0,5}? (?:to|on|in) (?:your|the) ${PLACE}|updated your|(?:notes|preferences|profile) updated|updated the (?:notes?|file|spreadsheet|sheet|table|record|document|wiki|page)|renamed|copied|exported|archived|backed up|bookmarked|umbenannt|kopiert|exportiert|archiviert|gesichert|hinterlegt|vermerkt|festgehalten|eingetragen|created the file|(?:wrote|written)(?: \\S+){1,3} to (?:X|disk)|gespeichert|notiert|gemerkt|aufgeschrieben|abgelegt|erfasst|${PLACE} (?:gesetzt|geschrieben|aufgenommen|um .* ergänzt)|hinzugefügt|aktualisiert|in X geschrieben|(?:datei|skript) angelegt`,
    phrases: "I(?:['’]ll| will) (?:remember|keep (?:that|this|it) in mind)|(?:das merke ich|ich merke) mir|ich behalte (?:es|das) im kopf|preferences have been updated" },
  { en: 'deleted', de: 'gelöscht', does: CHANGES,
    verbs: 'deleted|removed|cleared|erased|emptied|forgotten everything|cancell?ed(?! out)|unsubscribed|wiped|purged|revoked|widerrufen|gekündigt|gelöscht|entfernt|geleert|(?:alles|das|es) (?:\\S+ )*vergessen|storniert|abgesagt|abgemeldet|abbestellt' },
  { en: 'started', de: 'gestartet', does: () => false,
    verbs: 'deployed|(?:re)?started(?! with)|rebooted|launched|stopped|shut down|installed|upgraded|released|locked|unlocked|bought|purchased|transferred|refunded|triggered|kicked off|rolled back|merged|(?:opened|created) (?:an?|the) (?:issue|ticket)|turned o(?:n|ff)|paid|placed(?=$| (?:your|the|an) order)|ordered|deployt|ausgerollt|angestoßen|ausgelöst|(?:neu)?gestartet|zurückgerollt|gestoppt|heruntergefahren|installiert|überwiesen|gekauft|erstattet|verriegelt|gemergt|(?:issue|ticket) (?:angelegt|erstellt)|(?:aus|ein)geschaltet|bezahlt|aufgegeben|bestellt',
    phrases: '(?:deploy\\w*|build|pipeline) (?:läuft|is (?:now )?running)|(?:lights?|licht|heizung) (?:is|are|ist) (?:now |jetzt )?(?:on|off|an|aus)$' },
  { en: 'changed', de: 'geändert', does: CHANGES,
    verbs: 'changed (?:the|your) (?:language|settings?)|updated the settings?|paused|resumed|activated|muted|blocked|connected|assigned|set the \\S+ to|enabled|disabled|switched (?:the|to) (?:model|language)|umgestellt|einstellung(?:en)? geändert|pausiert|fortgesetzt|stummgeschaltet|freigeschaltet|blockiert|gesperrt|verbunden|zugewiesen|aktiviert|deaktiviert' },
  { en: 'run', de: 'ausgeführt', does: RUNS,
    verbs: '(?:ran|(?<=\\S )run)(?! (?:through|out|into))|executed|tested|compiled|getestet|kompiliert|ausgeführt|laufen (?:ge)?lassen' },
  { en: 'done', de: 'getan', does: () => true, verbs: 'erledigt',
    phrases: "^(?:(?:it['’]s|it is|all|consider it|alles|wird) )?(?:all )?(?:done|erledigt|fertig)$" },
];

const THINGS =
  '\\S*(?:message|mail|nachricht|reminder|erinnerung|appointment|termin|file|datei|job|build|deploy\\w*|pipeline|workflow|version|service|dienst|server|order|bestellung|report|bericht|befehl|briefing|alarm|wecker|timer|nummer|note|notiz|meeting|call|anruf|table|tisch|flight|flug|invoice|rechnung|payment|zahlung|entry|eintrag|contact|kontakt|issue|ticket|script|skript|setting|einstellung|document|dokument|folder|ordner)(?:s|n|en)?';
const ITS = '(?:all|alle|the|your|der|die|das|deine?)';
const SUBJECT = `(?:(?:^|\\b${ITS} (?:\\S+ )??)${THINGS}(?: [^\\s,]+){0,4}?|^(?:das|that))`;
/** A headline of a report: "Mail sent", "In deinen Notizen gespeichert". */
const HEAD = `^(?:${THINGS} (?:(?!wird|werden)\\S+ ){0,5}?|ist |(?:in|auf|an) (?:dein\\S* )?\\S+ )?`;
const FIRST = "\\bI(?:['’]ve| have)?(?: (?:just|also|already|now|successfully))*(?: .*?(?:,| and)(?: and| then)?)? ";
const ICH = '(?:\\bich habe?|\\bhabe? ich)(?: (?:\\S+ )*?| )';
/** Before the claim, these make it an offer, a condition, a denial, or somebody else's words. */
const HEDGE =
  /\b(?:if|when|once|unless|after|before|whether|because|according|says|not|never|nothing|no(?! problem)|can|could|would|should|might|wenn|falls|sobald|nachdem|bevor|ob|dass|weil|laut|nicht|nichts|kein\w*(?! problem)|kann|könnte|soll|yesterday|earlier|last|this morning|gestern|letzte|heute morgen|wie gesagt)\b|n['’]t\b/i;
/** After it, these say that it was not now, was not the assistant, or only if. */
const LATER =
  /^ (?:nicht|by)\b|\b(?:if you (?:like|want|wish)|wenn du (?:willst|magst|möchtest)|yesterday|last (?:week|night)|(?:days|weeks|months|years) ago|this morning|gestern|letzte woche)\b/i;
const OPENING = /^(?:ok(?:ay)?|perfect|great|sure|all ?right|got it|alles klar|klar|gut|super|perfekt)[,!.] /i;

const BUILT = KINDS.map(({ verbs, phrases = '(?!)', ...kind }) => ({
  ...kind,
  /** Of the assistant itself, or promised by it. */
  own: new RegExp(`(?:${FIRST}|${ICH})(?:${verbs})(?!\\p{L})|${phrases}`, 'iu'),
  /** A report, which may also be of what was read. */
  report: new RegExp(
    `${SUBJECT}(?: (?:has|have) been| was| is|['’]s(?: been)?| wurden?| ist| sind) (?:(?!von |vom |durch |1\\d{3}|20\\d\\d)\\S+ )*?(?:${verbs})(?!\\p{L})(?!.* (?:1\\d|20)\\d\\d)|${HEAD}(?:${verbs})(?=$|,| (?:to|for|the|as|under|an|für|unter|in (?:your|the|dein\\w*))\\b)`,
    'iu',
  ),
}));

/** Sentences without code, quotations, marks and questions; a head of what follows is left out. */
const sentencesOf = (text: string): readonly string[] =>
  text
    .replace(/```[\s\S]*?(?:```|$)|^>.*$/gm, '\n')
    .replace(/`[^`\n]*`|"[^"\n]*"|[„“][^“”\n]*[“”]/g, 'X')
    .replace(/:[ \t]*\n/g, '?\n')
    .replace(/[*_#]|\p{Extended_Pictographic}|\uFE0F/gu, '')
    .split(/(?<=[.!?:;])\s+|\s[–—]\s|\n+/)
    .map((sentence) => sentence.replace(/^[\s\-–—]+|\s+$/g, '').replace(OPENING, ''))
    .filter((sentence) => !sentence.endsWith('?'))
    .map((sentence) => sentence.replace(/[\s.!:;]+$/, '').slice(0, SENTENCE_CHARS_MAX));

const WORDS_CHARS_MAX = 80;
/** More is not looked at: what the patterns cost grows faster than a sentence. */
const SENTENCE_CHARS_MAX = 300;
const GERMAN = /\b(?:ich|habe?|ist|wurden?|läuft|dein\w*|erledigt)\b|\bge\p{L}+t$/iu;

/** @param tools called in this turn, done or waiting for a yes */
export const findEmptyClaim = (text: string, tools: readonly string[]): EmptyClaim | undefined => {
  if (tools.some(DOES_ANYTHING)) return undefined;
  for (const sentence of sentencesOf(text))
    for (const { en, de, does, own, report } of BUILT) {
      const found = own.exec(sentence) ?? (tools.length === 0 ? report.exec(sentence) : null);
      if (found === null || tools.some(does)) continue;
      const end = found.index + found[0].length;
      if (HEDGE.test(sentence.slice(0, end)) || LATER.test(sentence.slice(end))) continue;
      // "Done! Here is the shorter version": the work is the text itself.
      if (en === 'done' && /\n\n|\b(?:here|hier)\b/i.test(text)) continue;
      const words = found[0].trim().slice(0, WORDS_CHARS_MAX);
      const denial = `nothing was ${en} in this turn`;
      const line = GERMAN.test(sentence) ? `(Geprüft: In dieser Runde wurde nichts ${de}.)` : `(Checked: ${denial}.)`;
      return { words, denial, line };
    }
  return undefined;
};
