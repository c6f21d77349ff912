/** Pages of the manual: model providers. */
import type { ManualPage } from '../manual-pages.ts';

export const PROVIDER_PAGES: readonly ManualPage[] = [
  {
    title: 'Add, order, switch off or remove a model provider and its key',
    german: 'Einen Modell-Anbieter und seinen Schlüssel hinzufügen, ordnen, ausschalten oder entfernen',
    words:
      'provider endpoint llm vendor api key base url openrouter groq vllm vault cascade fallback order ' +
      'Anbieter Endpunkt Schlüssel Tresor Adresse Reihenfolge hinzufügen entfernen',
    verbs: ['provider add', 'provider try', 'provider order', 'provider off', 'provider remove'],
    steps: [
      [
        'npx passepartout provider add <name> <url> [model]',
        'adds it; its key is typed hidden',
        'fügt ihn hinzu; sein Schlüssel wird verdeckt getippt',
      ],
    ],
    see: 'lib/features/providers/README.md',
  },
];
