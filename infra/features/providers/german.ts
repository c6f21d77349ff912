/** The words of `provider` on the command line in German. */
import type { SentencePair } from '../../../lib/core/language/sentence-speaker.ts';

export const PROVIDER_KEYS: readonly SentencePair[] = [
  [
    'Key of {1}, which is not shown (Enter if it needs none):',
    'Schlüssel von {1}, der nicht gezeigt wird (Enter, wenn keiner nötig ist):',
  ],
  ['add: it needs no key', 'add: er braucht keinen Schlüssel'],
  ['it needs no key', 'er braucht keinen Schlüssel'],
  [
    'take another key of a provider, which is not shown, and try it',
    'einen anderen Schlüssel eines Anbieters nehmen, der nicht gezeigt wird, und ihn probieren',
  ],
  [
    'a key is letters, digits and signs, without spaces',
    'ein Schlüssel besteht aus Buchstaben, Ziffern und Zeichen, ohne Leerzeichen',
  ],
  ['paste the key alone', 'den Schlüssel allein einfügen'],
  ['there is no provider {1}', 'es gibt keinen Anbieter {1}'],
  ['npx passepartout provider names them', 'sie stehen unter: npx passepartout provider'],
  ['there is no key', 'es ist kein Schlüssel da'],
  ['the key of {1} is erased from the vault', 'der Schlüssel von {1} ist aus dem Tresor gelöscht'],
  [
    '       it lists {1} models: npx passepartout models --all',
    '       er nennt {1} Modelle: npx passepartout models --all',
  ],
  [
    '       and {1} more: npx passepartout models --all <part of a name>',
    '       und {1} weitere: npx passepartout models --all <part of a name>',
  ],
  [
    'every model that a provider lists, or those whose name holds the words',
    'jedes Modell, das ein Anbieter nennt, oder die mit diesen Worten im Namen',
  ],
];
