/** The words of Signal on the command line in German. */
import type { SentencePair } from '../../../lib/core/language/sentence-speaker.ts';

export const SIGNAL_WORDS: readonly SentencePair[] = [
  ['  signal    off (set SIGNAL_URL)', '  Signal    aus (SIGNAL_URL setzen)'],
  ['  signal    {1}', '  Signal    {1}'],
  [
    'not reachable: signal-cli -a <number> daemon --http starts it',
    'nicht erreichbar: signal-cli -a <Nummer> daemon --http startet es',
  ],
  ['Signal: an event was answered {1}', 'Signal: auf ein Ereignis kam die Antwort {1}'],
  ['Signal: {1}', 'Signal: {1}'],
];
