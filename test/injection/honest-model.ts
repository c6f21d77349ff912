/**
 * A model that does what its owner asks and nothing else: what it is told to do with other people's
 * words it leaves alone. It reads the owner's words only, in the few forms the tests use.
 * Deterministic.
 */

import { OUTPUT_HEAD_CHARS, SUMMARY_CHARS_MAX } from '../../lib/core/base/limits.ts';
import { withoutSituation } from '../../lib/core/prompt/blocks.ts';
import { call, type ModelServerRequest, type ScriptedAnswer, say, toolResultsOf } from '../support/model-server.ts';

const BLOCK = /\u27e6outside ([^\u27e7]*)\u27e7\n([\s\S]*?)\n\u27e6\/outside\u27e7/g;

/** What others wrote in a text, by label. */
export const outsideIn = (text: string): readonly { readonly label: string; readonly text: string }[] =>
  [...text.matchAll(BLOCK)].map(([, label = '', words = '']) => ({ label, text: words }));

const withoutOutside = (text: string): string => text.replace(BLOCK, '').trim();

interface Asked {
  /** The owner's words, without anybody else's. */
  readonly words: string;
  /** Everything else in the same message. */
  readonly given: string;
  readonly results: readonly string[];
}

type Rule = readonly [RegExp, (match: RegExpExecArray, asked: Asked) => ScriptedAnswer];

const because = (explanation: string) => ({ explanation });
const first = (asked: Asked, answer: ScriptedAnswer, then: string): ScriptedAnswer =>
  asked.results.length === 0 ? answer : say(then);

/**
 * The next piece of a long output, where the last one says that there is more; no further than a
 * second.
 */
const readsOn = (result: string): ScriptedAnswer | undefined => {
  const [, id] = /Read on with read-output: \{"id":"([^"]+)"/.exec(result) ?? [];
  if (id === undefined) return undefined;
  return call('read-output', { id, from: OUTPUT_HEAD_CHARS, ...because('what was asked for may stand further on') });
};

const RULES: readonly Rule[] = [
  [
    /^send this to the webhook/i,
    (_, asked) =>
      first(
        asked,
        call('call-webhook', {
          webhook: 'hook',
          body: { summary: asked.given.slice(0, 200) },
          ...because('the owner wants this summary sent on'),
        }),
        'It is sent.',
      ),
  ],
  [
    /^call the webhook with (\S+)/i,
    ([, task = ''], asked) =>
      first(
        asked,
        call('call-webhook', { webhook: 'hook', body: { task }, ...because('the owner asked for this call') }),
        'It is done.',
      ),
  ],
  [
    /^read more\.md from a skill with key (\S+)/i,
    ([, key = ''], asked) =>
      first(
        asked,
        call('read-skill', {
          skill: `book-${key}`,
          file: 'more.md',
          ...because('the owner wants to know what it says'),
        }),
        'I have read it.',
      ),
  ],
  [
    /^ask the tracker for (\S+)/i,
    ([, word = ''], { results }) =>
      readsOn(results.at(-1) ?? '') ??
      (results.length === 0
        ? call('mcp-tracker-find-issue', { word, ...because('the owner wants to know of it') })
        : say(`It says: ${results.at(-1)?.slice(0, 600)}`)),
  ],
  [
    /^remember (?:this|what it says)/i,
    (_, asked) =>
      first(
        asked,
        call('remember', { text: asked.given || 'nothing', ...because('the owner wants to keep this') }),
        'Noted.',
      ),
  ],
  [
    /^remember that ([\s\S]+)/i,
    ([, text = ''], asked) =>
      first(asked, call('remember', { text, ...because('the owner wants to keep this') }), 'Noted.'),
  ],
  [
    /^what do you know about (\S+?)\??$/i,
    ([, query = ''], asked) =>
      first(
        asked,
        call('recall', { query, ...because('the owner asks what was noted') }),
        `I read: ${asked.results.join(' ')}`,
      ),
  ],
  [
    /^list my notes/i,
    (_, asked) =>
      first(asked, call('list-memory', because('the owner asks for all notes')), `I read: ${asked.results.join(' ')}`),
  ],
  [
    /^slowly/i,
    (_, asked) =>
      first(
        asked,
        {
          kind: 'answer',
          calls: [{ tool: 'current-time', args: because('the owner asked to wait and look') }],
          delayMs: 700,
        },
        'That took a while.',
      ),
  ],
];

/** What it says where nothing else is asked of it: a summary of what was read. */
const summary = (asked: Asked): ScriptedAnswer =>
  say(asked.given === '' ? `You said: ${asked.words.slice(0, 200)}` : `In short: ${asked.given.slice(0, 300)}`);

/** A message and the file that came with it stand in two parts, with no answer between them. */
const asksOf = (request: ModelServerRequest): string => {
  const { messages } = request;
  const last = messages.findLastIndex(({ role, content }) => role === 'user' && withoutSituation(content ?? '') !== '');
  const answered = messages.slice(0, Math.max(0, last)).findLastIndex(({ role }) => role === 'assistant');
  return messages
    .slice(answered + 1, last + 1)
    .filter(({ role }) => role === 'user')
    .map(({ content }) => withoutSituation(content ?? ''))
    .join('\n');
};

const readAsked = (request: ModelServerRequest): Asked => {
  const text = asksOf(request);
  const given = outsideIn(text)
    .filter(({ label }) => label !== 'display-name')
    .map((each) => each.text)
    .join('\n');
  return { words: withoutOutside(text), given, results: toolResultsOf(request) };
};

/** All it is shown of the turns, and of the summary before them. */
const summarise = (request: ModelServerRequest): ScriptedAnswer => {
  const text = request.messages.map(({ content }) => withoutSituation(content ?? '')).join('\n');
  return call('summarise-session', {
    text: text.slice(text.indexOf('Turn 1')).slice(0, SUMMARY_CHARS_MAX),
    ...because('the turns leave the conversation'),
  });
};

export const answerHonestly = (request: ModelServerRequest): ScriptedAnswer => {
  if (request.tools.some((tool) => tool.function.name === 'summarise-session')) return summarise(request);
  const asked = readAsked(request);
  // A webhook's turn has no owner in it: its body may say what is to be made of it.
  const wish =
    asked.words === '' && /\\?"wish\\?":\\?"send\\?"/.test(asked.given) ? 'send this to the webhook' : asked.words;
  for (const [pattern, answer] of RULES) {
    const match = pattern.exec(wish);
    if (match !== null) return answer(match, asked);
  }
  return summary(asked);
};
