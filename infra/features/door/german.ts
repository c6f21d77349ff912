/** German of the MCP server in `doctor`. */
import type { SentencePair } from '../../../lib/core/language/sentence-speaker.ts';

export const DOOR_FINDINGS: readonly SentencePair[] = [
  ['programs', 'Programme'],
  ['nothing answers at {1}', 'unter {1} antwortet nichts'],
  ['MCP_DOOR is on in .env: npm start again', 'MCP_DOOR steht in .env auf on: npm start neu starten'],
  ['no token may use /mcp', 'kein Token darf /mcp benutzen'],
  [
    'give a program one of its own in API_TOKENS (lib/features/door/README.md)',
    'einem Programm in API_TOKENS ein eigenes geben (lib/features/door/README.md)',
  ],
  ['{1} answers, for the tokens {2}', '{1} antwortet, für die Token {2}'],
];
