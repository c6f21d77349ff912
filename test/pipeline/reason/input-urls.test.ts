/** Which URLs count as read: what people and tools said, never what the agent wrote itself. */
import { describe, expect, it } from 'vitest';
import { inputUrls } from '../../../lib/pipeline/reason/input-urls.ts';

const piece = (text: string) => ({ text, origin: 'outside' as const });

describe('inputUrls', () => {
  it('takes them from inputs, results, waiting messages and earlier inputs, and not from answers', () => {
    const found = inputUrls({
      steps: [
        { kind: 'input', pieces: [piece('see https://a.example/1')] },
        {
          kind: 'answer',
          text: 'https://own.example/1',
          origin: 'outside',
          calls: [{ callId: 'c', tool: 'recall', args: { query: 'https://own.example/2' }, explanation: 'x' }],
        },
        { kind: 'results', results: [{ n: 0, state: 'done', output: 'https://b.example/2', origin: 'outside' }] },
      ],
      mailbox: [[piece('https://c.example/3')]],
      history: [
        {
          user: [piece('https://d.example/4')],
          agent: [{ text: 'https://own.example/3', origin: 'outside' }],
          tools: [],
        },
      ],
    });
    expect([...found].sort()).toStrictEqual(
      ['a.example/1', 'b.example/2', 'c.example/3', 'd.example/4'].map((rest) => `https://${rest}`),
    );
  });

  it('ends a URL where a line ends, also inside a string of JSON', () => {
    const body = JSON.stringify({ text: 'failed: https://ci.example/7\nPlease look.\thttps://ci.example/8\r\n' });
    const found = inputUrls({ steps: [{ kind: 'input', pieces: [piece(body)] }], mailbox: [], history: [] });
    expect(found.has('https://ci.example/7')).toBe(true);
    expect(found.has('https://ci.example/8')).toBe(true);
  });
});
