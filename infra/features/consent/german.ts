/** The words of `mcp login` on the command line in German. */
import type { SentencePair } from '../../../lib/core/language/sentence-speaker.ts';

export const LOGIN: readonly SentencePair[] = [
  ['no browser answered', 'kein Browser hat geantwortet'],
  ['the same command begins anew', 'derselbe Befehl beginnt von vorn'],
  [
    'this is no answer of the login that was begun here',
    'das ist keine Antwort der Anmeldung, die hier begonnen wurde',
  ],
  [
    'Agree there. If the browser is on another machine, paste here the address that it ends at:',
    'Stimme dort zu. Ist der Browser auf einem anderen Gerät, füge hier die Adresse ein, bei der er endet:',
  ],
];
