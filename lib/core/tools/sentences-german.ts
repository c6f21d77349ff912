/**
 * The sentence of an action in German, as `action-sentence.ts` makes it in English: by the tool's
 * name, of arguments that fit. A call whose arguments do not fit is named by its fields. Pure.
 */

import { FEATURE_SENTENCES } from '../../features/sentences-german.ts';
import { showPlainly } from '../approvals/show-plainly.ts';
import { type Json, JsonObject } from '../base/json.ts';
import { MEMORY_ID_SHOWN_CHARS } from '../base/limits.ts';
import { CHANNELS, chatRoute, findChannel } from '../signal/channels.ts';
import { isMcpTool } from '../signal/mcp-name.ts';
import { fileIn, fileWords } from '../text/file-text.ts';
import { fieldsInGerman, namedInGerman as named, quotedInGerman as quoted } from '../text/quoted-german.ts';
import type { NamedAction } from './action-sentence.ts';
import { findTool } from './catalogue.ts';
import { findSource } from './recall.ts';
import type { Sentence } from './sentence.ts';

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const count = (value: Json | undefined, one: string, many: string): string => {
  const n = Array.isArray(value) ? value.length : Number(value ?? 0);
  return `${n} ${n === 1 ? one : many}`;
};
const note = (id: Json | undefined): string => text(id).slice(0, MEMORY_ID_SHOWN_CHARS);

/** One for each tool; a test compares it with the catalogue. */
export const SENTENCES: Readonly<Record<string, Sentence>> = {
  ...FEATURE_SENTENCES,
  'propose-plan': ({ steps }) =>
    `In dieser Aufgabe ohne Frage erlauben: ${(Array.isArray(steps) ? steps : [])
      .map((step: Json, n) => {
        const { tool = '', args = {}, times } = JsonObject.safeParse(step).data ?? {};
        const call = callSentence(text(tool), JsonObject.safeParse(args).data ?? {});
        return `${n + 1}. ${call}${times ? ` (bis zu ${text(times)}-mal)` : ''}`;
      })
      .join('; ')}`,
  'auto-save': () => 'Den jetzigen Stand des Gedächtnisses behalten, falls er sich geändert hat',
  calculate: ({ expression }) => `Ausrechnen: ${quoted(expression)}`,
  'change-setting': ({ name, value }) => `${text(name)} auf ${text(value) || 'den Wert der Umgebung'} setzen`,
  'current-time': () => 'Auf die Uhr sehen',
  'edit-memory': ({ id, version: _version, ...change }) => `Die Notiz ${note(id)} ändern${fieldsInGerman(change)}`,
  ingest: ({ nodes, isGone }) =>
    isGone === true
      ? 'Ein Dokument aus dem Gedächtnis nehmen, dessen Datei weg ist; seine älteren Fassungen bleiben'
      : `Aus einem Editor ${count(nodes, 'Notiz', 'Notizen')} ins Gedächtnis nehmen`,
  'ingest-file': ({ name }) => `Den Text der Datei ${quoted(name)} ins Gedächtnis nehmen, als Worte anderer`,
  'list-chats': () => 'Die gekoppelten Chats auflisten',
  'list-memory': () => 'Die neuesten Notizen auflisten',
  'read-output': () => 'In einem langen Ergebnis weiterlesen',
  recall: ({ query, source }) => `${findSource(source)?.place.de ?? 'Im Gedächtnis'} nach ${quoted(query)} suchen`,
  remember: ({ text: words }) => `Die Notiz ${quoted(words)} behalten`,
  'remove-chat': ({ chat }) =>
    `Den gekoppelten ${CHANNELS[chatRoute(text(chat)).target].name}-Chat ${text(chat)} entfernen: Von ihm wird nichts mehr angenommen`,
  revert: ({ signal, commit }) =>
    `Zurücknehmen, was ${commit === undefined ? quoted(signal) : `Stand ${text(commit)}`} im Gedächtnis geändert hat`,
  rollback: ({ to, changes }) =>
    `Das Gedächtnis auf Stand ${text(to)} zurücksetzen, mit ${count(changes, 'Änderung', 'Änderungen')}`,
  'run-code': ({ code }) => `Dieses Programm in der Sandbox ausführen: ${quoted(code)}`,
  'send-file': ({ name, content, output = '' }) => `Die Datei ${quoted(name)} senden: ${quoted(content ?? output)}`,
  'send-message': ({ to, text: words }) => `Diesen Text an ${named(text(to))} senden: ${quoted(words)}`,
  snapshot: ({ name }) =>
    `Den jetzigen Stand des Gedächtnisses behalten${name === undefined ? '' : `, unter dem Namen ${quoted(name)}`}`,
  'start-project': ({ title }) => `Das Projekt ${quoted(title)} beginnen`,
  'summarise-session': ({ text: words }) => `Eine Zusammenfassung dieses Gesprächs behalten: ${quoted(words)}`,
};

const placeInGerman = (target: string): string =>
  findChannel(target)?.wordsInGerman ?? (target === 'system' ? 'das Protokoll' : named(target));

const textSentence = (words: string | undefined, to: string): string => {
  const file = fileIn(words);
  if (file !== undefined) return `Die Datei ${fileWords(file)} an ${to} senden`;
  return `Diesen Text an ${to} senden${words === undefined ? '' : `: ${quoted(words)}`}`;
};

const callSentence = (tool: string, args: JsonObject): string => {
  if (isMcpTool(tool)) {
    const [, server = '', ...words] = tool.split('-');
    return `Das Werkzeug ${words.join('-')} des Servers ${server} benutzen${fieldsInGerman(args)}`;
  }
  const fits = findTool(tool)?.sentence(args, () => '') !== undefined;
  return (fits ? SENTENCES[tool]?.(args, callSentence) : undefined) ?? `${named(tool)} benutzen${fieldsInGerman(args)}`;
};

export const sentenceInGerman = (action: NamedAction): string => {
  const { target, tool, to, text: words, args = {} } = action;
  if (tool === undefined)
    return showPlainly(
      textSentence(words, [placeInGerman(target), ...(to === undefined ? [] : [named(to)])].join(' ')),
    );
  const isCall = target === 'webhook' && !isMcpTool(tool) && to !== undefined;
  return showPlainly(callSentence(tool, isCall ? { webhook: to, ...args } : args));
};
