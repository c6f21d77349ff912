/**
 * The notices in German; `notices.ts` has their names, their values and the English words. Loaded
 * when somebody reads German first. It avoids du and Sie. Reasons of gates, of providers' cures and
 * of jobs come as values, in English.
 */
import { BLOCKS_PER_HOUR_MAX, PENDING_APPROVALS_MAX } from '../base/limits.ts';
import { showUsd } from '../base/money.ts';
import { utcMinute } from '../base/utc-minute.ts';
import { FAULTS } from '../language/fault-texts-german.ts';
import { sayFinding } from '../language/finding.ts';
import { DE as FINDINGS } from '../language/finding-texts-german.ts';
import { inGerman } from '../language/stored-german.ts';
import type { StopCause } from '../ledger/record.ts';
import type { Failure } from '../ledger/recover-failure.ts';
import { CAP_SETTINGS, type CapName } from '../money/caps.ts';
import { resetsAt } from '../money/day-spend.ts';
import type { CapCheck } from '../money/plan-reservation.ts';
import { isNameable } from '../text/event-word.ts';
import { fileKind } from '../text/file-kinds-german.ts';
import { quotedInGerman } from '../text/quoted-german.ts';
import { defang } from '../text/tappable.ts';
import { askIn } from './code-choices.ts';
import { eventChoices, joined, kindWords, named, type TEXTS } from './notices.ts';

const ENDINGS = {
  done: () => '',
  failed: (sentence: string) => `Das ging nicht: ${sentence}. Warum: `,
  refused: (sentence: string) => `Das wurde abgelehnt: ${sentence}. Warum: `,
  unknown: (sentence: string) => `Ob das getan ist, ist nicht bekannt: ${sentence}. Warum: `,
} as const;

const STOP_CAUSES: Readonly<Record<StopCause, string>> = {
  blocks: `mehr als ${BLOCKS_PER_HOUR_MAX} Handlungen waren innerhalb einer Stunde verboten`,
  approvals: `es bat um noch eine Freigabe, während ${PENDING_APPROVALS_MAX} warteten`,
  asked: 'jemand hat darum gebeten',
};

const FAILED: Readonly<Record<Failure, string>> = {
  later: 'es ging zu lange nicht',
  unavailable: 'ein nötiger Dienst war nicht erreichbar',
  race: 'etwas anderes hat dasselbe im selben Moment geändert',
  llm: 'kein Sprachmodell konnte antworten',
  gate: 'eine Regel ließ sich nicht prüfen, also darf nichts getan werden',
  protocol: 'etwas hatte nicht die Form, die es haben muss',
  pipeline: 'die Einträge dazu passen nicht zusammen',
  'stored-item': 'etwas Gespeichertes kann diese Version nicht lesen',
  config: 'eine Einstellung fehlt oder ist falsch; das kann nur der Besitzer beheben',
  unexpected: 'im Programm ist ein Fehler',
  silent: 'es wurde so oft versucht wie erlaubt, ohne ein Ende',
};

const CAPS: Readonly<Record<CapName, string>> = {
  turn: 'eine Aufgabe',
  session: 'dieses Gespräch heute',
  job: 'diesen Auftrag heute',
  day: 'heute',
  tokens: 'heute',
  conversations: 'heute',
  quota: 'die Fragenden heute',
  'quota-tokens': 'die Fragenden heute',
};

const amount = (cap: CapName, value: number): string => {
  if (cap === 'tokens' || cap === 'quota-tokens') return `${value} Token`;
  return cap === 'conversations' ? `${value} Gespräche` : showUsd(value);
};

const capWords = ({ cap, limit, committed, requested }: CapCheck): string =>
  `für ${CAPS[cap]} bleiben ${amount(cap, Math.max(0, limit - committed))} von ${amount(cap, limit)}, nötig sind bis zu ${amount(cap, requested)}`;

const resetWords = ({ cap, limit, requested }: CapCheck, now: number, isToOwner: boolean): string => {
  const setting = CAP_SETTINGS[cap];
  if (setting !== undefined && requested > limit)
    return isToOwner
      ? `Die ganze Grenze ist kleiner, als eine Frage kosten kann: /config set ${setting} <usd> hebt sie an.`
      : 'Das kann nur der Besitzer ändern.';
  return cap === 'turn'
    ? 'Eine neue Aufgabe beginnt mit eigenem Budget.'
    : `Neu beginnt es am ${utcMinute(resetsAt(now))}.`;
};

const QUOTA_OWNERS = {
  person: (limit: number) => `Alle ${limit} Nachrichten für heute sind gesendet`,
  conversation: (limit: number) =>
    `In diesem Gespräch haben Menschen ohne Rechte alle ${limit} Nachrichten für heute gesendet`,
  source: (limit: number, sender: string) => `Die Quelle ${sender} hat alle ${limit} Nachrichten für heute gesendet`,
} as const;

const why = (id: string): string => `Einzelheiten: /why ${id}`;

export const DE: typeof TEXTS = {
  commandResult: (sentence, state, output, origin) =>
    `${ENDINGS[state](defang(sentence))}${origin === 'outside' ? defang(inGerman(output)) : inGerman(output)}`.trim(),
  sent: (to) => (to === undefined ? 'Gesendet.' : `Gesendet an ${to}.`),
  heard: (text, origin) => `Gehört: „${origin === 'outside' ? defang(text) : text}“`,

  stopped: (machines) =>
    [
      'Angehalten. Nichts wird getan, bis eine freigebende Person fortsetzt: /resume.',
      ...(machines.length === 0 ? [] : [`Befehle, die auf ${machines.join(', ')} laufen, werden beendet.`]),
    ].join(' '),
  stoppedHere: () =>
    'Angehalten. In diesem Gespräch wird nichts getan, bis eine freigebende Person fortsetzt: /resume. Andere Gespräche gehen weiter.',
  isStopped: () => 'Ich bin angehalten und tue nichts. Eine freigebende Person kann das beenden: /resume',
  sessionStopped: (session, because, id) =>
    joined([
      `Ich habe das Gespräch ${session} angehalten: ${STOP_CAUSES[because]}.`,
      'Dort wird nichts getan und kein Modell gefragt, und was noch zu tun war, ist abgelehnt. Andere Gespräche gehen weiter.',
      because === 'asked' ? '' : 'Karten, die dort warten, können weiter freigegeben oder abgelehnt werden.',
      `Eine freigebende Person kann dort /resume senden, oder hier /resume ${session} (oder: npx passepartout resume --session ${session}).`,
      why(id),
    ]),
  isSessionStopped: (because) =>
    `Dieses Gespräch ist angehalten: ${STOP_CAUSES[because]}. Ich tue hier nichts, bis eine freigebende Person fortsetzt: /resume.`,
  resumed: (stopped, rights = []) =>
    joined([
      'Es geht weiter.',
      ...stopped.map((session) => `${session} bleibt angehalten: /resume ${session}`),
      ...(rights.length === 0
        ? []
        : ['Die Wiederherstellung hat zurückgebracht:', ...rights.map((right) => `- ${right}`)]),
    ]),
  nothingStopped: () => 'Es war nichts angehalten.',
  mayNotResume: () => 'Fortsetzen kann nur eine freigebende Person.',
  resumeUsage: () =>
    'Richtig ist /resume, oder /resume und ein Gespräch, wie es genannt war: /resume telegram:7. Nichts wurde geändert.',
  sessionResumed: (session) =>
    `Das Gespräch ${session} geht weiter. Was inzwischen abgelehnt wurde, bleibt abgelehnt; eine neue Bitte darum gilt.`,
  sessionStoppedAgain: (session) =>
    `Das Gespräch ${session} wurde seit dieser Nachricht wieder angehalten, also wurde nichts geändert. Noch einmal gesendet gilt es.`,
  sessionNotStopped: (session) => `Das Gespräch ${session} ist nicht angehalten.`,
  stillForgetting: (_, problem) =>
    `Die Tabelle ist eine ältere Kopie, und was seither gelöscht wurde, wird noch aus ihr entfernt. Vorher wird nichts gezeigt oder fortgesetzt${problem === undefined ? '' : `; bisher scheitert es: ${inGerman(problem)}`}.`,

  refused: (id, reasons, mayAskWhy) =>
    joined([
      'Das konnte ich nicht tun: Was ich vorschlug, haben die Regeln abgelehnt.',
      ...reasons.map((reason) => `– ${inGerman(reason)}`),
      ...(mayAskWhy ? [why(id)] : []),
    ]),
  forgottenMeanwhile: (id) =>
    `Etwas, worauf meine Antwort beruhte, wurde inzwischen gelöscht, also habe ich sie nicht gegeben. Bitte noch einmal fragen. ${why(id)}`,
  unreadable: (note) => {
    const kind = note.slice(1).split(':')[0] ?? '';
    return `Das kann ich noch nicht lesen: ${fileKind(kind)}. Bitte in Worten schreiben.`;
  },
  atWork: () => 'Ich arbeite noch daran.',
  tooLong: (id) =>
    `Diese Nachricht ist zu lang, um vom Modell auf einmal gelesen zu werden. Bitte kürzer senden, oder in Teilen. ${why(id)}`,
  tooDeep: (id) => `Hier habe ich aufgehört: Diese Aufgabe ging über zu viele Schritte. ${why(id)}`,
  mailboxFull: (id) =>
    `Hier warten schon zu viele Nachrichten, also habe ich diese nicht angenommen. Bitte später noch einmal senden. ${why(id)}`,
  nothingToSummarise: () => 'Was dieses Gespräch verlassen hat, enthält keine eigenen Worte zum Zusammenfassen.',
  broken: (id, failure) =>
    `Bei der Arbeit daran ging etwas schief, und ich habe aufgehört: ${FAILED[failure]}. Was vorher getan wurde, bleibt getan und wird nicht wiederholt; was es im Gedächtnis geändert hat, wird zurückgenommen. ${why(id)}; noch einmal versuchen: npx passepartout redrive ${id}`,

  runFailed: (runbook, id, reason) =>
    `Das Runbook ${runbook} ist gescheitert: ${inGerman(reason)}. /runbook show ${id} zeigt seine Schritte.`,
  runEnded: (runbook, steps) =>
    steps === 0
      ? `Das Runbook ${runbook} ist zu Ende, und keiner seiner Schritte war nötig.`
      : `Das Runbook ${runbook} ist fertig: ${steps} ${steps === 1 ? 'Schritt' : 'Schritte'}.`,

  modelAway: (until, id, fault) =>
    `Das Sprachmodell antwortet gerade nicht: Sein Anbieter ${fault === undefined ? 'schweigt' : FAULTS[fault]}. Ich versuche es bis ${until} weiter und antworte, sobald es geht. ${why(id)}`,
  noModel: ({ faults, last }, id) =>
    [
      'Gerade konnte kein Sprachmodell antworten, also wurde nichts getan.',
      ...faults.map((one) => `Achtung: ${sayFinding(FINDINGS, one)}.`),
      ...(last === 'owner' ? ['Das kann nur der Besitzer beheben.'] : []),
      ...(last === 'later' ? ['Bitte etwas später noch einmal versuchen.'] : []),
      why(id),
    ].join(' '),
  withheld: (id) =>
    `Der Anbieter des Sprachmodells antwortet darauf wegen des Inhalts nicht, also wurde nichts getan. ${why(id)}`,
  providerRefused: (name, fault, id) =>
    `Der Anbieter ${name} ${FAULTS[fault]}. Bis das behoben ist, frage ich zuerst die anderen; das sage ich einmal am Tag. ${why(id)}`,
  everyKeyRefused: (name, fault, id) =>
    `Der Anbieter ${name} ${FAULTS[fault]}, und es bleibt kein anderer. Bis einer antwortet, enden Webhooks und Aufträge ohne Frage; bei jeder Nachricht von Menschen versuche ich es wieder. Das sage ich einmal am Tag. ${why(id)}`,
  embeddingsRefused: (id) =>
    `Der Anbieter der Vektoren (embeddings) lehnt meinen Schlüssel ab, also werden neue und geänderte Notizen nur nach ihren Wörtern gefunden. Abhilfe: EMBEDDING_API_KEY setzen (oder OPENAI_API_KEY, wenn ein Schlüssel für beides gilt). Ich versuche es alle zehn Minuten wieder und sage das einmal am Tag. ${why(id)}`,
  notAsked: (id) =>
    `Daran habe ich nicht gearbeitet, weil jeder Anbieter meinen Schlüssel oder mein Konto ablehnt. ${why(id)}`,
  overBudget: (over, now, isToOwner, id) =>
    `Ich habe kein Sprachmodell gefragt, weil das Budget es nicht erlaubt: ${capWords(over)}. ${resetWords(over, now, isToOwner)} /budget sagt mehr. ${why(id)}`,
  overQuota: (account, limit, sender, reset) =>
    `${QUOTA_OWNERS[account](limit, sender)}, also nehme ich vor ${reset} keine mehr an. Das sage ich einmal.`,

  newEvent: (source, event, says) =>
    joined([
      `${source}: ${defang(quotedInGerman(says))}`,
      ...askIn(
        'de',
        isNameable(event)
          ? `Soll ich so etwas (${kindWords(event)}) von jetzt an melden?`
          : `Kein Auftrag kann ${named(event)} allein nennen. Alles von ${source} melden?`,
        eventChoices(event),
        source,
      ),
    ]),
  connected: (source) => `${source} ist verbunden.`,
  manyKinds: (source, most) =>
    `${source} hat heute mehr als ${most} neue Arten von Ereignissen gesendet. Nach weiteren frage ich heute nicht; sie sind verzeichnet: /hooks events ${source}`,

  unpaired: () =>
    'Dieser Bot ist nur in Chats tätig, die mit ihm gekoppelt sind. Wem er gehört: "npx passepartout pair" ausführen und hier /pair mit dem Code senden.',
  mayBeLost: ({ words, time }, problem, name) =>
    `${words === '' ? `Meine Nachricht zu dem, was um ${time} kam,` : `Meine Antwort auf „${words}“`} ${problem === undefined ? 'ist vielleicht nicht angekommen.' : `wurde nicht gesendet: ${inGerman(problem) || 'ihr Kanal nahm nichts an'}.`} Noch einmal sende ich es nur auf Wunsch (oder: npx passepartout effects resolve ${name} retry).`,
  sentAgain: () => 'Dieser Text wurde schon noch einmal gesendet, oder er kam doch an: Es wird nichts mehr gesendet.',
  mayNotSendAgain: () =>
    'Noch einmal tun lassen kann das nur, wer gefragt hat, oder eine freigebende Person, und nur in diesem Gespräch.',
  notYourQuestion: () =>
    'Diese Frage gilt der Person, der ich dort geantwortet habe. Eine eigene Nachricht an mich geht immer.',
  chosenByWords: (choice) => `✓ ${choice}`,
  answeredAlready: () =>
    'Diese Frage ist schon beantwortet, oder sie lässt sich nicht mehr mit einem Knopf beantworten.',
  readAlready: () => 'Das wurde schon wieder aufgenommen: Es wird nichts weiter getan.',
  anchor: (size, note) =>
    `Prüfpunkt des Protokolls, ${size} Blätter. Hier verwahrt zeigt er, ob das Protokoll seither geändert wurde:\n\n${note}`,
  stoppedMeanwhile: (id) =>
    `Während der Arbeit daran kam ein Halt, also habe ich nicht geantwortet. Noch einmal fragen, wenn es weiter gewünscht ist. ${why(id)}`,
  channelBack: (channel, from, until) =>
    `${channel} nahm von ${from} bis ${until} keine Nachrichten an. Die wartenden Texte werden jetzt gesendet.`,
  sendingAgain: () => 'Ich sende es noch einmal.',
  readingAgain: () => 'Ich lese es noch einmal.',
};
