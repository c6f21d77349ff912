import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Step } from '../../../lib/features/jobs/job.ts';
import { sha256Of } from '../../../lib/features/runbooks/begin-run.ts';
import { fillArgs, fillText } from '../../../lib/features/runbooks/fill-template.ts';
import { parseRunbook } from '../../../lib/features/runbooks/parse-runbook.ts';
import { asRunbook } from '../../../lib/features/runbooks/steps-runbook.ts';

/** The steps as a run performs them. */
const performed = (steps: readonly Step[]): readonly unknown[] => {
  const { text = '', inputs, hash, runbook: name } = asRunbook('morning', { kind: 'steps', steps: [...steps] });
  expect([name, hash]).toStrictEqual(['morning', sha256Of(text)]);
  const parsed = parseRunbook(name, text, undefined, 'steps');
  if (parsed.kind === 'problems') throw new Error(JSON.stringify(parsed.problems));
  const scope = { inputs, steps: {} };
  return parsed.runbook.steps.map((step) => {
    const filled =
      step.kind === 'text' ? fillText(step.text, scope) : step.kind === 'call' ? fillArgs(step.call.args, scope) : step;
    const value = filled.kind === 'value' ? filled.value : filled;
    return step.kind === 'call' ? { tool: step.call.tool, args: value } : { say: value };
  });
};

describe('asRunbook', () => {
  it('gives steps that do and say the same, whatever their words are', () => {
    const words = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc
        .array(
          fc.constantFrom(
            '{',
            '}',
            '{{',
            '}}',
            'inputs.open',
            'a b',
            '"',
            '\\',
            '\n',
            '#',
            ': ',
            '\u200b',
            '\u{e0061}',
          ),
        )
        .map((parts) => parts.join('')),
    );
    const step = fc.oneof(
      fc.record({ say: words.map((text) => `x${text}`) }),
      fc.record({
        tool: fc.constantFrom('recall', 'call-webhook', 'run-runbook', 'mcp-shop-buy'),
        args: fc.dictionary(fc.string({ minLength: 1, maxLength: 9 }), fc.oneof(words, fc.integer(), fc.array(words)), {
          noNullPrototype: true,
        }),
      }),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
        expect(performed(steps)).toStrictEqual(JSON.parse(JSON.stringify(steps)));
      }),
    );
  });

  it('gives the same text and hash each time, and leaves a runbook as it is', () => {
    const steps = [{ say: 'Hello' }, { tool: 'recall', args: { query: 'bike' } }];
    const [one, other] = [0, 1].map(() => asRunbook('morning', { kind: 'steps', steps: structuredClone(steps) }));
    expect(one).toStrictEqual(other);
    const work = { kind: 'runbook', runbook: 'test', hash: sha256Of(''), inputs: {} } as const;
    expect(asRunbook('morning', work)).toBe(work);
  });
});
