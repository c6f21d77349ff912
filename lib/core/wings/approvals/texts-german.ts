/** The answers about approvals and grants in German; `texts.ts` has their names and values. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/limits.ts';
import { SPARED } from '../../judge/approval-notices-german.ts';
import { sentenceInGerman } from '../../tools/sentences-german.ts';
import type { ApprovalTexts } from './texts.ts';

const STAGES: Readonly<Record<Parameters<ApprovalTexts['stage']>[0], string>> = {
  PLAN: 'wartet',
  APPROVED: 'freigegeben',
  DENIED: 'abgelehnt',
  EXPIRED: 'verfallen',
};

const counted = (count: number, one: string, many: string): string => `vor ${count} ${count === 1 ? one : many}`;

const ago = (ms: number): string => {
  if (ms < MINUTE_MS) return 'gerade eben';
  if (ms < HOUR_MS) return counted(Math.floor(ms / MINUTE_MS), 'Minute', 'Minuten');
  if (ms < DAY_MS) return counted(Math.floor(ms / HOUR_MS), 'Stunde', 'Stunden');
  return counted(Math.floor(ms / DAY_MS), 'Tag', 'Tagen');
};

const inGermanNumbers = (value: number): string => String(value).replace('.', ',');

const GRANT: ApprovalTexts['grant'] = {
  sentence: sentenceInGerman,
  any: (name) => `${name} beliebig`,
  like: (name, template) => `${name} wie ${template}`,
  shape: (shape) => {
    if (typeof shape === 'string') return `ein Text der Form ${shape}`;
    return 'from' in shape ? `eine Zahl von ${shape.from} bis ${shape.to}` : `eins von ${shape.map(String).join(', ')}`;
  },
  starting: (name, prefix) => `${name}, beginnend mit ${prefix}`,
  withArgs: (json) => `mit ${json}`,
  butWith: (words) => `aber: ${words}`,
  used: (uses, usesMax) => `${uses} von ${usesMax} genutzt`,
  until: (time) => `bis ${time}`,
  where: (session, isForTask) =>
    session === undefined ? 'in jedem Gespräch' : `${isForTask ? 'in einer Aufgabe ' : ''}in ${session}`,
  outside: (source) => `auch für Text von außen: ${source}`,
  by: (who) => `von ${who}`,
};

export const DE: ApprovalTexts = {
  none: 'Nichts wartet auf eine Freigabe.',
  waiting: 'Auf ein Ja warten:',
  unread: (n) => `${n} weitere kann diese Version nicht lesen: Die Version, die gefragt hat, kann entscheiden.`,
  cards: (mayLookAlike) =>
    `Den Wortlaut zeigt jeweils die Karte${mayLookAlike ? '; /approve allein nennt ihn für die aus diesem Chat' : ''}.`,
  textTo: 'Text an',
  tool: (tool) => tool,
  onMachine: (runner) => ` auf ${runner}`,
  destroys: ' (zerstört)',
  elsewhere: (short, hasCard) =>
    `zu entscheiden ${hasCard ? 'im Chat mit der Karte oder ' : ''}in einem Terminal: npx passepartout approve ${short}`,
  asked: (name, msAgo, session) => `${name}, gefragt ${ago(msAgo)} in ${session}`,
  stage: (stage) => STAGES[stage],
  noGrant: 'Es gibt keine Erlaubnis. Ob ein Auftrag als Ganzes freigegeben ist, zeigt /jobs show <name>',
  otherGrants: (count) => `${count} aus anderen Gesprächen: Der private Chat zeigt sie.`,
  noApproval: 'eine solche Freigabe gibt es nicht; /approvals nennt alle',
  rulesChanged: 'die Regeln haben sich seit der Frage geändert',
  noSuchGrant: 'eine solche Erlaubnis gibt es nicht; /grants nennt alle',
  grant: GRANT,
  notAsked: 'In den letzten 7 Tagen wurde nichts gefragt.',
  figures: (asked, days, { aTask, aDay, aHundredCalls }) =>
    `${asked} ${asked === 1 ? 'Frage' : 'Fragen'} in ${days} ${days === 1 ? 'Tag' : 'Tagen'}: ${[
      `${inGermanNumbers(aDay)} am Tag`,
      ...(aTask === undefined ? [] : [`${inGermanNumbers(aTask)} je Aufgabe`]),
      ...(aHundredCalls === undefined ? [] : [`${aHundredCalls} auf hundert Aufrufe`]),
    ].join(', ')}.`,
  yeses: (yes, quick) => `Ein Ja zu ${yes} davon, zu ${quick} innerhalb von drei Sekunden.`,
  row: (tool, decider, { asked, yes, quick }) =>
    `${tool}, ${decider ?? 'ohne Antwort'}: ${asked} gefragt, ${yes} Ja, ${quick} innerhalb von drei Sekunden`,
  spared: SPARED,
};
