/** Pages of the manual: front ends and programs that speak with the agent as with a model. */
import type { ManualPage } from '../manual-pages.ts';

export const RESPONSE_PAGES: readonly ManualPage[] = [
  {
    title: 'Speak with me from other programs (OpenAI-compatible)',
    german: 'Mit mir aus einer anderen Oberfläche oder einem Programm sprechen (OpenAI-kompatibel)',
    words:
      'openai api compatible chat completions responses endpoint open webui librechat opencode sdk client base url front end app ' +
      'Schnittstelle kompatibel Oberfläche Programm Anwendung Adresse verbinden Client',
    steps: [
      [
        'OPENAI_DOOR=on',
        'a line of .env that opens /v1 for programs with a token of API_TOKENS, from the next start on',
        'eine Zeile von .env, die /v1 ab dem nächsten Start für Programme mit einem Token aus API_TOKENS öffnet',
      ],
    ],
    see: 'lib/features/responses/README.md',
  },
];
