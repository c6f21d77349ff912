/**
 * Looks memory through without a model: findings as one text with numbered lines, and mends that
 * are plainly right, as JSON. Notes marked private are not shown. A part of memory is checked
 * against its hashes each day.
 */
import { TOOL_OUTPUT_CHARS_MAX } from '../../base/limits.ts';
import type { MemoryStore } from '../../memory/memory.ts';
import type { LiveObject } from '../../memory/object.ts';
import { visibleOf } from '../../memory/outline.ts';
import type { MemoryView } from '../../memory/read.ts';
import { describeUntidy, type Report } from '../../memory/tend/describe-untidy.ts';
import { chooseToCheck, type Damaged, findDamage, idsToCheck } from '../../memory/tend/find-damage.ts';
import { findUntidy, type Untidy } from '../../memory/tend/find-untidy.ts';
import { MENDS_MAX, type Mend } from '../../memory/tend/mend.ts';
import { findMends } from '../../memory/tend/mends.ts';
import { joinOrigins } from '../../signal/signal.ts';
import { isMarkedPrivate } from '../../text/privacy.ts';
import { nameShown } from '../show-objects.ts';
import type { ToolContext, ToolOutput } from '../tool.ts';

export interface Tended {
  readonly view: MemoryView;
  readonly untidy: Untidy;
  readonly mends: readonly Mend[];
}

/** What memory's state asks for now. */
export const tend = async ({
  memory,
  records,
  privacyTags = [],
  now,
}: Pick<ToolContext, 'memory' | 'records' | 'privacyTags' | 'now'>): Promise<Tended> => {
  const view = await memory.view();
  const shown = visibleOf(view.objects, (object: LiveObject) => isMarkedPrivate(object, privacyTags));
  const untidy = findUntidy(view.objects, shown, await records.loadVectors(), now);
  return { view, untidy, mends: findMends(view.objects, untidy, now) };
};

const check = async (memory: MemoryStore, { objects }: MemoryView, now: number): Promise<readonly Damaged[]> => {
  const due = chooseToCheck(objects, now);
  return findDamage(due, await memory.loadMany(idsToCheck(due)));
};

const hintsOf = ({ isPartial }: MemoryView): readonly string[] =>
  isPartial ? ['', 'Memory is larger than one look takes in; the newest part of it was not looked at.'] : [];

/** A report too long for one output loses its last lines. */
const buildOutput = ({ text, shown, counts }: Report, mends: readonly Mend[]): string => {
  const build = (lines: readonly string[]): string =>
    JSON.stringify({ report: lines.join('\n'), mends, counts, shown: shown.map(nameShown) });
  let lines = text.split('\n');
  while (lines.length > 1 && build(lines).length > TOOL_OUTPUT_CHARS_MAX) lines = lines.slice(0, -1);
  return build(lines);
};

export const tendMemory = async (context: ToolContext): Promise<ToolOutput> => {
  const { view, untidy, mends } = await tend(context);
  const damaged = await check(context.memory, view, context.now);
  const report = describeUntidy(damaged, untidy, hintsOf(view));
  const output = buildOutput(report, mends.slice(0, MENDS_MAX));
  return { output, origin: joinOrigins(report.shown.map(({ origin }) => origin)) };
};
