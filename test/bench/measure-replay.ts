/**
 * How many stored decisions a second the gates can be run again on, here and by the command, and
 * what one question to a policy costs.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GATE_SET } from '../../lib/core/gates/engine/gate-set.ts';
import { importCedar } from '../../lib/core/judge/code/cedar-engine.ts';
import { packDecision, packEffect } from '../../lib/core/ledger/ledger.ts';
import { buildRecordItem } from '../../lib/core/ledger/record.ts';
import { signalKeys } from '../../lib/core/store/keys.ts';
import { buildTable, type Table } from '../../lib/core/store/table.ts';
import { replayEvidence } from '../../lib/core/verbs/signals/replay-evidence.ts';
import type { Evidence } from '../../lib/core/verbs/signals/signal-evidence.ts';
import { compilePolicy } from '../../lib/features/policy/compile-policy.ts';
import { runProgram, writeFolder } from '../cli/cli-world.ts';
import { buildSignal, SPACE } from '../core/edge/console/stored-fixtures.ts';
import { webhookCall } from '../core/gates/samples.ts';
import { generateEvidence } from '../support/generated-decisions.ts';
import { startStackChild } from './children.ts';
import { APPROVER_TOKEN, quantile } from './drive.ts';
import type { Measure, MeasureContext } from './measure.ts';
import { NO_HEARTBEAT_S } from './measure-turns.ts';

const DECISIONS = 2_000;
/** As many as a small space has in a week or two. */
const STORED_DECISIONS = 8_000;
/** The stack's code is compiled by then. */
const RUNS = 4;
/** Stored at once, before the clock runs. */
const PUT_AT_ONCE = 50;
const DECISIONS_PER_SECOND_MIN = 2_000;
const QUESTIONS = 2_000;
const SEED = 11;

const POLICY = `@id("night") forbid(principal, action, resource) when { context.hour < 7 && principal.origin == Origin::"outside" };
@id("tickets") @ask("") permit(principal, action in Action::"any-webhook", resource) when { resource.name == "tickets" };`;

const measurePolicy = async (): Promise<
  readonly { readonly name: string; readonly value: number; readonly unit: string }[]
> => {
  const startedAt = performance.now();
  const policy = compilePolicy(await importCedar(), POLICY);
  const loadMs = performance.now() - startedAt;
  const action = webhookCall({ args: { webhook: 'tickets', body: { title: 'Disk is full' } } });
  const request = { space: 'default', action, origin: 'owner', session: 's', now: 0, isPlainReply: false } as const;
  const timesUs = Array.from({ length: QUESTIONS }, () => {
    const askedAt = performance.now();
    policy.rule(request);
    return (performance.now() - askedAt) * 1000;
  }).sort((left, right) => left - right);
  return [
    { name: 'policy: engine and text, once per process', value: loadMs, unit: 'ms' },
    { name: 'policy: one action, p50', value: quantile(timesUs, 0.5), unit: 'µs' },
  ];
};

/** As a turn leaves it that has ended and has its leaves: nothing waits in an index. */
const storeEvidence = async (table: Table, id: string, { decision, effects, reply }: Evidence): Promise<void> => {
  const signal = buildSignal(id, { reply, receivedAt: Date.now() });
  const { unfinishedSpace: _space, unfinishedAt: _at, ...record } = buildRecordItem(signal, 'acted', 0);
  await table.put(signalKeys.record(SPACE, id), record);
  if (decision !== null) await table.put(signalKeys.decision(SPACE, id), { ...packDecision(decision) });
  for (const effect of effects) await table.put(signalKeys.effect(SPACE, id, effect.n), { ...packEffect(effect) });
};

/**
 * Decisions a second of the program against a running stack, from its start to its end, time after
 * time.
 */
const measureCommand = async (context: MeasureContext, all: readonly Evidence[]): Promise<readonly number[]> => {
  const dataDir = mkdtempSync(join(context.scratch, 'replay-'));
  const stack = await startStackChild({
    dataDir,
    cacheDir: context.cacheDir,
    heartbeatIntervalSeconds: NO_HEARTBEAT_S,
    environment: { APPROVER_TOKEN },
  });
  try {
    const client = new DynamoDBClient({ ...stack.dynamodb, region: 'us-east-1' });
    const table = buildTable(client, stack.tableName);
    for (let round = 0; round * all.length < STORED_DECISIONS; round += 1)
      for (let first = 0; first < all.length; first += PUT_AT_ONCE)
        await Promise.all(
          all
            .slice(first, first + PUT_AT_ONCE)
            .map((evidence) => storeEvidence(table, `con-${round}-${evidence.id}`, evidence)),
        );
    client.destroy();
    writeFolder(dataDir, stack.url, stack.pid);
    const rates: number[] = [];
    for (let n = 0; n < RUNS; n += 1) {
      const startedAt = performance.now();
      const words = ['replay', '--since', '1d', '--json'];
      const { code, out, err } = await runProgram(words, dataDir, { env: { APPROVER_TOKEN } });
      if (code !== 0) throw new Error(`replay ended with ${code}: ${err}`);
      rates.push(JSON.parse(out).decisions / ((performance.now() - startedAt) / 1000));
    }
    return rates;
  } finally {
    await stack.close();
  }
};

export const measureReplay: Measure = async (context) => {
  context.progress('replay');
  const group = 'replay and policy';
  const all = [];
  for (let n = 0; n < DECISIONS; n += 1) all.push(await generateEvidence(SEED, n));
  for (const evidence of all.slice(0, DECISIONS / 4)) replayEvidence(GATE_SET, evidence);
  const startedAt = performance.now();
  for (const evidence of all) replayEvidence(GATE_SET, evidence);
  const perSecond = DECISIONS / ((performance.now() - startedAt) / 1000);
  const rates = await measureCommand(context, all);
  const [first = 0, last = 0] = [rates[0], rates.at(-1)];
  const goal = { is: '≥', value: DECISIONS_PER_SECOND_MIN } as const;
  return [
    { group, name: 'decisions replayed', value: perSecond, unit: '/s', goal },
    { group, name: 'the same, by the command: on a stack just started', value: first, unit: '/s', goal },
    { group, name: 'the same, by the command: the fourth time', value: last, unit: '/s', goal },
    ...(await measurePolicy()).map((row) => ({ group, ...row })),
  ];
};
