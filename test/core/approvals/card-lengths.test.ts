/** How long cards are, over all tools: two lines, and a fold. */

import { expect, it } from 'vitest';
import type { Approval } from '../../../lib/core/approvals/approval.ts';
import { foldAt } from '../../../lib/core/approvals/card-marks.ts';
import { buildCard, WHY_CHARS_MAX } from '../../../lib/core/judge/card.ts';
import { formContext } from '../../../lib/core/judge/form-context.ts';
import { TOOLS } from '../../../lib/core/tools/catalogue.ts';
import { fc } from '../../support/fast-check.ts';
import { describeMarked } from '../../support/marked.ts';
import { toolCall } from '../gates/samples.ts';
import { CALLS } from '../tools/calls.ts';
import { approvalWith, NOW } from './samples.ts';

/** As Act makes it of the tool's sample call. */
const approvalOf = async ({ name, loadForm }: (typeof TOOLS)[number]): Promise<Approval> => {
  const args = CALLS[name]?.[0] ?? {};
  const form = await loadForm?.();
  const context = formContext({ now: NOW, reply: { target: 'telegram', to: '7' } });
  // A sample that names nothing real has no words of its form.
  const { lines, notable = [] } = (form && (await describeMarked(form, args, context).catch(() => undefined))) ?? {};
  return approvalWith({
    action: toolCall({ tool: name, args }),
    ...(lines === undefined ? {} : { lines: [...lines] }),
    notable: [...notable],
  });
};

const measure = (texts: readonly string[]) => {
  const of = (size: (text: string) => number) => {
    const sizes = texts.map(size).toSorted((a, b) => a - b);
    return { median: sizes[Math.floor(sizes.length / 2)] ?? 0, longest: sizes.at(-1) ?? 0 };
  };
  return { lines: of((text) => text.split('\n').length), chars: of(({ length }) => length) };
};

it('shows two lines at most before the fold, for each tool', async () => {
  const texts = await Promise.all(TOOLS.map(async (tool) => buildCard(await approvalOf(tool)).text));
  const seen = measure(texts.map((text) => text.slice(0, foldAt(text)).trimEnd()));
  const whole = measure(texts);
  const figures = JSON.stringify({ seen, whole });
  expect(seen.lines, figures).toStrictEqual({ median: 1, longest: 2 });
  expect(seen.chars.median, figures).toBeLessThanOrEqual(45);
  expect(seen.chars.longest, figures).toBeLessThanOrEqual(200);
  expect(whole.lines.median, figures).toBeLessThanOrEqual(10);
  expect(whole.lines.longest, figures).toBeLessThanOrEqual(24);
  expect(whole.chars.longest, figures).toBeLessThanOrEqual(1_700);
});

it('has no line that says that there is nothing', async () => {
  for (const tool of TOOLS) {
    const { text } = buildCard(await approvalOf(tool));
    expect(text.slice(0, foldAt(text)), tool.name).not.toMatch(/\b(?:none|nothing like|no similar|No kind)\b/);
  }
});

it('bounds the second line, whatever is unusual', () => {
  const part = fc.string({ minLength: 1, maxLength: 800 });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.array(part, { maxLength: 4 }), (notable, reasons) => {
      const asks = reasons.map((reason) => ({ gate: 'high-impact', reason }));
      const { text } = buildCard(approvalWith({ notable, asks, taintSource: 'webhook shop' }));
      const [, why = '', ...others] = text.slice(0, foldAt(text)).trimEnd().split('\n');
      expect(others).toStrictEqual([]);
      expect(why).toMatch(/^Made from outside text: webhook shop/);
      expect(why.length).toBeLessThanOrEqual(WHY_CHARS_MAX + ' · 99 more below'.length);
    }),
  );
});
