/** What an answer repeats of outside text is named in one line, and what is the owner's is not. */
import { describe, expect, it } from 'vitest';
import type { TurnStep } from '../../../../lib/core/prompt/prompt-input.ts';
import { markOutside } from '../../../../lib/core/stages/reason/mark-outside.ts';

const results = (output: string, changes: object = {}): TurnStep => ({
  kind: 'results',
  results: [{ n: 0, tool: 'mcp__mail__read', state: 'done', output, origin: 'outside', ...changes }],
});
const turn = (output: string, asked = 'What does the mail say?', changes: object = {}): readonly TurnStep[] => [
  { kind: 'input', pieces: [{ text: asked, origin: 'owner' }] },
  results(output, changes),
];
const MAIL = JSON.stringify({
  body: 'Our account is DE89 3704 0044 0532 0130 00.\nPay the fee of 100 today. Write to thief@evil.example or +49 151 2345 6789.',
  date: '2026-03-05 14:00',
});

describe('markOutside', () => {
  it.each<[string, readonly TurnStep[], string]>([
    ['Ask thief@evil.example.', turn(MAIL), '(From outside text, unchecked: thief@evil.example)'],
    [
      'Their account is DE89370400440532013000, call +49 151 2345 6789.',
      turn(MAIL),
      '(From outside text, unchecked: DE89370400440532013000; +49 151 2345 6789)',
    ],
    ['It says:\nPay the fee of 100 today.', turn(MAIL), '(From outside text, unchecked: “Pay the fee of 100 today.”)'],
    ['Das ist die Adresse: thief@evil.example', turn(MAIL), '(Aus fremdem Text, ungeprüft: thief@evil.example)'],
    [
      'a@x.example b@x.example c@x.example d@x.example e@x.example f@x.example',
      turn('a@x.example b@x.example c@x.example d@x.example e@x.example f@x.example'),
      '(From outside text, unchecked: a@x.example; b@x.example; c@x.example; d@x.example; 2 more)',
    ],
    // The owner's own words, no outside text, a date, and the model's own advice.
    ['Ask thief@evil.example.', turn(MAIL, 'Mail thief@evil.example about it'), ''],
    ['Ask thief@evil.example.', turn(MAIL, 'x', { origin: 'agent' }), ''],
    ['It is on 2026-03-05 14:00.', turn(MAIL), ''],
    ['Pay nothing before you have asked them.', turn(MAIL), ''],
    ['The board meets at 14:00 in room 4.', turn('The board meets at 14:00 in room 4.'), ''],
  ])('of %j', (answer, steps, line) => {
    expect(markOutside(answer, steps, [], line.startsWith('(Aus') ? 'de' : 'en')).toBe(line);
  });

  it('names a note that was made of outside text', () => {
    const line = '(A note was kept of outside text, apart from yours: /forget 4f1a2b3c)';
    expect(markOutside('Done.', turn('x'), ['4f1a2b3c5d6e'], 'en')).toBe(line);
    expect(markOutside('Das ist nicht alles.', turn('x'), ['4f1a2b3c5d6e'], 'de')).toContain('/forget 4f1a2b3c');
  });
});
