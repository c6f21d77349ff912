/** German of this feature on the command line. */
import type { SentencePair } from '../../../lib/core/language/sentence-speaker.ts';

export const PROGRAMS: readonly SentencePair[] = [
  [
    'OPENAI_DOOR is on, and no token of API_TOKENS may speak',
    'OPENAI_DOOR ist an, und kein Token aus API_TOKENS darf sprechen',
  ],
  ['they speak at {1}, such as {2}', 'sie sprechen unter {1}, etwa {2}'],
  ['{1} does not answer {2}', '{1} antwortet {2} nicht'],
];
