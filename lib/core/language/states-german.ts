/** Stored words of states in German: of jobs, of providers' failures, of machines. Pure. */

import { FAULTS, isFault } from './fault-texts.ts';
import { CURES as GERMAN_CURES, FAULTS as GERMAN_FAULTS, SET_UP as GERMAN_SET_UP } from './fault-texts-german.ts';
import { CURES, SET_UP } from './finding-texts.ts';
import { isPresence, PRESENCES } from './machine-texts.ts';
import { PRESENCES as GERMAN_PRESENCES } from './machine-texts-german.ts';
import type { SentencePair } from './sentence-speaker.ts';

const STATES: readonly SentencePair[] = [
  ['{1} minute', '{1} Minute'],
  ['{1} minutes', '{1} Minuten'],
  ['{1} hours', '{1} Stunden'],
  ['{1} days', '{1} Tagen'],
  ['paused after {1} failures in a row', 'pausiert, nachdem er {1}-mal nacheinander gescheitert ist'],
  ['paused because its condition fails', 'pausiert, weil seine Bedingung scheitert'],
  ['paused', 'pausiert'],
  ['resumed', 'fortgesetzt'],
  ['removed', 'entfernt'],
  ['[1] (asked at {2})', '[1] (gefragt um {2})'],
  [SET_UP, GERMAN_SET_UP],
];

const FAULT_CODES = Object.keys(FAULTS).filter(isFault);
/** Failures of calls are stored, each with its cure. */
const MODELS: readonly SentencePair[] = FAULT_CODES.flatMap((fault): readonly SentencePair[] => [
  [`{1} ${FAULTS[fault]}`, `{1} ${GERMAN_FAULTS[fault]}`],
  [CURES[fault]('{1}', '[2]'), GERMAN_CURES[fault]('{1}', '[2]')],
]);

/** `away, last seen …`, after the name of the machine or alone. */
const PRESENT: readonly SentencePair[] = Object.keys(PRESENCES)
  .filter(isPresence)
  .flatMap((presence): readonly SentencePair[] => [
    [`${PRESENCES[presence]}, [1]`, `${GERMAN_PRESENCES[presence]}, [1]`],
    [`{1}: ${PRESENCES[presence]}, [2]`, `{1}: ${GERMAN_PRESENCES[presence]}, [2]`],
  ]);

const MACHINES: readonly SentencePair[] = [
  ...PRESENT,
  [
    'On your machine: {1} ([2]: it would wait for an hour at most)',
    'Auf dem eigenen Rechner: {1} ([2]: es würde höchstens eine Stunde warten)',
  ],
  ['{1} ([2]: it would wait for an hour at most)', '{1} ([2]: es würde höchstens eine Stunde warten)'],
  ['On your machine: {1}', 'Auf dem eigenen Rechner: {1}'],
  ['never started', 'nie gestartet'],
  ['last seen [1]', 'zuletzt gesehen [1]'],
  ['just now', 'gerade eben'],
  ['{1} minute ago', 'vor {1} Minute'],
  ['{1} minutes ago', 'vor {1} Minuten'],
  ['{1} hour ago', 'vor {1} Stunde'],
  ['{1} hours ago', 'vor {1} Stunden'],
  ['{1} day ago', 'vor {1} Tag'],
  ['{1} days ago', 'vor {1} Tagen'],
  ['  reads: {1}', '  liest: {1}'],
  ['  writes: {1}', '  schreibt: {1}'],
  ['  writes: none', '  schreibt: nichts'],
  ['  reads: none', '  liest: nichts'],
  [
    '  programs beside those that only read: {1}; network: none',
    '  Programme außer denen, die nur lesen: {1}; Netz: nein',
  ],
  [
    '  programs beside those that only read: none; network: none',
    '  Programme außer denen, die nur lesen: keine; Netz: nein',
  ],
  [
    '  programs beside those that only read: {1}; network: yes',
    '  Programme außer denen, die nur lesen: {1}; Netz: ja',
  ],
  ['  key {1}, allow-file {2}', '  Schlüssel {1}, Datei der Erlaubnisse {2}'],
  ['  paired {1} by {2}', '  gekoppelt {1} von {2}'],
  ['{1} did not take it until {2}', '{1} hat es bis {2} nicht übernommen'],
  ['{1} began it and never said how it ended', '{1} hat es begonnen und nie gesagt, wie es ausging'],
  ['it was stopped before it began', 'es wurde angehalten, bevor es begann'],
  [
    'it was handed to the machine before, and no job runs a second time; ask for it again',
    'es wurde dem Rechner schon übergeben, und nichts läuft zweimal; noch einmal darum bitten',
  ],
];

export const STORED_STATES: readonly SentencePair[] = [...STATES, ...MODELS, ...MACHINES];
