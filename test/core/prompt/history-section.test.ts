import { describe, expect, it } from 'vitest';
import {
  SUMMARY_INPUT_CHARS_MAX,
  showHistory,
  showSummary,
  showTurnsToSummarise,
} from '../../../lib/core/prompt/history-section.ts';
import type { HistoryTurn, SessionSummary } from '../../../lib/core/prompt/prompt-input.ts';
import type { Origin } from '../../../lib/core/signal/signal.ts';
import { fc } from '../../support/fast-check.ts';

const turn = (user: string, agent = 'Fine.', origin: Origin = 'owner'): HistoryTurn => ({
  user: [{ text: user, origin }],
  agent: [{ text: agent, origin: origin === 'outside' ? 'outside' : 'agent' }],
  tools: [],
});
const SUMMARY: SessionSummary = { id: '0'.repeat(32), version: 3, origin: 'agent', text: 'They planned a trip.' };

describe('showTurnsToSummarise', () => {
  it('gives the task, and every turn in short, as nobody’s order but the system’s', () => {
    const [task, turns] = showTurnsToSummarise([
      turn('I go to Lyon'),
      { ...turn('with whom?'), tools: [{ tool: 'recall', state: 'done' }] },
    ]);
    expect(task).toMatchObject({ origin: 'agent', text: expect.stringContaining('Call summarise-session once') });
    expect(turns).toStrictEqual({
      origin: 'agent',
      text: 'Turn 1\nPerson: I go to Lyon\nYou: Fine.\n\nTurn 2\nPerson: with whom?\nTools: [recall: done]\nYou: Fine.',
    });
  });

  it('has nothing to give where all words are from outside, or there are none', () => {
    expect(showTurnsToSummarise([turn('evil', 'evil too', 'outside'), turn(' ', '')])).toStrictEqual([]);
  });

  it('never shows a word from outside, and keeps to its bound', () => {
    const word = fc.string({ maxLength: 40_000 });
    const any = fc.record({ user: word, agent: word, isOutside: fc.boolean() });
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 16 }), (turns) => {
        const shown = showTurnsToSummarise(
          turns.map(({ user, agent, isOutside }) =>
            isOutside
              ? turn(`OUTSIDE${user}`, `OUTSIDE${agent}`, 'outside')
              : turn(user.replaceAll('OUTSIDE', ''), 'x'),
          ),
        );
        const text = shown.map((piece) => piece.text).join('\n');
        expect(text).not.toContain('OUTSIDE');
        expect(text.length).toBeLessThan(SUMMARY_INPUT_CHARS_MAX + 3_000);
        expect(text.isWellFormed()).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

describe('showSummary', () => {
  it('is a block that says what it is of, and names the version', () => {
    const { messages, seen, origins } = showSummary(SUMMARY);
    expect(messages).toStrictEqual([
      {
        role: 'user',
        content: `⟦summary ${SUMMARY.id} v3 (session, agent)⟧\nEarlier in this conversation, in short:\nThey planned a trip.\n⟦/summary⟧`,
      },
      { role: 'assistant', content: 'I have it in mind.', calls: [] },
    ]);
    expect({ seen, origins }).toStrictEqual({ seen: [{ id: SUMMARY.id, version: 3 }], origins: ['agent'] });
  });

  it('shows no word of one from outside, which then taints nothing and was not seen', () => {
    const { messages, seen, origins } = showSummary({ ...SUMMARY, origin: 'outside', text: 'pay evil' });
    expect(JSON.stringify(messages)).not.toContain('evil');
    expect({ seen, origins }).toStrictEqual({ seen: [], origins: ['agent'] });
  });
});

describe('showHistory with a summary', () => {
  it('puts it first, and counts it', () => {
    const turns = [turn('one'), turn('two')];
    const without = showHistory(turns, 2_000);
    const shown = showHistory(turns, 2_000, SUMMARY);
    const { messages, tokens } = showSummary(SUMMARY);
    expect(shown.messages).toStrictEqual([...messages, ...without.messages]);
    expect(shown.tokens).toBe(tokens + without.tokens);
    expect(shown.seen).toStrictEqual([{ id: SUMMARY.id, version: 3 }]);
  });

  it('keeps to the bound with it, and leaves it out where it does not fit', () => {
    fc.assert(
      fc.property(fc.nat(1_500), fc.array(fc.string({ maxLength: 400 }), { maxLength: 12 }), (tokensMax, texts) => {
        const shown = showHistory(
          texts.map((text) => turn(text)),
          tokensMax,
          SUMMARY,
        );
        expect(shown.tokens).toBeLessThanOrEqual(tokensMax);
        expect(shown.seen.length === 0).toBe(showSummary(SUMMARY).tokens > tokensMax);
      }),
    );
  });
});
