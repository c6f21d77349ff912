/** The sentences of these tools in German, as `tools.ts` has them in English. */
import type { Json } from '../../core/base/json.ts';
import { namedInGerman as named, quotedInGerman as quoted } from '../../core/text/quoted-german.ts';
import type { Sentence } from '../../core/tools/sentence.ts';

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const onMachine = (runner: Json | undefined): string => (runner === undefined ? '' : ` auf ${named(text(runner))}`);

export const RUNNER_SENTENCES: Readonly<Record<string, Sentence>> = {
  'edit-file': ({ path, find, replace, runner }) =>
    `In der Datei ${quoted(path)}${onMachine(runner)} ${quoted(find)} durch ${quoted(replace)} ersetzen`,
  'list-files': ({ path, runner }) => `Den Ordner ${quoted(path)}${onMachine(runner)} auflisten`,
  'list-runners': () => 'Die Rechner auflisten',
  'pair-runner': ({ name }) => `Einen Rechner unter dem Namen ${text(name)} koppeln lassen`,
  'pause-runner': ({ name }) => `Den Rechner ${text(name)} pausieren: Er bekommt keine weitere Arbeit`,
  'read-file': ({ path, runner }) => `Die Datei ${quoted(path)}${onMachine(runner)} lesen`,
  'remove-runner': ({ name }) => `Den Rechner ${text(name)} entfernen: Sein Schlüssel gilt nicht mehr`,
  'resume-runner': ({ name }) => `Den Rechner ${text(name)} wieder Arbeit annehmen lassen`,
  'search-files': ({ pattern, path, runner }) =>
    `Nach ${quoted(pattern)} unter ${quoted(path)}${onMachine(runner)} suchen`,
  shell: ({ cmd, folder, skill, runner }) =>
    `${quoted(cmd)}${folder === undefined ? '' : ` in ${quoted(folder)}`}${skill === undefined ? '' : ` mit den Dateien der Fähigkeit ${text(skill)}`}${onMachine(runner)} ausführen`,
  'write-file': ({ path, content, runner }) =>
    `Die Datei ${quoted(path)}${onMachine(runner)} schreiben: ${quoted(content)}`,
};
