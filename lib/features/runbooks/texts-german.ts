/** The words for runbooks and their runs in German. */

import { DAYS } from '../../core/base/time-words-german.ts';
import { inGerman } from '../../core/language/stored-german.ts';
import type { RunbookWords } from './texts.ts';

export const DE: RunbookWords = {
  days: DAYS,
  stored: inGerman,

  states: {
    running: 'läuft',
    waiting: 'wartet',
    done: 'fertig',
    failed: 'gescheitert',
    stopped: 'angehalten',
    'did-nothing': 'ohne Wirkung',
  },
  ends: {
    done: 'erledigt',
    failed: 'gescheitert',
    unknown: 'sein Ausgang ist ungewiss',
    undone: 'erledigt und zurückgenommen',
    'not-undone': 'erledigt, ließ sich aber nicht zurücknehmen',
  },
  entry: (entries) => `, Eintrag ${entries}`,
  step: (place) => `Schritt ${place}`,
  begins: 'er beginnt',
  tryOf: (count) => `, Versuch ${count}`,
  again: (times, until) =>
    `er ist ${times > 1 ? `${times}-mal ` : ''}gescheitert und wird ${until === undefined ? 'gleich' : `am ${until}`} wieder versucht`,
  waitsUntil: (until) => `er wartet bis ${until}`,
  waitsForYes: (isUndo) =>
    `${isUndo ? 'zum Zurücknehmen ' : ''}wartet er auf eine freigebende Person, auf seiner Karte`,
  asksModel: 'das Modell wird gefragt',
  takenBack: 'er wird zurückgenommen',
  beingDone: 'er wird ausgeführt',
  asking: 'wartet auf ein Ja',
  atStep: (place, since) => `, Schritt ${place} seit ${since}`,
  now: (step, since, doing) => `Jetzt: ${step}, seit ${since}: ${doing}`,
  run: (id, runbook, state) => `${id}: das Runbook ${runbook}: ${state}`,
  begun: (at, by, end) => `Begonnen ${at} von ${by}${end === undefined ? '' : `; der Lauf endet spätestens ${end}`}.`,
  input: (name, value) => `Eingabe ${name}: ${value}`,
  toStop: (id) => `/runbook stop ${id} beendet ihn.`,

  ask: (question) => `Frage: ${question}`,
  text: (text) => `Text: ${text}`,
  model: (most, prompt, material) =>
    `Modell (ohne Werkzeuge, höchstens ${most} Zeichen): ${prompt}${material === undefined ? '' : ` Mit: ${material}`}`,
  wait: (time) => `${time} warten`,
  each: (list, most) => `für jeden Eintrag von ${list}, bis zu ${most}-mal:`,
  next: {
    stop: 'der Lauf scheitert',
    skip: 'der Lauf geht weiter',
    undo: 'der Lauf nimmt seine Schritte zurück und scheitert',
  },
  tries: (count, wait) =>
    `noch ${count} ${count === 1 ? 'Versuch' : 'Versuche'}, der erste nach ${wait} oder bis zu eine Minute später, dann: `,
  timeLimit: (time) => `Zeitgrenze ${time}`,
  ifFails: (what) => `wenn er scheitert: ${what}`,
  shape: (path, shape) => `{{${path}}} ist ${shape}; alles andere wird gefragt`,
  takenBackBy: (call) => `zurückgenommen durch ${call}`,
  condition: (condition) => ` wenn ${condition}:`,
  meaning: (name, meaning, otherwise) =>
    `Eingabe ${name}: ${meaning}${otherwise === undefined ? ' (nötig)' : ` (sonst ${otherwise || 'leer'})`}`,
  runbook: (name, description) => `Runbook ${name}: ${description}`,
  limits: (time, tools) => `Es endet spätestens nach ${time}. Werkzeuge: ${tools === '' ? 'keine' : tools}.`,
};
