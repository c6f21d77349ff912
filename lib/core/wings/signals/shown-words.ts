/** Words for states and for signals without words of their own, in both languages. Pure. */
import type { Language } from '../../base/language.ts';
import { type SENSOR_WORDS, sensorWords } from './sensor-words.ts';

type Both<T> = Readonly<Record<Language, T>>;

/** States of signals, actions, moments, gates and the stack, by the server's words for them. */
const STATES: Readonly<Record<string, Both<string>>> = {
  received: { en: 'received', de: 'eingegangen' },
  perceived: { en: 'at work', de: 'in Arbeit' },
  reasoned: { en: 'decided', de: 'entschieden' },
  decided: { en: 'decided', de: 'entschieden' },
  suspended: { en: 'waits for you', de: 'wartet auf ein Ja' },
  acted: { en: 'done', de: 'erledigt' },
  refused: { en: 'refused', de: 'abgelehnt' },
  dropped: { en: 'dropped', de: 'verworfen' },
  recorded: { en: 'recorded', de: 'vermerkt' },
  'dead-lettered': { en: 'given up', de: 'aufgegeben' },
  'handed-on': { en: 'handed on', de: 'weitergegeben' },
  pending: { en: 'not begun', de: 'nicht begonnen' },
  claimed: { en: 'at work', de: 'in Arbeit' },
  done: { en: 'done', de: 'erledigt' },
  failed: { en: 'failed', de: 'gescheitert' },
  unknown: { en: 'unknown', de: 'ungewiss' },
  pass: { en: 'pass', de: 'erlaubt' },
  modify: { en: 'modify', de: 'ändert' },
  ask: { en: 'ask', de: 'fragt' },
  block: { en: 'block', de: 'verbietet' },
  fired: { en: 'ran', de: 'gelaufen' },
  late: { en: 'late', de: 'verspätet' },
  skipped: { en: 'skipped', de: 'ausgelassen' },
  missed: { en: 'missed', de: 'verpasst' },
  'did-nothing': { en: 'did nothing', de: 'ohne Wirkung' },
  stopped: { en: 'stopped', de: 'angehalten' },
  next: { en: 'next', de: 'nächster' },
  overdue: { en: 'overdue', de: 'überfällig' },
  healthy: { en: 'healthy', de: 'in Ordnung' },
  degraded: { en: 'degraded', de: 'eingeschränkt' },
  unhealthy: { en: 'unhealthy', de: 'gestört' },
  offline: { en: 'offline', de: 'offline' },
  asking: { en: 'asking…', de: 'wird abgefragt …' },
};

/** The word for a state that the page shows; itself if it has none. */
export const stateWordIn = (language: Language, state: string): string =>
  STATES[state.replace(' ', '-')]?.[language] ?? state;

const SENSORS_GERMAN: Readonly<Record<keyof typeof SENSOR_WORDS, string>> = {
  interrupt: 'STOP',
  resume: '/resume',
  'approval-decision': 'eine Entscheidung über eine Freigabe',
  'approval-decided': 'eine Handlung, die nicht freigegeben wurde',
  'send-again': 'ein Tippen auf einen Knopf unter einem Text',
  'unpaired-chat': 'eine Nachricht aus einem Chat, der nicht gekoppelt ist',
  pairing: 'ein Code zum Koppeln',
  'over-quota': 'mehr Nachrichten, als ein Tag erlaubt',
  notice: 'ein Text von mir',
  'tool-output': 'das Ergebnis einer Handlung',
  'tool-error': 'eine Handlung, die gescheitert ist',
  'loop-error': 'ein Fehler unterwegs',
  'session-summary': 'eine Zusammenfassung eines Gesprächs',
  'skill-event': 'ein Ereignis für eine Fähigkeit',
  'buffer-update': 'ein Text aus einem Editor',
  'point-update': 'die Stelle eines Cursors in einem Editor',
  heartbeat: 'ein Takt der Uhr',
};
const GERMAN_BY_SENSOR: ReadonlyMap<string, string> = new Map(Object.entries(SENSORS_GERMAN));

/** Signals whose text in a list the server makes, or another one. */
const OTHER_SENSORS: Readonly<Record<string, Both<string>>> = {
  command: { en: 'a command', de: 'ein Befehl' },
  'job-due': { en: 'a job that is due', de: 'ein fälliger Auftrag' },
  'run-step': { en: 'a step of a runbook', de: 'ein Schritt eines Runbooks' },
  'run-prompt': { en: 'a question of a runbook', de: 'eine Frage eines Runbooks' },
};

export const sensorWordsIn = (language: Language, sensor: string): string =>
  OTHER_SENSORS[sensor]?.[language] ??
  (language === 'de' ? (GERMAN_BY_SENSOR.get(sensor) ?? sensor) : sensorWords(sensor));
