/** The answers about signals in German, as `texts.ts` has them. */

import { DE as NOTICES } from '../../judge/notices-german.ts';
import { inGerman } from '../../language/stored-german.ts';
import type { CONSENSUS_WORDS, SignalTexts } from './texts.ts';

const CONSENSUS: Readonly<Record<keyof typeof CONSENSUS_WORDS, string>> = {
  agreed: 'alle haben dasselbe vorgeschlagen',
  majority: 'die meisten haben dasselbe vorgeschlagen',
  safest: 'sie waren nicht einig; der sicherste Vorschlag gilt',
  alone: 'sonst hat keines etwas vorgeschlagen',
};

/** The page has the same words. */
const STATES: ReadonlyMap<string, string> = new Map([
  ['received', 'eingegangen'],
  ['perceived', 'in Arbeit'],
  ['reasoned', 'entschieden'],
  ['suspended', 'wartet auf ein Ja'],
  ['acted', 'erledigt'],
  ['refused', 'abgelehnt'],
  ['dropped', 'verworfen'],
  ['recorded', 'vermerkt'],
  ['dead-lettered', 'aufgegeben'],
  ['handed on', 'weitergegeben'],
  ['handed', 'bei einem Rechner'],
  ['waiting', 'wartet'],
  ['pending', 'nicht begonnen'],
  ['claimed', 'in Arbeit'],
  ['done', 'erledigt'],
  ['failed', 'gescheitert'],
  ['unknown', 'ungewiss'],
  ['pass', 'erlaubt'],
  ['modify', 'ändert'],
  ['ask', 'fragt'],
  ['block', 'verbietet'],
  ['act', 'handeln'],
  ['refuse', 'ablehnen'],
  ['drop', 'verwerfen'],
]);

const countOf = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const STORY: SignalTexts['story'] = {
  stored: inGerman,
  call: (sentence) => `${sentence}: Das`,
  notice: 'Ein fester Hinweis',
  reply: 'Meine Antwort',
  done: (name, isCall) => `${name} wurde ${isCall ? 'getan' : 'gesendet'}.`,
  failed: (name) => `${name} ist gescheitert`,
  unknown: (name) => `${name} wurde begonnen, aber ob es geschehen ist, ist nicht bekannt`,
  refused: (name) => `${name} wurde kurz vor der Ausführung abgelehnt`,
  suspended: (name) => `${name} wartet auf das Ja eines Menschen`,
  handed: (name) => `${name} wurde einem eigenen Rechner übergeben und ist nicht zurück`,
  waiting: (name) => `${name} konnte noch nicht gesendet werden und wird wieder versucht`,
  claimed: (name) => `${name} ist in Arbeit.`,
  pending: (name) => `${name} ist entschieden und geschieht gleich.`,
  handedOn: 'Es wurde weitergegeben',
  recorded: 'Es wurde vermerkt',
  dropped: 'Daran wurde nicht gearbeitet',
  deadLettered: 'Daran konnte nicht gearbeitet werden, und es wurde aufgegeben',
  atWork: 'Noch ist nichts entschieden: Es ist in Arbeit.',
  undecided: 'Noch ist nichts entschieden',
  rejected: (count) =>
    `Vorher haben die Regeln ${count === 1 ? 'einen Vorschlag' : `${count} Vorschläge`} des Modells abgelehnt.`,
  nothingDone: 'Nichts wurde getan',
  rulesRefused: (count) =>
    `Nichts wurde getan: Die Regeln haben ${count > 1 ? `${count}-mal ` : ''}abgelehnt, was das Modell vorschlug`,
  setAside: 'Dann wurde es aufgegeben',
};

const DETAILS = {
  theCall: (tool: string) => `Der Aufruf von ${tool}`,
  state: (word: string) => STATES.get(word) ?? word,
  consensus: (count: number, outcome: keyof typeof CONSENSUS) => `Gefragte Modelle: ${count}; ${CONSENSUS[outcome]}`,
  noProposal: 'kein Vorschlag',
  taken: ', gilt',
  memory: (commit: number | undefined, log: string, shown: string) =>
    `Gedächtnis${commit === undefined ? '' : ` beim Stand ${commit}${log}`}, gezeigt: ${shown === '' ? 'nichts daraus' : shown}`,
  log: (leaves: number, root: string) => ` (Protokoll: ${countOf(leaves, 'Blatt', 'Blätter')}, Wurzel ${root})`,
  onlyTools: (tools: string | undefined) => `Nur diese Werkzeuge, laut Auftrag: ${tools}`,
  skill: (name: string, version: string) => `Gezeigte Fähigkeit: ${name}, Fassung ${version}`,
  settings: (version: number) => `Nach Fassung ${version} der Einstellungen`,
  judged: (name: string, outcome: string, gates: number) => `${name}: ${outcome}, ${countOf(gates, 'Regel', 'Regeln')}`,
  answer: 'Antwort',
  model: (name: string, tier: string) => `Modell: ${name}${tier}`,
  failedBefore: (line: string) => `Vorher gescheitert: ${inGerman(line)}`,
  byGrant: (id: string) => ` durch die Erlaubnis ${id}`,
  effect: (n: number, actuator: string) => `Wirkung ${n} (${actuator})`,
  byScript: (name: string) => `, vom Skript ${name}`,
  attemptRejected: (n: number) => `Versuch ${n}: abgelehnt`,
  decision: (outcome: string) => `Entscheidung: ${outcome}`,
  rules: (rules: number, learned: number, names: string) =>
    `Regeln der Richtlinie: ${rules}. Gelernte Regeln: ${learned}${names}.`,
  moreRules: (count: number) => `, ${count} weitere`,
};

const WHOLE: SignalTexts['whole'] = {
  attempt: (n, name, isVote, tokens) =>
    `${isVote ? 'Zweite Meinung' : 'Versuch'} ${n} von ${name}${tokens === undefined ? '' : `, ${tokens.join(' + ')} Token`}`,
  failedBefore: (line) => `vorher gescheitert: ${inGerman(line)}`,
  problem: 'Fehler',
  says: 'sagt',
  calls: 'ruft auf',
  gateSet: 'Satz der Regeln',
  action: 'Handlung',
  noDecision: 'Noch keine Entscheidung.',
  effects: 'Wirkungen',
  effect: (n, actuator) => `Wirkung ${n}: ${actuator}`,
  retry: (command) => `noch einmal versuchen: ${command}`,
  resolve: (command) => `nachsehen, ob es geschehen ist, dann (done oder retry): ${command}`,
  cameFrom: (sensor, sender, source, session, time) =>
    `${sensor} von ${sender} über ${source}, Gespräch ${session}, ${time}`,
  caused: (ids) => `Danach: ${ids}`,
};

export const DE: SignalTexts = {
  story: STORY,
  ...DETAILS,
  whole: WHOLE,
  stopped: 'Angehalten: Nichts wird getan, bis eine freigebende Person fortsetzt: /resume.',
  notStopped: 'Nicht angehalten.',
  stoppedHere: NOTICES.isSessionStopped,
  stoppedElsewhere: (names) => `Angehaltene Gespräche: ${names} (/resume <conversation>).`,
  idle: 'In diesem Gespräch ist keine Nachricht in Arbeit.',
  working: (id) => `In Arbeit: ${id}.`,
  waiting: (messages, approvals) => `Hier wartende Nachrichten: ${messages}. Offene Freigaben: ${approvals}.`,
  attention: (finding) => `Achtung: ${finding}.`,
  unknownOutcome: (name) =>
    `Ausgang ungewiss: ${name}. Nachsehen, ob es geschehen ist, dann (done oder retry): npx passepartout effects resolve ${name} done`,
  lastTask: (id) => `Letzte Aufgabe: ${id} (/why ${id})`,
  canAnswer: (because) => `Kann antworten: ${because === undefined ? 'ja.' : `nein, weil: ${because}.`}`,
  nothingWrong: 'Alles ist in Ordnung.',
  wrong: (finding) => `Nicht in Ordnung: ${finding}.`,
  moreChecks: 'Schlüssel, Dateien, Festplatte und Uhr: npx passepartout doctor',
  noSuchTask: (id) => `hier gibt es keine Aufgabe ${id}`,
  noTaskYet: 'in diesem Gespräch gibt es noch keine frühere Aufgabe',
};
