/** The sentence of each finding, in German. Pure. */
import { CURES, FAULTS, SET_UP } from './fault-texts-german.ts';
import type { FindingTexts } from './finding.ts';
import { PAGE } from './finding-texts.ts';
import { machineWords } from './machine-texts-german.ts';
import { inGerman } from './stored-german.ts';

const EVIDENCE = 'infra/troubleshooting.md#evidence-and-backups';
const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
const textsWait = (count: number, hasMore: boolean): string =>
  hasMore ? `${count} oder mehr Texte warten` : counted(count, 'Text wartet', 'Texte warten');

export const DE: FindingTexts = {
  stopped: () => 'angehalten: Nichts wird getan, bis eine freigebende Person fortsetzt: /resume',
  noHeartbeat: () => 'es gab noch keinen Herzschlag (infra/troubleshooting.md#no-answer)',
  heartbeat: (seconds) =>
    `der letzte Herzschlag war vor ${seconds} Sekunden: Bleibt er aus, "npm start" oder "npm run deploy" wiederholen`,
  noTable: () => 'die Tabelle ist nicht erreichbar (infra/troubleshooting.md#no-answer)',
  dead: (count) =>
    `an ${count} der neuesten Meldungen konnte in der letzten Stunde nicht gearbeitet werden (npx passepartout signals --state dead-lettered)`,
  stuck: (count, minutes, oldest) =>
    `${counted(count, 'Meldung ist', 'Meldungen sind')} noch in Arbeit, die älteste seit ${counted(minutes, 'Minute', 'Minuten')}: /why ${oldest}`,
  log: (problem) => `das Protokoll steht still: ${problem} (${EVIDENCE})`,
  anchor: () =>
    `der neueste Prüfpunkt ist nicht verankert: Sein Ordner oder Bucket nimmt ihn nicht an: ANCHOR_DIR, ANCHOR_BUCKET (${EVIDENCE})`,
  witness: (problem) => `der Zeuge ${problem} (${EVIDENCE})`,
  traces: (isRefused, status) =>
    `der Sammler der Spuren ${status === 0 ? 'antwortet nicht' : `antwortet ${status}`}: ${isRefused ? 'was er ablehnt, ist verloren' : 'sie warten eine Woche'} (lib/features/traces/README.md)`,
  backup: (days) => `die neueste Sicherung ist ${days} Tage alt: npx passepartout backup <file>`,
  noModel: () => 'kein Sprachmodell ist eingerichtet: npx passepartout setup --only model, dann neu starten',
  modelsAway: (isReached, since, waiting) =>
    `seit ${since} ${isReached ? 'hat kein Sprachmodell geantwortet' : 'ist kein Sprachmodell erreichbar'}; ${counted(waiting, 'Gespräch wartet', 'Gespräche warten')} (${PAGE})`,
  modelProvider: (fault, name, model, askedAt, place, mend) =>
    `der Anbieter ${model === undefined ? name : `${name} (${model})`} ${FAULTS[fault]}${askedAt === undefined ? '' : ` (gefragt um ${askedAt})`}: ${CURES[fault](place, mend ?? SET_UP)}`,
  channelRefused: ({ name, id, token }, since, count, hasMore) =>
    `${name} lehnt seit ${since} das Token in ${token} ab: ${textsWait(count, hasMore)} auf ein gültiges (npx passepartout setup --only ${id})`,
  channelAway: ({ name, id }, since, count, hasMore) =>
    `${name} nimmt seit ${since} keine Nachrichten an: ${textsWait(count, hasMore)} und ${count === 1 ? 'wird' : 'werden'} noch gesendet (infra/troubleshooting.md#${id})`,
  embeddings: () =>
    'der Anbieter der Vektoren (embeddings) lehnt seinen Schlüssel ab: npx passepartout setup --only keys (infra/operating.md#rotate-a-secret)',
  budgetSpent: () => 'das Budget von heute ist verbraucht: /budget zeigt die Grenzen',
  budgetNear: (percent) => `${percent} % des Budgets von heute sind verbraucht: /budget zeigt die Grenzen`,
  jobsWait: (count, hasMore, since) =>
    `Termine warten (${hasMore ? 'mindestens ' : ''}${counted(count, 'Auftrag', 'Aufträge')}), der älteste seit ${since}: Die nächsten Herzschläge holen sie nach (/jobs list)`,
  jobPaused: (job, why) => `der Auftrag ${job} ist ${inGerman(why)}: /jobs history ${job}, dann /jobs resume ${job}`,
  jobMissed: (job, moment) =>
    `der Auftrag ${job} hat seinen Termin ${moment} verpasst: /jobs run ${job} holt ihn jetzt nach`,
  skill: (skill, failures, turns) =>
    `die Fähigkeit ${skill} ist in ${turns} Aufgaben ${failures}-mal gescheitert: /skill show ${skill} oder /skill remove ${skill}`,
  mcp: (server, count) =>
    count === 1
      ? `der MCP-Server ${server} hat 1 angenommenes Werkzeug geändert; es ist aus, bis es wieder angenommen ist: /mcp list`
      : `der MCP-Server ${server} hat ${count} angenommene Werkzeuge geändert; sie sind aus, bis sie wieder angenommen sind: /mcp list`,
  machine: (name, state, calls, mend) =>
    `der Rechner ${name}: ${machineWords(state)} (${counted(calls, 'Aufruf wartet', 'Aufrufe warten')}): ${mend}`,
  machineRelease: (name, release, stack) =>
    `auf dem Rechner ${name} läuft Version ${release}, hier ${stack}: auf dieselbe bringen, dann npx passepartout runner start ${name}`,
  source: (source, count) =>
    `${count} Ereignisse der Webhook-Quelle ${source} wurden heute abgelehnt, weil sie zu viele sendet: Sie soll weniger senden (${PAGE})`,
};
