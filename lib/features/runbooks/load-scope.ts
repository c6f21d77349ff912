/**
 * Loads all that the templates and expressions of a run may name: inputs, the event, and outputs of
 * earlier steps. Outputs are read from the effects of the steps each time, so that what was
 * forgotten meanwhile is not there any more.
 */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../core/base/json.ts';
import { parseEffect, parseRecord } from '../../core/ledger/ledger.ts';
import type { EndedStep, Run } from '../../core/ledger/run.ts';
import { eventValues } from '../../core/signal/event-values.ts';
import { childId, QUESTION_SUFFIX, stepSuffix } from '../../core/signal/ids.ts';
import { type Key, signalKeys } from '../../core/store/keys.ts';
import { loadNamed } from '../../core/store/load-named.ts';
import type { Item, Table } from '../../core/store/table.ts';
import { longOutputId } from '../../core/tools/long-output.ts';
import { fillInputs } from './inputs.ts';
import { readResult } from './read-result.ts';
import { allSteps, type Runbook, type RunbookStep } from './runbook.ts';
import { type OuterScope, stepAt } from './walk.ts';

/** A step whose output later ones may name, with the signal that performed it. */
interface Source {
  readonly id: string;
  readonly step: RunbookStep;
  readonly signalId: string;
}

/** Whether any word of the runbook may be about this step. */
const isNamed = (words: string, id: string): boolean => new RegExp(`\\bsteps\\b[^\\w]{1,4}${id}\\b`).test(words);

const signalOf = (run: Run, step: RunbookStep, n: number): string => {
  const signal = childId(run.id, stepSuffix(n));
  return step.kind === 'model' ? childId(signal, QUESTION_SUFFIX) : signal;
};

/** Steps that were done, and the one that is under way. */
const sourcesOf = (run: Run, runbook: Runbook): readonly Source[] => {
  const { current, ended, n } = run;
  const all: readonly Pick<EndedStep, 'at' | 'n'>[] = [
    ...ended.filter(({ state }) => state === 'done'),
    ...(current?.kind === 'step' ? [{ at: current.at, n }] : []),
  ];
  const words = JSON.stringify(allSteps(runbook.steps));
  const found = new Map<string, Source>();
  for (const { at, n: number } of all) {
    const step = stepAt(runbook, at);
    if (step?.id !== undefined && isNamed(words, step.id))
      found.set(step.id, { id: step.id, step, signalId: signalOf(run, step, number) });
  }
  return [...found.values()];
};

/** The whole output, as far as it is kept; undefined if it was not done or is forgotten. */
const outputOf = (signalId: string, item: Item | undefined, long: Item | undefined): string | undefined => {
  const effect = item === undefined ? undefined : parseEffect(signalId, item);
  if (effect?.state !== 'done' || effect.forgottenAt !== undefined) return undefined;
  const shown = effect.output ?? '';
  return longOutputId(shown) === undefined || typeof long?.text !== 'string' ? shown : long.text;
};

export const eventOf = (id: string | undefined, item: Item | undefined): JsonObject | undefined => {
  if (id === undefined || item === undefined) return undefined;
  return eventValues(parseRecord(id, item).signal.payload);
};

export interface LoadedScope {
  readonly scope: OuterScope;
  /** Hashes of the outputs in it, by the ids of steps. */
  readonly outputHashes: Run['hashes'];
}

export const loadScope = async (
  table: Pick<Table, 'load'>,
  space: string,
  run: Run,
  runbook: Runbook,
): Promise<LoadedScope> => {
  const sources = sourcesOf(run, runbook);
  const keysOf = (key: (signalId: string) => Key) => sources.map(({ signalId }) => key(signalId));
  const items = await loadNamed(table, {
    event: run.eventId === undefined ? undefined : signalKeys.record(space, run.eventId),
    effects: keysOf((signalId) => signalKeys.effect(space, signalId, 0)),
    outputs: keysOf((signalId) => signalKeys.output(space, signalId, 0)),
  });
  const found = sources.flatMap(({ id, step, signalId }, index) => {
    const output = outputOf(signalId, items.effects[index], items.outputs[index]);
    if (output === undefined) return [];
    const hash = createHash('sha256').update(output).digest('hex');
    const tool = step.kind === 'call' ? step.call.tool : undefined;
    return [{ id, hash, result: readResult(tool, output, hash !== run.hashesBefore[id]) }];
  });
  const event = eventOf(run.eventId, items.event);
  const steps = Object.fromEntries(found.map(({ id, result }) => [id, result]));
  return {
    scope: { inputs: fillInputs(run.inputs, event), steps, ...(event === undefined ? {} : { event }) },
    outputHashes: Object.fromEntries(found.map(({ id, hash }) => [id, hash])),
  };
};
