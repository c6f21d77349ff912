/** The answers to the verbs of plans in German. */
import type { PlanTexts } from './texts.ts';

export const DE: PlanTexts = {
  none: 'Kein Plan ist offen. Das Modell schreibt einen auf, wenn es darum gebeten wird.',
  plan: (name, state) => `Plan ${name}: ${state}`,
  isOpen: 'wartet auf die Freigabe',
  step: (n, words, state) => `${n}. ${words}: ${state}`,
  states: {
    open: 'offen',
    noCall: 'nur in Worten, ohne Aufruf',
    broken: 'sein Aufruf ist nicht lesbar',
    closed: 'gestrichen oder erledigt',
    DONE: 'erledigt',
    FAILED: 'wurde nicht getan',
    UNKNOWN: 'Ausgang ungewiss',
    SKIPPED: 'ausgelassen',
  },
  run: (run) => `Sein neuester Lauf: /runbook show ${run}`,
  hints: (id) => `Ändern durch /edit <Schritt> text, title, order 2 oder state CANCELLED; danach /plan approve ${id}`,
  isClosed: 'der Plan ist geschlossen: mit dem Zustand PLAN wird er wieder offen',
  noSteps: 'der Plan hat keinen offenen Schritt',
  tooMany: (count, most) => `der Plan hat ${count} offene Schritte, und ${most} können zusammen freigegeben werden`,
  cannotRead: (n) =>
    `der Aufruf von Schritt ${n} ist nicht lesbar: er besteht aus dem Namen eines Werkzeugs und seinen Angaben als JSON, etwa call-webhook {"webhook":"pay","body":{}}`,
  cannotRun: (why) => `der Plan kann nicht ausgeführt werden: ${why}`,
  asked: (steps, id) =>
    `Schritt ${steps} steht nur in Worten da. Das Modell schreibt den Aufruf dazu; nach einem Blick darauf noch einmal /plan approve ${id} sagen.`,
  isPrivate:
    'ein Schritt nur in Worten ist als privat markiert, also wird er keinem Modell gezeigt: den Aufruf selbst schreiben',
};
