/** The words of Signal on the command line in German. */
import type { SentencePair } from '../../../lib/core/language/sentence-speaker.ts';

export const SIGNAL_WORDS: readonly SentencePair[] = [
  ['  signal    off (set SIGNAL_URL)', '  Signal    aus (SIGNAL_URL setzen)'],
  ['  signal    {1}', '  Signal    {1}'],
  [
    'not reachable: signal-cli -a <number> daemon --http starts it',
    'nicht erreichbar: signal-cli -a <Nummer> daemon --http startet es',
  ],
  ['Signal', 'Signal'],
  [
    'signal-cli holds the account: lib/features/signal/README.md says how. Leave it empty for none.',
    'signal-cli führt das Konto: lib/features/signal/README.md sagt wie. Leer lassen für keines.',
  ],
  ['The address of its daemon', 'Die Adresse seines Dienstes'],
  ['No daemon is set.', 'Kein Dienst ist eingetragen.'],
  ['Signal: an event was answered {1}', 'Signal: auf ein Ereignis kam die Antwort {1}'],
  ['Signal: {1}', 'Signal: {1}'],
];
