/**
 * Finds what an answer says that the agent did, or will do later, in a turn that did nothing of it:
 * "I've sent it" without a call. Three ways of saying so are known, in common verbs of English and
 * German: "I sent it", "it is sent", and "I'll remind you". Pure.
 */
import { isMcpTool } from '../signal/mcp-name.ts';
import { findTool } from '../tools/catalogue.ts';

export interface EmptyClaim {
  /** As the answer has them. */
  readonly words: string;
  /** The truth for the person, in the language of the claim. */
  readonly line: string;
}

/** These reach other people or systems: a note or a job does not make them true. */
const SENT =
  'sent|e-?mailed|messaged|texted|forwarded|notified|informed|replied|posted|submitted|uploaded|published|invited|told|passed|let \\S+(?: \\S+)? know';
const DID = [
  SENT,
  'scheduled|rescheduled|booked|reserved|moved|set|created|added|put|saved|stored|noted|made a note|recorded|updated|renamed|copied',
  'archived|deleted|removed|erased|cleared|emptied|cancell?ed|unsubscribed|deployed|(?:re)?started|launched|stopped|installed|ordered',
  'paid|bought|transferred|refunded|triggered|called|kicked off|rolled back|merged|opened an? (?:issue|ticket)|turned o(?:n|ff)',
  'changed|switched|paused|resumed|enabled|disabled|activated|muted|blocked|connected|assigned|placed|forgotten|ran|executed',
  'run (?:the|your) (?:script|tests?|command|backup|job)|(?:wrote|written) .{1,40}? to (?:it|disk)|written it down|delivered',
].join('|');
const GESENDET =
  '(?:ge|ver|abge|rausge|weiterge)(?:sendet|schickt)|weitergeleitet|informiert|benachrichtigt|geantwortet|gepostet|gemailt|hochgeladen|veröffentlicht|mitgeteilt|eingeladen|bescheid gegeben|zugestellt';
const GETAN = [
  GESENDET,
  '(?:ein)?geplant|gestellt|gesetzt|reserviert|gebucht|verschoben|vereinbart|eingerichtet|angelegt|erstellt|gespeichert|notiert',
  'gemerkt|abgelegt|eingetragen|hinzugefügt|ergänzt|aktualisiert|umbenannt|kopiert|aufgeschrieben|erfasst|in it geschrieben',
  'archiviert|gelöscht|entfernt|geleert|storniert|gekündigt|abgesagt|abgemeldet|bestellt|aufgegeben|ausgerollt|deployt',
  '(?:neu)?gestartet|gestoppt|installiert|überwiesen|gekauft|erstattet|bezahlt|ausgelöst|angestoßen|aufgerufen|zurückgerollt',
  'gemergt|geändert|umgestellt|erledigt|(?:ein|aus)geschaltet|pausiert|fortgesetzt|aktiviert|deaktiviert|blockiert|geblockt',
  'zugewiesen|ausgeführt|laufen lassen|abgeschlossen',
].join('|');

/**
 * For sentences in small letters. V8 takes 60 ms to compile them as one pattern of any case, and 10
 * ms like this.
 */
const any = (...patterns: readonly string[]): readonly RegExp[] => patterns.map((one) => new RegExp(one, 'u'));

/** The leftmost, as one pattern of all would find it. */
const findAny = (patterns: readonly RegExp[], sentence: string): RegExpExecArray | undefined =>
  patterns
    .map((pattern) => pattern.exec(sentence))
    .filter((found) => found !== null)
    .toSorted((a, b) => a.index - b.index)[0];

/** The agent's own act, in words of these verbs. */
const own = (did: string, getan: string): readonly string[] => [
  `\\bi(?:['’]ve| have)?(?:(?: (?:just|also|already|now|successfully|went ahead and|gone ahead and))*| (?:\\p{Ll}+ed|made|found|set|written|wrote) .{0,80}?\\band) (?:${did})(?!\\p{L})`,
  `(?:\\bich hab|\\bhabe? ich|^hab)e? .{0,80}?(?:${getan})(?!\\p{L})`,
  '\\bich habe (?!dir|ihnen|euch|schon|oben|n)\\S+ (?:gerade |eben )?(?:gesagt|geschrieben)(?=, dass)',
];

/** A report of these at the head of a sentence is the agent's own: "Reminder set for nine". */
const THING =
  '(?:(?:e-?)?mail|message|invitation|reminder|alarm|timer|appointment|meeting|event|job|note|file|order|payment|booking|webhook|deploy\\w*|build|nachricht|einladung|erinnerung|wecker|termin|notiz|datei|bestellung|zahlung|buchung)s?';

/** The agent acted, in this turn. */
const ACT = any(
  `^${THING} (?:has been |wurde |ist )?(?:\\S+ ){0,4}?(?:${DID}|${GETAN})(?!\\p{L})`,
  ...own(DID, GETAN),
  '^(?:sent|saved|scheduled|deployed|deleted|(?:ab)?gesendet|verschickt|notiert|eingeplant|gespeichert|gelöscht)\\P{L}*$',
);
const SENDING = any(...own(SENT, GESENDET));

/** Something is so, as if the agent had done it. Of what was read or recalled this may be true. */
const STATE = any(
  `^(?:(?:your|timer|alarm) ?.{0,40}?(?:['’]s|is|are|was|were|ha(?:s|ve) been)(?: now| just)*|the .{1,40}?(?:ha(?:s|ve) been|(?:is|are) now)(?! paid)|the ${THING} was) (?:${DID})(?!\\p{L})`,
  '^the .{1,40}?(?:was|were) \\p{Ll}+ed successfully|^the .{1,30} (?:is (?:now )?running|is on its way|went out|is live)(?: now)?(?!\\p{L})',
  '^(?:sent|saved|added|posted) (?:it|the|to|as|in)\\b',
  `^(?:(?:dein\\p{L}*|die|der|das) .{0,40}?(?:wurden?|ist|sind)(?: \\S+){0,7}?(?! bezahlt)|(?:als|in|zu) dein.{1,30}) (?:${GETAN})(?!\\p{L})|^ist (?:${GETAN})`,
  `^(?:dein\\p{L}* |die |der |das |${THING} )?.{1,40} (?:(?:ist|sind) (?:jetzt )?raus|steht jetzt in dein|läuft(?: jetzt)?\\P{L}*$)`,
);

const LATER = '.{0,60}\\b(?:every|each|daily|tomorrow|tonight|on \\p{L}+day|at \\d|as soon as|when|once)\\b';
const PROMISE = any(
  "\\bi(?:['’]ll| will|['’]m going to) (?:remind|notify|alert|wake|ping|let you know|follow up|check back|keep an eye|watch|remember|keep (?:it|that|this) in mind)\\b",
  `\\bi(?:['’]ll| will) (?:send|message|text|e-?mail|tell) you\\b${LATER}`,
  '\\bich (?:erinnere|wecke|benachrichtige) dich\\b|\\bich melde mich\\b|\\bmelde mich,|\\bmerke (?:ich )?mir\\b',
  '\\b(?:sage?|gebe?) dir (?:bescheid|, ?w)|\\bbehalte .{1,60} im (?:auge|kopf|blick)|\\bich beobachte\\b',
  '\\bich werde (?:dich|sie) .{0,80}(?:erinnern|wecken|benachrichtigen)\\b',
  '\\bich (?:schicke|sende|maile) dir .{0,40}\\b(?:jeden?|täglich|morgen|um|am)\\b',
  '\\bich schaue? .{0,20}\\b(?:später|morgen|in einer)\\b',
);

/** The whole answer; after a call that only reads it may mean the reading. */
const ALONE = /^\P{L}*(?:all |it['’]s |alles |ist )?(?:done|erledigt)\P{L}*$/iu;
/** Before a claim these make it an offer, a condition, or a denial. */
const HEDGE =
  /\b(?:if|when|once|after|before|whether|that|not|never|can|could|would|should|wenn|falls|sobald|nachdem|bevor|ob|dass|nicht|nichts|kein\w*|kann|könnte|soll|hätte|würde)\b/i;
const DENIED = /^(?: \S+)? nicht\b/i;
const ON_DEMAND = /\b(?:if you (?:like|want)|wenn du)\b/i;
/** Another turn; `habe ich am Montag` is when, `die Erinnerung am Freitag` is which. */
const THEN =
  /\b(?:this morning|yesterday|earlier|last|(?<!moment )ago|heute morgen|gestern|letzte\w*|damals|vorhin|habe? ich am \w+tag)\b/i;
/** The work is a text that the answer holds. */
const OF_TEXT =
  /\b(?:paragraph|sentence|verb|wording|draft|heading|below|above|absatz|satz|verb|entwurf|unten|oben)\b/i;
/** Somebody else is the source, or a rule of the world. */
const REPORT =
  /\b(?:says?|said|according|because|by|when|pasted|page|first|\d{4}|laut|weil|wegen|von|so die|steht in|nach|wenn|erste\w*)\b/i;
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
        .replace(
          /^(?:(?:ok(?:ay)?|sure|great|perfect|got it|no (?:problem|worries)|alles klar|gut|klar|gerne?|keine? (?:problem|sorge))[,!.] |\P{L}+)/iu,
          '',
        )
        .slice(0, SENTENCE_CHARS_MAX),
    );

/** A program's work is its output, which an answer tells. */
const changes = (tool: string): boolean => isMcpTool(tool) || tool === 'run-code' || findTool(tool)?.kind !== 'read';

/** A tool that works at another place, or calls tools that may. */
const reachesOthers = (tool: string): boolean => {
  const found = findTool(tool);
  return found?.target !== 'tool' || found.run === undefined || /^run-(?:runbook|skill)$/.test(tool);
};

/** @param tools called in this turn, done or waiting for a yes */
export const findEmptyClaim = (text: string, tools: readonly string[]): EmptyClaim | undefined => {
  const hasChanged = tools.some(changes);
  if (hasChanged && tools.some(reachesOthers)) return undefined;
  const says = (sentence: string, claim: readonly RegExp[], ...exceptions: readonly RegExp[]): boolean => {
    const found = findAny(claim, sentence);
    if (found === undefined || exceptions.some((exception) => exception.test(sentence))) return false;
    const end = found.index + found[0].length;
    return !HEDGE.test(sentence.slice(0, end)) && !DENIED.test(sentence.slice(end));
  };
  const isClaim = (sentence: string): boolean =>
    hasChanged
      ? says(sentence, SENDING, THEN)
      : says(sentence, ACT, THEN, OF_TEXT) ||
        says(sentence, PROMISE, ON_DEMAND) ||
        (tools.length === 0 && says(sentence, STATE, THEN, REPORT));
  const claim =
    tools.length === 0 && ALONE.test(text) ? text : sentencesOf(text).find((one) => isClaim(one.toLowerCase()));
  if (claim === undefined) return undefined;
  const isGerman = /\b(?:ich|habe?|dein\w*|die|der|das|ist|wurde|erledigt|ge\w+t)\b/i.test(claim);
  return {
    words: claim.trim(),
    line: isGerman
      ? '(Geprüft: In dieser Runde wurde nichts davon getan.)'
      : '(Checked: nothing of this was done in this turn.)',
  };
};
