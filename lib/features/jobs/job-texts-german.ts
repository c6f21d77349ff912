/** The words for jobs in German. */

import { DAYS } from '../../core/base/time-words-german.ts';
import { inGerman } from '../../core/language/stored-german.ts';
import { namedInGerman as named, quotedInGerman as quoted } from '../../core/text/quoted-german.ts';
import type { JobWords } from './job-texts.ts';

const EVERY = {
  day: ['jeden Tag', 'Tage'],
  hour: ['jede Stunde', 'Stunden'],
  minute: ['jede Minute', 'Minuten'],
} as const;

export const DE: JobWords = {
  days: DAYS,
  cron: {
    eachHour: (minute) => `jede Stunde um :${minute}`,
    dayOfMonth: (day) => `Tag ${day} des Monats`,
    month: (month) => `Monat ${month}`,
    everyDay: 'jeden Tag',
  },
  rule: {
    once: (at, zone) => `am ${at.replace('T', ' um ')} (${zone})`,
    every: (count, unit) => (count === 1 ? EVERY[unit][0] : `alle ${count} ${EVERY[unit][1]}`),
    at: (times, zone) => `um ${times} (${zone})`,
    theTimes: (cron) => `den Zeiten ${quoted(cron)}`,
    event: (event, source, holds) =>
      `bei jedem Ereignis ${event === undefined ? '' : `${quoted(event)} `}des Webhooks ${named(source)}${holds === undefined ? '' : `, wenn ${quoted(holds)}`}`,
    condition: (holds) => `sobald ${quoted(holds)} wahr wird`,
  },
  runs: {
    stored: inGerman,
    began: (late, isOver) =>
      `${isOver ? 'gelaufen' : 'begonnen'}${late === undefined ? ', pünktlich' : `, ${late} zu spät`}`,
    notEnded: ', noch nicht zu Ende',
    skipped: 'ausgelassen',
    missed: 'verpasst',
    failed: 'gescheitert',
    unknown: 'Ausgang ungewiss',
    stopped: 'angehalten',
    'did-nothing': 'ohne Wirkung',
  },

  moved: ', verschoben: Die Uhr lässt diese Zeit aus',
  nextEvent: (source) =>
    `beim nächsten solchen Ereignis; ohne ein Geheimnis für ${source} in WEBHOOK_SECRETS wird keines angenommen`,
  withinMinute: 'innerhalb einer Minute',
  neverAgain: 'nie wieder',
  thenNeverAgain: 'danach nie wieder',
  onceAt: (at, zone) => `einmal, ${at} nach der Uhr von ${zone}`,
  every: (time, from) => `alle ${time} ab ${from}`,
  cronOn: (cron, zone) => `cron ${cron} nach der Uhr von ${zone}`,
  eachEvent: (event, source, holds) =>
    `bei jedem Ereignis${event === undefined ? '' : ` ${event}`} der Webhook-Quelle ${source}${holds === undefined ? '' : `, für das dies wahr ist: ${holds}`}`,
  checked: (time, from, holds) => `geprüft alle ${time} ab ${from}; er läuft, wenn dies wahr geworden ist: ${holds}`,

  nobody: 'niemand',
  topic: (topic) => `, Thema ${topic}`,
  says: (text) => `sagt: ${text}`,
  calls: (tool, args) => `ruft ${tool} auf mit ${args}`,
  asksModel: 'Er fragt das Modell',
  step: (n) => `Schritt ${n}`,
  runsRunbook: 'Er führt das Runbook aus',
  withHash: (runbook, hash) => `${runbook} (Prüfsumme ${hash})`,
  input: (name) => `Eingabe ${name}`,
  whole: 'Als Ganzes freigegeben',
  wholeUntil: (runs, until) => `${runs} Läufe bis ${until}, wenn sich die Regeln nicht vorher ändern`,
  notMadeUp: 'er wird nicht nachgeholt',
  newestIf: (time) => `der neueste läuft, wenn er höchstens ${time} zu spät ist`,
  newestRunIf: (runs, time) => `die neuesten ${runs} laufen, wenn sie höchstens ${time} zu spät sind`,
  texts: 'Texte',
  textsAnHour: (most) => `${most} in der Stunde einzeln, der Rest in einer Nachricht`,
  promises: {
    reply: 'eine Antwort; ein Lauf ohne sie wird als wirkungslos gemeldet',
    change: 'eine Änderung durch ein Werkzeug; ein Lauf ohne sie wird als wirkungslos gemeldet',
    nothing: 'nichts: ein Lauf darf ohne ein Wort enden',
  },
  ifMissed: 'Wenn ein Lauf verpasst wurde',
  ifNotEnded: 'Wenn der Lauf davor nicht zu Ende ist',
  isSkipped: 'er wird ausgelassen',
  waits: 'er wartet',
  start: 'Beginn',
  atMoment: 'zu seinem Termin',
  within: (time) => `bis zu ${time} nach seinem Termin`,
  pause: 'Pause',
  never: 'nie von selbst',
  afterFailures: (count) => `von selbst, wenn er ${count}-mal nacheinander scheitert`,
  cap: 'Grenze',
  capOfAll: 'die aller Aufträge',
  capOwn: (usd) => `${usd} am Tag, neben der aller Aufträge`,
  promise: 'Versprechen',
  when: 'Wann',
  resultTo: 'Ergebnis geht an',
  next: 'Termine',
  onceResumed: ', sobald er weitermacht',
  may: (to) => (to === undefined ? 'lesen und sich merken' : `lesen, sich merken und schreiben an ${to}`),
  mayWhole: (may) =>
    `Er darf ohne Frage: ${may}, und die Aufrufe, die das Ganze erlaubt; alles andere wird jedes Mal gefragt.`,
  mayElse: (may, session) =>
    `Er darf ohne Frage: ${may}; alles andere wird jedes Mal gefragt, wenn es keine Erlaubnis für ${session} deckt.`,
  changed: (label) => `GEÄNDERT ${label}`,
  before: (value, before) => `${value} (vorher: ${before ?? 'nichts'})`,
  removed: (label) => `ENTFERNT ${label}`,

  kinds: {
    rule: '',
    run: ' (von einer Person gestartet)',
    event: ' (für ein Ereignis)',
    condition: ' (durch seine Bedingung)',
  },

  states: { active: 'aktiv', paused: 'pausiert', ended: 'zu Ende', removed: 'entfernt' },
  waiting: (name, rule) => `Auftrag ${name}: ${rule} …`,
  due: 'aktiv, fällig',
  activeNext: (at) => `aktiv, nächster Termin ${at}`,
  builtIn: (description) => `eingebaut: ${inGerman(description)}`,
  running: (count) => (count === 1 ? '1 Lauf jetzt' : `${count} Läufe jetzt`),
  failures: (count) => `${count}-mal nacheinander gescheitert`,
  more: (cursor) => `… und weitere: npx passepartout jobs list --cursor ${cursor}`,
};
