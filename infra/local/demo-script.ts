/**
 * The script of the demo model, a tour for newcomers: an answer, memory, a webhook that waits for
 * approval, and a leak that gates block. Pure.
 */

import type { JsonObject } from '../../lib/core/base/json.ts';
import { DAY_MS } from '../../lib/core/base/limits.ts';
import { hasRejection, reasonsOfRejection, withoutSituation } from '../../lib/core/prompt/blocks.ts';
import { CLOSE, OPEN, withoutMarks } from '../../lib/core/text/block-marks.ts';

export interface DemoMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  /** Tools this (assistant) message called. */
  readonly tools: readonly string[];
}

interface DemoCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly explanation: string;
}

/** A text, or a call instead of one. */
export interface DemoAnswer {
  readonly text: string;
  readonly call?: DemoCall;
}

const LABEL = '[demo model]';

const say = (text: string): DemoAnswer => ({ text: `${LABEL} ${text}` });
const propose = (tool: string, args: JsonObject, explanation: string): DemoAnswer => ({
  text: '',
  call: { tool, args, explanation: `${LABEL} ${explanation}` },
});

/** Looks like an AWS key. Joined here, so that the source holds no form of a secret. */
const fakeKey = (): string => ['AK', 'IA', 'DEMO'.repeat(4)].join('');

const TOUR = `I am a script that shows the pipeline; set OPENAI_API_KEY or run Ollama for a real model. Say one of these:
– remember that my bike is blue
– what do you remember about my bike?
– what time is it?
– every 10 minutes say drink water (a job; it asks you first)
– call the webhook deploy (asks you, too)
– run ls -l (on a machine that you paired)
– leak the key (the gates block it)`;

interface DemoRule {
  readonly pattern: RegExp;
  /** @param today `2026-11-24`, on the owner's clock */
  readonly answer: (match: RegExpExecArray, today: string) => DemoAnswer;
}

const trimEnd = (text: string): string => text.trim().replace(/[.?!]+$/, '');

const SUMMARY_CHARS = 1_500;

/** The person's words in the turns to be summarised, in order. */
const shortOf = (turns: string): string => {
  const said = [...turns.matchAll(/^Person: (.*)$/gm)].map(([, words = '']) => trimEnd(words));
  return `The person said: ${said.join('; ')}`.slice(0, SUMMARY_CHARS).toWellFormed();
};

/** `8` or `17:30`, with hour and minute as groups. */
const TIME = String.raw`([01]?\d|2[0-3])(?::([0-5]\d))?`;
const DAILY = new RegExp(String.raw`^\s*(?:please\s+)?every\s+(week)?day\s+at\s+${TIME}\s+(.+)`, 'is');
const TOMORROW = new RegExp(
  String.raw`^\s*(?:please\s+)?remind\s+me\s+tomorrow\s+at\s+${TIME}(?:\s+(?:to|of|about)\s+(.+))?\s*[.!]?\s*$`,
  'is',
);
const SAYS = /^(?:say|tell me(?: to)?|remind me (?:to|of))\s+(.+)/is;

const dayAfter = (day: string): string => new Date(Date.parse(`${day}T00:00Z`) + DAY_MS).toISOString().slice(0, 10);

/** First match wins. */
const RULES: readonly DemoRule[] = [
  {
    pattern: /^Task of the system: [^\n]*summarise-session[^\n]*\n([\s\S]+)/,
    answer: (match) =>
      propose('summarise-session', { text: shortOf(match[1] ?? '') }, 'The system asked for a summary.'),
  },
  {
    pattern: /^\s*(?:please\s+)?(?:remember\s+(?:that\s+)?|merk dir,?\s+(?:dass\s+)?)(.+)/is,
    answer: (match) => propose('remember', { text: trimEnd(match[1] ?? '') }, 'The owner asked me to remember this.'),
  },
  {
    pattern: /^\s*(?:please\s+)?(?:every|alle)\s+(\d{1,4})?\s*min(?:ute)?[ns]?\s+(?:say|sag|remind me to)\s+(.+)/is,
    answer: (match) => {
      const words = trimEnd(match[2] ?? '');
      const job = { name: words, every: `${match[1] ?? 1}m`, steps: [{ say: words }] };
      return propose('schedule-job', job, 'The owner asked to be told this again and again.');
    },
  },
  {
    pattern: DAILY,
    answer: ([, week, hour, minute = '0', rest]) => {
      const cron = `${Number(minute)} ${Number(hour)} * * ${week === undefined ? '*' : '1-5'}`;
      const task = trimEnd(rest ?? '');
      const words = SAYS.exec(task)?.[1];
      const work = words === undefined ? { prompt: task } : { steps: [{ say: words }] };
      return propose('schedule-job', { name: words ?? task, cron, ...work }, 'The owner asked for this on these days.');
    },
  },
  {
    pattern: TOMORROW,
    answer: ([, hour = '', minute = '00', words], today) => {
      const at = `${dayAfter(today)}T${hour.padStart(2, '0')}:${minute}`;
      const steps = [{ say: words === undefined ? 'You wanted to be reminded now.' : trimEnd(words) }];
      const name = words === undefined ? 'reminder' : trimEnd(words);
      return propose('schedule-job', { name, at, steps }, 'The owner asked to be reminded then.');
    },
  },
  {
    pattern: /^\s*(?:please\s+)?run\s+(\S.*)/i,
    answer: (match) => propose('shell', { cmd: (match[1] ?? '').trim() }, 'The owner asked to run this command.'),
  },
  {
    pattern:
      /\b(?:leak|steal|exfiltrate|reveal)\b|\b(?:send|show|tell|give|post|print)\b.*\b(?:passwords?|secrets?|tokens?|keys?)\b/i,
    answer: () => say(`Here is the key you asked for: ${fakeKey()}`),
  },
  {
    pattern: /^\s*(?:please\s+)?forget\s+([\w-]+)\s*$/i,
    answer: (match) => propose('forget', { id: match[1] ?? '' }, 'The owner asked me to forget this object.'),
  },
  {
    pattern: /\b(?:list|show)\b.*\bmemor(?:y|ies)\b|^\s*what do you (?:remember|know)(?: about me)?\s*\??\s*$/i,
    answer: () => propose('list-memory', {}, 'The owner asked what is in memory.'),
  },
  {
    pattern: /\b(?:recall|(?:remember|know)\s+about)\s+(.+)/is,
    answer: (match) => propose('recall', { query: subject(match[1]) }, 'The owner asked for something remembered.'),
  },
  {
    pattern:
      /^\s*(?:what|which|who|where|when)(?:'s|\s+is|\s+are|\s+was)?\s+(?:the\s+)?(?:(?:colou?r|name)\s+(?:of\s+)?)?(?:is\s+)?my\s+(.+)/is,
    answer: (match) => propose('recall', { query: subject(match[1]) }, 'The answer may be in memory.'),
  },
  {
    pattern: /\bwebhook\s+(?:called\s+|named\s+)?["']?([a-z0-9][a-z0-9-]*)|\b(webhook|deploy)\b/i,
    answer: (match) =>
      propose(
        'call-webhook',
        { webhook: (match[1] ?? 'deploy').toLowerCase(), body: { event: 'deploy', from: 'demo' } },
        'The owner asked for this webhook to be called.',
      ),
  },
  {
    pattern: /\b(?:what|current)\b.*\b(?:time|date|day)\b/i,
    answer: () => propose('current-time', {}, 'The owner asked for the time.'),
  },
  {
    pattern: /\b(?:can|could|do|are) you\b/i,
    answer: () => say(TOUR),
  },
  {
    pattern: /^\s*(?:when|where|who|what|which)\b(.+)/is,
    answer: (match) => propose('recall', { query: subject(match[1]) }, 'The answer may be in memory.'),
  },
  {
    pattern: /\b(?:hi|hello|hey|good (?:morning|evening|day))\b/i,
    answer: () => say(`Hello! ${TOUR}`),
  },
];

/** The file that a command such as `python3 report.py` runs. */
const SCRIPT = /[\w./~+-]+\.(?:py|[cm]?[jt]s|sh|rb|pl)\b/;

/** `my bike is?` → `bike`: what to look for in memory. */
const subject = (text: string | undefined): string =>
  trimEnd(text ?? '')
    .replace(/^(?:my|the|our)\s+/i, '')
    .replace(/\s+(?:is|are)$/i, '');

const AFTER: Readonly<Record<string, string>> = {
  remember: 'Noted.',
  recall: 'This is what I found in memory:',
  'list-memory': 'This is in memory:',
  forget: 'About forgetting it:',
  'schedule-job': 'About the job:',
  'current-time': 'The time is:',
  'call-webhook': 'About the webhook call:',
  shell: 'Your machine says:',
};

const NOTE = /^\{.*"text":("(?:[^"\\]|\\.)*")\}$/;

/** A tool's result as a person would say it: without its state, memory objects as their text. */
const plainResult = (content: string): string =>
  withoutMarks(content)
    .trim()
    .replace(/^state: done\n/, '')
    .split('\n')
    .map((line) => {
      const note = NOTE.exec(line.trim())?.[1];
      return note === undefined ? line : `– ${String(JSON.parse(note))}`;
    })
    .join('\n');

/** An action that was denied, expired or refused: nobody else has said anything. */
const REFUSED = /^state: refused\n([^\n]+)/m;

const fromResults = (messages: readonly DemoMessage[]): DemoAnswer => {
  const tools = messages.flatMap((message) => message.tools);
  const last = messages.slice(messages.findLastIndex((message) => message.tools.length > 0) + 1);
  const results = last.filter((message) => message.role === 'tool').map((message) => plainResult(message.content));
  const intro = AFTER[tools.at(-1) ?? ''] ?? 'The result:';
  // Only the note's id follows, which nobody needs.
  return say(intro === AFTER.remember ? intro : `${intro}\n${results.join('\n')}`);
};

/** Lines about a message that the stack wrote beside its words, such as who sent it. */
const NOTES = [
  /^\[(?:an approver wrote this|an earlier message was edited|this answers your earlier message)\b[\s\S]*?\]$/gm,
  new RegExp(`${OPEN}outside display-name${CLOSE}\n[^\n]*\n${OPEN}/outside${CLOSE}`, 'gu'),
];

const wordsOf = (content: string): string =>
  withoutMarks(NOTES.reduce((rest, note) => rest.replace(note, ''), withoutSituation(content))).trim();

/** The day that the prompt names. */
const dayOf = (messages: readonly DemoMessage[]): string => {
  const system = messages.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n');
  return /^Today is \w+ (\d{4}-\d\d-\d\d)/m.exec(system)?.[1] ?? '1970-01-01';
};

/** `messages` is the whole conversation, as a provider sees it. */
export const buildDemoAnswer = (messages: readonly DemoMessage[]): DemoAnswer => {
  const start = messages.findLastIndex(
    (message) => message.role === 'user' && withoutSituation(message.content) !== '',
  );
  const turn = messages.slice(Math.max(0, start));
  const words = wordsOf(turn[0]?.content ?? '');
  const result = turn.findLast(({ role }) => role === 'tool');
  const caller = turn.findLast(({ tools }) => tools.length > 0);
  const isScriptRead = caller?.tools.at(-1) === 'read-file' && result?.content.startsWith('state: done');
  const said = turn.findLast(({ content }) => withoutSituation(content) !== '')?.content ?? '';
  const refused = REFUSED.exec(withoutMarks(said))?.[1];
  if (refused !== undefined) return say(`That was not done: ${refused}.`);
  if (turn.some((message) => message.role === 'tool') && !isScriptRead) return fromResults(turn);
  for (const { pattern, answer } of RULES) {
    const match = pattern.exec(words);
    if (match === null) continue;
    const proposed = answer(match, dayOf(messages));
    // The script repeats a leak, to show that three attempts are the end.
    const last = messages.at(-1)?.content ?? '';
    if (proposed.call === undefined || !hasRejection(last)) return proposed;
    const script = last.includes('call read-file') ? SCRIPT.exec(words)?.[0] : undefined;
    if (script !== undefined) return propose('read-file', { path: script }, 'A script is read before it runs.');
    if (last.includes('no machine is paired'))
      return say('No machine is paired. `npx passepartout runners pair home` pairs one.');
    return say(['The gates refused what I proposed. `/why` shows the trace.', ...reasonsOfRejection(last)].join('\n'));
  }
  return say(TOUR);
};
