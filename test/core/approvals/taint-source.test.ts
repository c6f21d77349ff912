/** A taint source names the origin of outside text, and nothing else of it. */
import { describe, expect, it } from 'vitest';
import { TAINT_SOURCE_CHARS_MAX, taintSource } from '../../../lib/core/approvals/taint-source.ts';
import type { ActionResult, Payload } from '../../../lib/core/signal/signal.ts';
import { ownerText, signalWith } from './samples.ts';

const result = (changes: Partial<ActionResult>): ActionResult => ({
  n: 0,
  state: 'done',
  output: 'secret words',
  origin: 'outside',
  ...changes,
});
const results = [
  result({ tool: 'fetch-url' }),
  result({ tool: 'recall', origin: 'owner' }),
  result({ tool: 'call-webhook' }),
  result({}),
  result({ tool: 'fetch-url' }),
];
const outputs = 'output of an action, output of call-webhook, output of fetch-url';
const text = [
  { text: 'mine', origin: 'owner' as const, label: 'not this' },
  { text: 'theirs', origin: 'outside' as const, label: 'forward' },
  { text: 'theirs too', origin: 'outside' as const },
];

describe('taintSource', () => {
  it.each<readonly [string, Payload, string]>([
    ['a webhook', { sensor: 'webhook', source: 'shop', event: 'order', body: {}, text: [] }, 'webhook shop'],
    ['what tools gave', { sensor: 'tool-output', results }, outputs],
    ['what failing tools gave', { sensor: 'tool-error', results }, outputs],
    ['what came of an approval', { sensor: 'approval-decided', decision: 'denied', n: 0, results }, outputs],
    ['pieces of a message', { sensor: 'chat-message', text }, 'forward, message of another'],
    [
      'a message of a member of a group',
      {
        sensor: 'chat-message',
        text: [
          { text: 'Ann', origin: 'outside', label: 'display-name' },
          { text: 'deploy', origin: 'outside', label: 'member' },
        ],
      },
      "a member's message, a person's name",
    ],
    ['pieces of an input', { sensor: 'chat-message', text }, 'forward, message of another'],
    ['anything else', { sensor: 'interrupt' }, 'earlier text in telegram:7'],
  ])('names %s', (_name, payload, expected) => {
    expect(taintSource(signalWith(payload), {})).toBe(expected);
  });

  it('names the conversation where nothing of the signal is from outside', () => {
    expect(taintSource(ownerText(), {})).toBe('earlier text in telegram:7');
  });

  it('names a note from outside that was shown, beside what the signal itself holds', () => {
    const seen = [
      { id: 'own', version: 1 },
      { id: 'mail', version: 2, origin: 'outside' as const },
    ];
    const note = 'a note from outside that was shown in telegram:7';
    expect(taintSource(ownerText(), { seen })).toBe(note);
    expect(taintSource(signalWith({ sensor: 'tool-output', results }), { seen })).toBe(`${note}, ${outputs}`);
    expect(taintSource(ownerText(), { seen: seen.slice(0, 1) })).toBe('earlier text in telegram:7');
  });

  it('is never longer than a card has room for', () => {
    const long = Array.from({ length: 60 }, (_, n) => result({ tool: `tool-${n}` }));
    expect(taintSource(signalWith({ sensor: 'tool-output', results: long }), {})).toHaveLength(TAINT_SOURCE_CHARS_MAX);
  });
});
