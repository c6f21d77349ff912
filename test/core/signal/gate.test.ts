/** A trace as it is stored and read back, and what a list of gates tells about itself. */
import { describe, expect, it } from 'vitest';
import { GATES } from '../../../lib/core/gates/engine/gate-set.ts';
import { Trace } from '../../../lib/core/signal/gate.ts';

describe('Trace', () => {
  it('reads a bare name as a pass without a word', () => {
    const asked = { gate: 'permissions', verdict: 'ask', reason: 'a person must see this' };
    expect(Trace.parse(['kill-switch', asked])).toStrictEqual([
      { gate: 'kill-switch', verdict: 'pass', reason: '' },
      asked,
    ]);
  });

  it.each(['pass', 'modify', 'ask', 'block'])('reads the verdict %s', (verdict) => {
    const entry = { gate: 'network', verdict, reason: 'why' };
    expect(Trace.parse([entry])).toStrictEqual([entry]);
  });

  it.each([
    [[{ gate: 'network', verdict: 'approve', reason: '' }]],
    [[{ gate: 'network', verdict: 'pass' }]],
    [[{ gate: 'network', verdict: 'pass', reason: '', isApproved: true }]],
    [[5]],
    ['network'],
  ])('refuses %j', (stored) => {
    expect(Trace.safeParse(stored).success).toBe(false);
  });
});

describe('GATES', () => {
  it.each(GATES.map(({ name, stops }) => [name, stops]))('says what %s stops, in one line', (_name, stops) => {
    expect(stops).toMatch(/^[^.\n]{20,120}$/);
  });
});
