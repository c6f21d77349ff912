/**
 * Looks memory through without a model: findings as one text with numbered lines, and mends that
 * are plainly right, as JSON. Notes marked private are not shown. A part of memory is checked
 * against its hashes each day.
 */

import { ProtocolError } from '../../core/base/errors.ts';
import { parseWith } from '../../core/base/json.ts';
import { TOOL_OUTPUT_CHARS_MAX } from '../../core/base/limits.ts';
import type { MemoryStore } from '../../core/memory/memory.ts';
import type { LiveObject } from '../../core/memory/object.ts';
import { visibleOf } from '../../core/memory/outline.ts';
import type { MemoryView } from '../../core/memory/read.ts';
import { joinOrigins } from '../../core/signal/signal.ts';
import { isMarkedPrivate } from '../../core/text/privacy.ts';
import { argumentProblems } from '../../core/tools/argument-problems.ts';
import { nameShown } from '../../core/tools/show-objects.ts';
import type { ToolContext, ToolForm, ToolOutput } from '../../core/tools/tool.ts';
import { describeUntidy, type Report } from './describe-untidy.ts';
import { chooseToCheck, type Damaged, findDamage, idsToCheck } from './find-damage.ts';
import { findUntidy, type Untidy } from './find-untidy.ts';
import { MENDS_MAX, type Mend } from './mend.ts';
import { buildMendEdits, describeMend, findMends, stillDue } from './mends.ts';
import { MendMemoryArgs, mendMemory as tool } from './tools.ts';

interface Tended {
  readonly view: MemoryView;
  readonly untidy: Untidy;
  readonly mends: readonly Mend[];
}

/** The tasks that memory's state asks for now. */
const tend = async ({
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

export const MEND_FORM: ToolForm = {
  complete: async (given) => given,
  findProblems: async (given) => argumentProblems(tool, given),
  describe: async (given, { loadNotes }) => {
    const { mends } = parseWith('the mends', given, MendMemoryArgs);
    const objects = await loadNotes(mends.map(({ id }) => id));
    return ['Tidy memory up, as one change:', ...mends.map((mend, n) => `${n + 1}. ${describeMend(mend, objects)}`)];
  },
};

/** One commit: only mends that memory's own state still asks for, once for one effect. */
export const mendMemory = async (mends: readonly Mend[], context: ToolContext): Promise<ToolOutput> => {
  const { memory, signalId, effectId, actor, now } = context;
  const { view, mends: due } = await tend(context);
  const chosen = stillDue(mends, due);
  const by = { signalId, effectId, actor, now };
  const result = await memory.edit({ by, edits: () => buildMendEdits(chosen, view.objects) });
  if (result.state === 'unchanged') throw new ProtocolError('memory has changed since this was proposed');
  const { number, changes } = result.record;
  const { objects } = await memory.view();
  const shown = changes.flatMap(({ id }) => {
    const object = objects.get(id);
    return object?.state === 'live' ? [object] : [];
  });
  const left = result.state === 'repeated' ? 0 : mends.length - chosen.length;
  const report = [
    `Memory is tidier by commit ${number}. To take it back: /revert ${number}`,
    ...(left === 0 ? [] : [`${left} of the changes were left out, because memory has changed since.`]),
  ].join('\n');
  return {
    output: JSON.stringify({ report, commit: number, shown: shown.map(nameShown) }),
    origin: joinOrigins(['agent', ...shown.map(({ origin }) => origin)]),
  };
};
