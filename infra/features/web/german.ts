/** The step of the search service in the set-up, in German. Pure. */
import type { SentencePair } from '../../../lib/core/language/sentence-speaker.ts';

export const SEARCH_SETUP: readonly SentencePair[] = [
  ['The service that searches the web', 'Der Dienst, der im Web sucht'],
  ['None is set. SEARCH names one.', 'Keiner ist gesetzt. SEARCH nennt einen.'],
  [
    'SEARCH_API_KEY for {1}; empty leaves it (not shown)',
    'SEARCH_API_KEY für {1}; leer lässt ihn, wie er ist (wird nicht gezeigt)',
  ],
];
