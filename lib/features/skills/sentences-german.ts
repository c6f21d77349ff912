/** The sentences of these tools in German, as `tools.ts` has them in English. */
import type { Json } from '../../core/base/json.ts';
import { quotedInGerman as quoted } from '../../core/text/quoted-german.ts';
import type { Sentence } from '../../core/tools/sentence.ts';

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const listOf = (files: Json | undefined): readonly Json[] => (Array.isArray(files) ? files : []);
const filesWords = (n: number): string => `${n} ${n === 1 ? 'Datei' : 'Dateien'}`;

export const SKILL_SENTENCES: Readonly<Record<string, Sentence>> = {
  'add-skill': ({ files, trust }) =>
    `Eine Fähigkeit aus ${filesWords(listOf(files).length)} in Kraft setzen${trust === 'owner' ? ' und ihre Worte als eigene zählen' : ''}: ${quoted(
      listOf(files)
        .map((file) => text(Object(file).path))
        .join(', '),
    )}`,
  'edit-skill': ({ skill, file, with: words }) =>
    `Die Fähigkeit ${text(skill)} ändern: in ihre Datei ${quoted(file)} ${quoted(words)} schreiben`,
  'keep-skill-file': ({ text: words }) =>
    words === undefined
      ? 'Ein Stück einer Datei für einen Rechner 30 Tage behalten'
      : `Eine Datei einer Fähigkeit eine Woche behalten: ${quoted(words)}`,
  'read-skill': ({ skill, file }) =>
    `${file === undefined ? '' : `${quoted(file)} aus `}der Fähigkeit ${text(skill)} lesen`,
  'remove-skill': ({ name }) => `Die Fähigkeit ${text(name)} entfernen`,
  'run-skill': ({ skill, tool }) => `Mit ${quoted(tool)} der Fähigkeit ${text(skill)} etwas ausrechnen`,
  'switch-skill-jobs': ({ name, isOn }) =>
    `Die Aufträge der Fähigkeit ${text(name)} ${isOn === true ? 'fortsetzen' : 'pausieren'}`,
};
