/**
 * Finds what an answer says that the agent did, or will do later, in a turn that changed nothing:
 * "I've sent it" without a call. Only the first person counts, in common verbs of English and
 * German: a report such as "the mail was sent" may be of what was read. Pure.
 */
import { isMcpTool } from '../signal/mcp-name.ts';
import { findTool } from '../tools/catalogue.ts';

export interface EmptyClaim {
  /** As the answer has them. */
  readonly words: string;
  /** What is so, for the person, in the language of the claim. */
  readonly line: string;
}

const DID = [
  'sent|e-?mailed|messaged|texted|forwarded|notified|informed|replied|posted|submitted|uploaded|published|invited|told|passed',
  'scheduled|rescheduled|booked|reserved|moved|set|created|added|put|saved|stored|noted|made a note|recorded|updated|renamed|copied',
  'archived|deleted|removed|erased|cleared|emptied|cancell?ed|unsubscribed|deployed|(?:re)?started|launched|stopped|installed|ordered',
  'paid|bought|transferred|refunded|triggered|called|kicked off|rolled back|merged|opened an? issue|turned o(?:n|ff)|changed|switched',
  'paused|resumed|enabled|disabled|activated|muted|blocked|connected|assigned|placed|forgotten|ran|executed',
].join('|');
const GETAN = [
  '(?:ge|ver|abge|rausge|weiterge)(?:sendet|schickt)|weitergeleitet|informiert|benachrichtigt|geantwortet|gepostet|gemailt|hochgeladen',
  'veröffentlicht|mitgeteilt|eingeladen|bescheid gegeben|(?:ein)?geplant|gestellt|gesetzt|reserviert|gebucht|verschoben|vereinbart',
  'eingerichtet|angelegt|erstellt|gespeichert|notiert|gemerkt|abgelegt|eingetragen|hinzugefügt|ergänzt|aktualisiert|umbenannt|kopiert',
  'archiviert|gelöscht|entfernt|geleert|storniert|abgesagt|abgemeldet|bestellt|aufgegeben|ausgerollt|deployt|(?:neu)?gestartet|gestoppt',
  'installiert|überwiesen|gekauft|erstattet|bezahlt|ausgelöst|angestoßen|aufgerufen|zurückgerollt|gemergt|geändert|umgestellt',
  'erledigt|(?:ein|aus)geschaltet|pausiert|fortgesetzt|aktiviert|deaktiviert|blockiert|zugewiesen|ausgeführt',
].join('|');

/** A report of these at the head of a sentence is the agent's own: "Reminder set for nine". */
const THING =
  '(?:e-?mail|message|invitation|reminder|alarm|timer|appointment|meeting|event|job|note|file|order|payment|booking|webhook|deploy\\w*|nachricht|einladung|erinnerung|wecker|termin|notiz|datei|bestellung|zahlung|buchung)';

const CLAIM = new RegExp(
  [
    `^${THING} (?:has been |wurde |ist )?(?:\\S+ ){0,3}?(?:${DID}|${GETAN})(?!\\p{L})`,
    `^(?:your|the) ${THING} (?:has (?:now )?been|was) (?:${DID})(?!\\p{L})`,
    `^(?:deine?|die|der|das) ${THING} (?:wurde|ist jetzt) (?:\\S+ ){0,6}?(?:${GETAN})(?!\\p{L})`,
    `\\bI(?:['’]ve| have)?(?: (?:just|also|already|now|successfully|went ahead and))* (?:${DID})(?!\\p{L})`,
    `(?:\\bich hab|\\bhabe? ich|^hab)e? .{0,80}?(?:${GETAN})(?!\\p{L})`,
    '^(?:sent|saved|scheduled|deployed|deleted|gesendet|gespeichert|gelöscht)\\P{L}*$',
    "\\bI(?:['’]ll| will|['’]m going to) (?:remind|notify|alert|wake|ping|let you know|follow up|check back|keep an eye|remember)\\b",
    '\\bich (?:werde (?:dich|sie) .{0,80})?(?:erinnere?|wecke?|benachrichtige?|melde mich|merke mir|(?:sage?|gebe?) dir bescheid)\\b(?!(?: \\S+)? nicht)',
  ].join('|'),
  'iu',
);
/** The whole answer; after a call that only reads it may mean the reading. */
const ALONE = /^\P{L}*(?:all |it['’]s |alles |ist )?(?:done|erledigt)\P{L}*$/iu;
/** Before a claim these make it an offer, a condition, or a denial. */
const HEDGE =
  /\b(?:if|when|once|after|before|whether|that|not|never|can|could|would|should|wenn|falls|sobald|nachdem|bevor|ob|dass|nicht|nichts|kein\w*|kann|könnte|soll)\b/i;
/** Another turn, or only on demand. */
const THEN =
  /\b(?:this morning|yesterday|earlier|last|ago|heute morgen|gestern|letzte\w*|vorhin|am \w+tag|if you (?:like|want)|wenn du)\b/i;
/** More is not looked at: a claim is short. */
const SENTENCE_CHARS_MAX = 300;

/** Sentences without code, quotations, questions, and what a line with a colon announces. */
const sentencesOf = (text: string): readonly string[] =>
  text
    .replace(/```[\s\S]*?(?:```|$)|^>.*$|`[^`\n]*`|"[^"\n]*"|[„“][^“”\n]*[“”]/gm, 'it')
    .replace(/:[ \t]*\n[\s\S]*$/, '?')
    .replace(/[*_#]/g, '')
    .split(/(?<=[.!?:;])\s+|\s[–—]\s|\n+/)
    .filter((sentence) => !sentence.endsWith('?'))
    .map((sentence) =>
      sentence
        .replace(/^(?:(?:ok(?:ay)?|sure|great|perfect|alles klar|gut)[,!.] |\P{L}+)/iu, '')
        .slice(0, SENTENCE_CHARS_MAX),
    );

/** A program's work is its output, which an answer tells. */
const changes = (tool: string): boolean => isMcpTool(tool) || tool === 'run-code' || findTool(tool)?.kind !== 'read';

/** @param tools called in this turn, done or waiting for a yes */
export const findEmptyClaim = (text: string, tools: readonly string[]): EmptyClaim | undefined => {
  if (tools.some(changes)) return undefined;
  const isClaim = (sentence: string): boolean => {
    const found = CLAIM.exec(sentence);
    return found !== null && !THEN.test(sentence) && !HEDGE.test(sentence.slice(0, found.index + found[0].length));
  };
  const claim = tools.length === 0 && ALONE.test(text) ? text : sentencesOf(text).find(isClaim);
  if (claim === undefined) return undefined;
  const isGerman = /\b(?:ich|habe?|erledigt|ge\w+t)\b/i.test(claim);
  return {
    words: claim.trim(),
    line: isGerman
      ? '(Geprüft: In dieser Runde wurde nichts davon getan.)'
      : '(Checked: nothing of this was done in this turn.)',
  };
};
