/** The answers to the verbs of jobs in German. */
import type { JobAnswers } from './texts.ts';

export const DE: JobAnswers = {
  noJobNamed: (name) => `es gibt keinen Auftrag ${name}; /jobs nennt die, die es gibt`,
  isThere: (name) => `es gibt schon einen Auftrag ${name}; /jobs edit ${name} ändert ihn`,
  paused: (names) => `Pausierte Aufträge: ${names} (/jobs resume <name>).`,
  next: (line) => `Nächster Auftrag: ${line}`,
  noTasks: 'Im Hintergrund arbeitet jetzt nichts. /jobs nennt, was geplant ist.',
  since: (job, at, signalId) => `${job}: seit ${at}  /why ${signalId}`,
  toEnd: 'Alles davon beenden: /stop',
  none: 'Es gibt keinen Auftrag.',
  unread: (n) => `${n} weitere kann diese Version nicht lesen.`,
  newest: (count, name, most) => `Das sind die neuesten ${count}. Mehr zeigt: /jobs history ${name} ${most}`,
  wasRemoved: (name) => `Der Auftrag ${name} wurde entfernt, bevor er fällig war.`,
  notDue: (name) => `Der Auftrag ${name} war noch nicht fällig.`,
  runNow: (name) => `Ein Lauf von ${name} jetzt (nichts wurde getan):`,
  wouldAsk: (words) => `Er würde das Modell fragen: ${words}`,
  tools: (tier, names) => `Werkzeuge, ${tier}: ${names}`,
  tiers: { allow: 'erlaubt', ask: 'mit Frage', deny: 'verboten', unclear: 'je nach dem, was im Aufruf steht' },
  whole:
    'Dieser Auftrag ist als Ganzes freigegeben: In den Grenzen dieses Ja geschehen seine Aufrufe ohne Frage; Fragen werden gestellt.',
};
