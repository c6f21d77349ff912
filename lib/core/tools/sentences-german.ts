/**
 * The sentence of an action in German, as `action-sentence.ts` makes it in English: by the tool's
 * name, of arguments that fit. A call whose arguments do not fit is named by its fields. Pure.
 */

import { FEATURE_SENTENCES } from '../../features/sentences-german.ts';
import { showPlainly } from '../approvals/show-plainly.ts';
import { type Json, JsonObject } from '../base/json.ts';
import { MEMORY_ID_SHOWN_CHARS } from '../base/limits.ts';
import type { Step, Work } from '../jobs/job.ts';
import { JobArgs } from '../jobs/job.ts';
import { shortRule } from '../jobs/rule-words.ts';
import { DE as JOBS } from '../jobs/texts-german.ts';
import { CHANNELS, CHAT_CHANNELS, chatRoute, findChannel } from '../signal/channels.ts';
import { isMcpTool } from '../signal/mcp-name.ts';
import { fileIn, fileWords } from '../text/file-text.ts';
import { fieldsInGerman, namedInGerman as named, quotedInGerman as quoted } from '../text/quoted-german.ts';
import type { NamedAction } from './action-sentence.ts';
import { findTool } from './catalogue.ts';
import type { Sentence } from './sentence.ts';

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const count = (value: Json | undefined, one: string, many: string): string => {
  const n = Array.isArray(value) ? value.length : Number(value ?? 0);
  return `${n} ${n === 1 ? one : many}`;
};
const note = (id: Json | undefined): string => text(id).slice(0, MEMORY_ID_SHOWN_CHARS);

const stepWords = (step: Step): string =>
  'say' in step ? `${quoted(step.say)} sagen` : callSentence(step.tool, step.args);

const workWords = (work: Work): string => {
  switch (work.kind) {
    case 'prompt':
      return `an ${quoted(work.text)} arbeiten`;
    case 'steps':
      return work.steps.map(stepWords).join(', dann ');
    case 'runbook':
      return `das Runbook ${named(work.runbook)} ausführen${fieldsInGerman(work.inputs)}`;
    default:
      return work satisfies never;
  }
};

const jobSentence = ({ name, when, work, replaces }: JobArgs): string => {
  const rule = shortRule(when, JOBS);
  const words = `${rule.charAt(0).toUpperCase()}${rule.slice(1)}: ${workWords(work)}`;
  return replaces === undefined ? `${words} (Auftrag ${name})` : `Den Auftrag ${name} ändern. ${words}`;
};

/** One for each tool; a test compares it with the catalogue. */
export const SENTENCES: Readonly<Record<string, Sentence>> = {
  ...FEATURE_SENTENCES,
  'add-skill': ({ files, trust }) =>
    `Eine Fähigkeit aus ${count(files, 'Datei', 'Dateien')} in Kraft setzen${trust === 'owner' ? ' und ihre Worte als eigene zählen' : ''}: ${quoted(pathsOf(files))}`,
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
  'edit-skill': ({ skill, file, with: words }) =>
    `Die Fähigkeit ${text(skill)} ändern: in ihre Datei ${quoted(file)} ${quoted(words)} schreiben`,
  'fetch-url': ({ url }) => `Die Seite ${quoted(url)} öffnen und lesen`,
  ingest: ({ nodes }) => `Aus einem Editor ${count(nodes, 'Notiz', 'Notizen')} ins Gedächtnis nehmen`,
  'ingest-file': ({ name }) => `Den Text der Datei ${quoted(name)} ins Gedächtnis nehmen, als Worte anderer`,
  'keep-skill-file': ({ text: words }) =>
    words === undefined
      ? 'Ein Stück einer Datei für einen Rechner 30 Tage behalten'
      : `Eine Datei einer Fähigkeit eine Woche behalten: ${quoted(words)}`,
  'list-chats': () => `Die gekoppelten ${CHAT_CHANNELS}-Chats auflisten`,
  'list-jobs': ({ name }) => (name === undefined ? 'Die Aufträge auflisten' : `Den Auftrag ${quoted(name)} zeigen`),
  'list-memory': () => 'Die neuesten Notizen auflisten',
  'pause-job': ({ name }) => `Den Auftrag ${text(name)} pausieren`,
  'read-output': () => 'In einem langen Ergebnis weiterlesen',
  'read-skill': ({ skill, file }) =>
    `${file === undefined ? '' : `${quoted(file)} aus `}der Fähigkeit ${text(skill)} lesen`,
  recall: ({ query }) => `Im Gedächtnis nach ${quoted(query)} suchen`,
  remember: ({ text: words }) => `Die Notiz ${quoted(words)} behalten`,
  'remove-chat': ({ chat }) =>
    `Den gekoppelten ${CHANNELS[chatRoute(text(chat)).target].name}-Chat ${text(chat)} entfernen: Von ihm wird nichts mehr angenommen`,
  'remove-job': ({ name }) => `Den Auftrag ${text(name)} entfernen`,
  'remove-skill': ({ name }) => `Die Fähigkeit ${text(name)} entfernen`,
  'resume-job': ({ name }) => `Den Auftrag ${text(name)} fortsetzen`,
  revert: ({ signal, commit }) =>
    `Zurücknehmen, was ${commit === undefined ? quoted(signal) : `Stand ${text(commit)}`} im Gedächtnis geändert hat`,
  rollback: ({ to, changes }) =>
    `Das Gedächtnis auf Stand ${text(to)} zurücksetzen, mit ${count(changes, 'Änderung', 'Änderungen')}`,
  'run-code': ({ code }) => `Dieses Programm in der Sandbox ausführen: ${quoted(code)}`,
  'run-job': ({ name }) => `Den Auftrag ${text(name)} jetzt einmal ausführen`,
  'run-skill': ({ skill, tool }) => `Mit ${quoted(tool)} der Fähigkeit ${text(skill)} etwas ausrechnen`,
  'schedule-job': (args) => jobSentence(JobArgs.parse(args)),
  'send-file': ({ name, content, output = '' }) => `Die Datei ${quoted(name)} senden: ${quoted(content ?? output)}`,
  'send-message': ({ to, text: words }) => `Diesen Text an ${named(text(to))} senden: ${quoted(words)}`,
  snapshot: ({ name }) =>
    `Den jetzigen Stand des Gedächtnisses behalten${name === undefined ? '' : `, unter dem Namen ${quoted(name)}`}`,
  'start-project': ({ title }) => `Das Projekt ${quoted(title)} beginnen`,
  'summarise-session': ({ text: words }) => `Eine Zusammenfassung dieses Gesprächs behalten: ${quoted(words)}`,
  'switch-skill-jobs': ({ name, isOn }) =>
    `Die Aufträge der Fähigkeit ${text(name)} ${isOn === true ? 'fortsetzen' : 'pausieren'}`,
};

const pathsOf = (files: Json | undefined): string =>
  (Array.isArray(files) ? files : []).map((file) => text(Object(file).path)).join(', ');

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
  return (fits ? SENTENCES[tool]?.(args) : undefined) ?? `${named(tool)} benutzen${fieldsInGerman(args)}`;
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
