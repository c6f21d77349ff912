/** Each tool has a sentence that a person understands, and no argument can forge one. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../lib/base/json.ts';
import { actionSentence } from '../../lib/tools/action-sentence.ts';
import { TOOLS } from '../../lib/tools/catalogue.ts';
import { fc } from '../support/fast-check.ts';

const NOTE = '1a2b3c4d'.repeat(4);
const SHA = 'ab'.repeat(32);
const JOB = {
  name: 'drink-water',
  when: { kind: 'every', minutes: 5, from: 0 },
  work: { kind: 'steps', steps: [{ say: 'drink water' }] },
  to: [{ target: 'telegram', to: '7' }],
  catchUp: { mode: 'skip', minutes: 1, runs: 1 },
  overlap: 'skip',
  spreadSeconds: 0,
  pauseAfter: 0,
  promises: 'nothing',
};

/** The arguments of a call, and what a person reads of it. */
const CALLS: Readonly<Record<string, readonly [args: JsonObject, sentence: string]>> = {
  remember: [{ text: 'my bike is blue' }, 'Keep the note “my bike is blue”'],
  recall: [{ query: 'bike' }, 'Look in memory for “bike”'],
  'list-memory': [{}, 'List the newest notes'],
  'start-project': [{ title: 'The move' }, 'Start the project “The move”'],
  'list-chats': [{}, 'List the paired Telegram chats'],
  'change-setting': [{ name: 'TELEGRAM_APPROVERS', value: '7' }, 'Set TELEGRAM_APPROVERS to 7'],
  'remove-chat': [{ chat: '7' }, 'Remove the paired Telegram chat 7: nothing from it is taken any more'],
  forget: [{ id: NOTE }, 'Forget the note 1a2b3c4d for good, with every mention of it'],
  snapshot: [{ name: 'before' }, "Keep memory's present state under the name “before”"],
  'auto-save': [{}, "Keep memory's present state, if it changed"],
  rollback: [{ to: 4, head: 6, changes: ['a', 'b'] }, 'Take memory back to its state number 4, with 2 changes'],
  revert: [{ signal: 'tg-1-2' }, 'Take back what “tg-1-2” changed in memory'],
  ingest: [{ tree: SHA, nodes: 3 }, 'Take 3 notes from an editor into memory'],
  'ingest-file': [
    { n: 0, hash: SHA, name: 'a.txt' },
    'Keep the text of the file “a.txt” in memory, as words of others',
  ],
  'summarise-session': [{ text: 'They met.' }, 'Keep a summary of this conversation: “They met.”'],
  'current-time': [{}, 'Look at the clock'],
  calculate: [{ expression: '6*7' }, 'Work out “6*7”'],
  'run-code': [{ language: 'javascript', code: '1\n+ 1' }, 'Run this program in the sandbox: “1 ⏎ + 1”'],
  'read-attachment': [{ kind: 'a voice message', file: 'AwAC', seconds: 12 }, 'Read a voice message'],
  'read-output': [{ id: 'x' }, 'Read on in a long result'],
  'add-mcp-server': [
    { server: 'tracker', url: 'https://mcp.example.com/' },
    'Ask the server tracker at “https://mcp.example.com/” which tools it offers',
  ],
  'accept-mcp-server': [
    { server: 'tracker', offer: '3f2a9c1b7d04' },
    'Let in the tools of the server tracker, as shown under 3f2a9c1b7d04',
  ],
  'remove-mcp-server': [{ server: 'tracker' }, 'Take the server tracker and its tools away'],
  'list-mcp-servers': [{}, 'List the servers and their tools'],
  'pair-runner': [{ name: 'home', codeHash: SHA }, 'Let a machine pair under the name home'],
  'pause-runner': [{ name: 'home' }, 'Pause your machine home: it gets no further work'],
  'resume-runner': [{ name: 'home' }, 'Let your machine home take work again'],
  'remove-runner': [{ name: 'home' }, 'Remove your machine home: its key counts no more'],
  'list-runners': [{}, 'List your machines'],
  'add-skill': [
    { files: [{ path: 'SKILL.md', text: 'a' }], trust: 'owner' },
    'Put a skill of 1 file in force, and count its words as yours: “SKILL.md”',
  ],
  'keep-skill-file': [{ text: 'a' }, 'Keep a file of a skill for a week: “a”'],
  'remove-skill': [{ name: 'tea' }, 'Take the skill tea away'],
  'switch-skill-jobs': [{ name: 'tea', isOn: false }, 'Pause the jobs of the skill tea'],
  'read-skill': [{ skill: 'tea', file: 'a.md' }, 'Read “a.md” of the skill tea'],
  'run-skill': [{ skill: 'tea', tool: 'steep', args: {} }, 'Work something out with “steep” of the skill tea'],
  'edit-skill': [
    { skill: 'tea', file: 'SKILL.md', replace: 'a', with: 'b', before: SHA, after: SHA },
    'Change the skill tea: in its file “SKILL.md” write “b”',
  ],
  'look-for-habits': [{}, 'Look for something to offer'],
  'accept-offer': [
    { offer: { kind: 'grant' } },
    'Let what you approved again and again pass without asking, within bounds',
  ],
  'schedule-job': [JOB, 'Every 5 minutes: say “drink water” (job drink-water)'],
  'list-jobs': [{}, 'List the jobs'],
  'pause-job': [{ name: 'tea' }, 'Pause the job tea'],
  'resume-job': [{ name: 'tea' }, 'Resume the job tea'],
  'remove-job': [{ name: 'tea' }, 'Remove the job tea'],
  'run-job': [{ name: 'tea' }, 'Run the job tea once, now'],
  'run-runbook': [
    { runbook: 'deploy-gate', hash: SHA, inputs: { version: '1.2', service: 'shop' }, approveWhole: false },
    'Run the runbook deploy-gate: service “shop”, version “1.2”',
  ],
  'list-runbooks': [{}, 'List the runbooks'],
  'ask-person': [{ question: 'Deploy now?' }, 'Answer yes to the question “Deploy now?”'],
  'give-answer': [{ text: 'yes' }, 'Answer “yes”'],
  'call-webhook': [
    { webhook: 'deploy', body: { version: '1.2', of: { service: 'shop' } } },
    'Call the webhook deploy: of “{"service":"shop"}”, version “1.2”',
  ],
  'fetch-url': [{ url: 'https://example.com/' }, 'Open the page “https://example.com/” and read it'],
  shell: [{ cmd: 'npm test', folder: '/home/me/site', runner: 'home' }, 'Run “npm test” in “/home/me/site” on home'],
  'read-file': [{ path: '/a.txt', runner: 'home' }, 'Read the file “/a.txt” on home'],
  'write-file': [{ path: '/a.txt', content: 'b', runner: 'home' }, 'Write the file “/a.txt” on home: “b”'],
  'edit-file': [
    { path: '/a.txt', find: 'a', replace: 'b', runner: 'home' },
    'In the file “/a.txt” on home write “b” in place of “a”',
  ],
  'list-files': [{ path: '/', runner: 'home' }, 'List the folder “/” on home'],
  'search-files': [{ pattern: 'a+', path: '/', runner: 'home' }, 'Search for “a+” below “/” on home'],
  'tend-memory': [{}, 'Look memory through for what could be tidied up'],
  'mend-memory': [{ mends: [{ kind: 'close', id: NOTE }] }, 'Tidy memory up with 1 change'],
  'gather-turns': [{}, 'Gather the conversations since the last time'],
  'keep-notes': [{ from: 0, until: 1, turns: ['a'], answer: '[]' }, 'Keep notes of 1 message'],
  'pick-notes': [{}, 'Pick a few notes to think about'],
  'keep-insight': [{ text: 'a', notes: [NOTE], isNew: true }, 'Keep the thought “a”, drawn from 1 note'],
  'send-file': [{ to: 'mum', name: 'a.md', content: 'Hello' }, 'Send the file “a.md”: “Hello”'],
  'send-message': [{ to: 'mum', text: 'Hello' }, 'Send this text to mum: “Hello”'],
  'edit-memory': [{ id: NOTE, state: 'DONE' }, 'Change the note 1a2b3c4d: state “DONE”'],
};

/** Words of the program that say nothing to a person. */
const JARGON = /\b(?:args|JSON|null|undefined|tool|target|idempotent|payload)\b/;

const sentenceOf = (tool: string, args: JsonObject): string => actionSentence({ target: 'tool', tool, args });

describe('actionSentence', () => {
  it('names a call of each tool, in a sentence without words of the program', () => {
    expect(Object.fromEntries(TOOLS.map(({ name }) => [name, sentenceOf(name, CALLS[name]?.[0] ?? {})]))).toStrictEqual(
      Object.fromEntries(TOOLS.map(({ name }) => [name, CALLS[name]?.[1]])),
    );
    for (const [name, [, sentence]] of Object.entries(CALLS)) {
      expect(sentence).not.toMatch(JARGON);
      if (name.includes('-')) expect(sentence).not.toContain(name);
      expect(sentence).toMatch(/^[A-Z].*[^.]$/);
    }
  });

  it.each([
    [{ kind: 'once', at: '2026-11-24T09:00', zone: 'Europe/Berlin' }, 'On 2026-11-24 at 09:00 (Europe/Berlin)'],
    [{ kind: 'every', minutes: 60, from: 0 }, 'Every hour'],
    [{ kind: 'every', minutes: 2_880, from: 0 }, 'Every 2 days'],
    [{ kind: 'cron', cron: '0 8 * * 1-5', zone: 'UTC' }, 'At 08:00, Mon–Fri (UTC)'],
    [{ kind: 'cron', cron: '0 8 * * MON-fri', zone: 'UTC' }, 'At 08:00, Mon–Fri (UTC)'],
    [{ kind: 'cron', cron: '*/7 8 * * 1-5', zone: 'UTC' }, 'At the times “*/7 8 * * 1-5” (UTC)'],
    [{ kind: 'event', source: 'ci', event: 'a” done' }, 'At each event “a" done” of the webhook ci'],
    [
      { kind: 'condition', holds: 'facts.approvalsWaiting > 3', minutes: 5, from: 0 },
      'Whenever “facts.approvalsWaiting > 3” becomes true',
    ],
  ])('names the rule of a job: %o', (when, words) => {
    const work = { kind: 'prompt', text: 'Check the deploys' };
    expect(sentenceOf('schedule-job', { ...JOB, when, work })).toBe(
      `${words}: work on “Check the deploys” (job drink-water)`,
    );
  });

  it.each([
    ['---\nname: tea\ndescription: Tea.\n---\n# Tea\n', 'Put the skill tea of 1 file in force'],
    ['---\ndescription: Tea.\nname: "tea"\n---\nname: rum\n', 'Put the skill tea of 1 file in force'],
    ['---\nname: Tea “x”\n---\n', 'Put a skill of 1 file in force'],
    ['name: tea\n', 'Put a skill of 1 file in force'],
  ])('names a skill by its own file: %j', (text, words) => {
    const files = [{ path: 'SKILL.md', text }];
    expect(sentenceOf('add-skill', { files, trust: 'outside' })).toBe(`${words}: “SKILL.md”`);
  });

  it('names each step of a job, and a change of one', () => {
    const steps = [{ say: 'hello' }, { tool: 'call-webhook', args: { webhook: 'shop', body: {} } }];
    const work = { kind: 'steps', steps };
    expect(sentenceOf('schedule-job', { ...JOB, work, replaces: 2 })).toBe(
      'Change the job drink-water. Every 5 minutes: say “hello”, then call the webhook shop',
    );
  });

  it.each([
    [
      { target: 'webhook', tool: 'call-webhook', to: 'deploy', args: { body: { version: '1.2' } } },
      'Call the webhook deploy: version “1.2”',
    ],
    [{ target: 'telegram', to: '7', text: 'hi\nthere' }, 'Send this text to the Telegram chat 7: “hi ⏎ there”'],
    [{ target: 'console', to: 'main', text: 'hi' }, 'Send this text to the console main: “hi”'],
    [
      { target: 'mcp-tracker', tool: 'mcp-tracker-create-issue', args: { title: 'a' } },
      'Use the tool create-issue of the server tracker: title “a”',
    ],
    [
      { target: 'webhook', to: 'mcp-tracker', tool: 'mcp-tracker-list-issues', args: {} },
      'Use the tool list-issues of the server tracker',
    ],
    [{ target: 'tool', tool: 'forget', args: { id: 7 } }, 'Use forget: id “7”'],
    [{ target: 'tool', tool: 'launch-missiles', args: {} }, 'Use launch-missiles'],
  ])('names %o', (action, sentence) => {
    expect(actionSentence(action)).toBe(sentence);
  });

  it('lets no argument close its quotes, add a line or hide', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('a', ' ', '”', '“', '\n', '\r', '\u2028', '\u202e', '\u200b', '»'),
    });
    fc.assert(
      fc.property(hostile, (text) => {
        const sentence = sentenceOf('call-webhook', { webhook: 'shop', body: { a: text, b: text } });
        expect(sentence).toMatch(/^Call the webhook shop: a “[^“”]*”, b “[^“”]*”$/u);
        expect(sentence).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
    expect(sentenceOf('remember', { text: 'pаypal' })).toBe('Keep the note “pаypal [“а” is a Cyrillic letter]”');
  });

  it('cuts a long value, and says how long it is', () => {
    expect(sentenceOf('remember', { text: 'x'.repeat(500) })).toBe(
      `Keep the note “${'x'.repeat(160)}…” (500 characters)`,
    );
  });
});
