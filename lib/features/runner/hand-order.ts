/**
 * Hands an action to the owner's machine as a signed order, and collects its end. `idempotent`: an
 * effect has one order for good, so a repeat finds it, and what ran once never runs again. Output
 * comes back as outside text. Only a result that the paired key signed counts.
 */

import { defined } from '../../core/base/defined.ts';
import { ConfigError, ProtocolError, UnavailableError } from '../../core/base/errors.ts';
import { RUNNER_WAIT_MS } from '../../core/base/limits.ts';
import { utcMinute } from '../../core/base/utc-minute.ts';
import { type Action, actionHash } from '../../core/signal/action.ts';
import type { ActuatorContext, ActuatorResult, HandingActuator } from '../../core/signal/actuator.ts';
import { partsOfEffectId } from '../../core/signal/ids.ts';
import { mcpTargetOf } from '../../core/signal/mcp-name.ts';
import { machineOf } from '../../core/signal/runner-tools.ts';
import { mcpKey, runnerKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { putOnce } from '../../core/store/put-once.ts';
import type { SendOrder } from '../../core/store/queue.ts';
import type { Table } from '../../core/store/table.ts';
import { OUTPUT_STORED_CHARS_MAX, type OutputStore } from '../../core/tools/long-output.ts';
import { findMcpTool, mcpUrls, parseMcpCatalogue } from '../../core/tools/mcp-catalogue.ts';
import { shortenOutput } from '../../core/tools/shorten-output.ts';
import { versionOf } from '../skills/skill-files.ts';
import { filesOf } from '../skills/skill-store.ts';
import { sayOldProgram } from './describe-runner.ts';
import { type Order, RUNNER_GRACE_MS, RUNNER_RUN_MS_MAX, signOrder } from './order.ts';
import { buildOrderRowItem, endByTime, loadOrderRow, type OrderRow, putOrderRow, settleOrderRow } from './order-row.ts';
import { isResultOf, isShown, SignedReceipt, SignedResult } from './result.ts';
import { loadRunners, runnerOrFail } from './runner-powers.ts';
import type { Runner } from './runners.ts';
import type { Signer } from './sign.ts';
import { buildOrderRow, buildReceiptRow, buildResultRow, parseOrderRow } from './signed-rows.ts';
import { orderFiles } from './skill-folder.ts';

export interface RunnerActuatorDeps {
  readonly table: Pick<Table, 'load' | 'put' | 'update' | 'transact'>;
  readonly space: string;
  /** Act's key. @throws ConfigError */
  readonly loadSigner: () => Promise<Signer>;
  readonly sendOrder: SendOrder;
  readonly keepOutput: OutputStore['keep'];
  readonly newNonce: () => string;
}

const failed = (reason: string): ActuatorResult => ({ state: 'failed', reason });

const RAN_BEFORE = 'it was handed to the machine before, and no job runs a second time; ask for it again';

export const buildRunnerActuator = (deps: RunnerActuatorDeps): HandingActuator => ({
  kind: 'idempotent',
  deliver: async (action, context) => {
    try {
      return await handOver(deps, action, context);
    } catch (error) {
      if (error instanceof ProtocolError || error instanceof ConfigError) return failed(error.message);
      throw error;
    }
  },
  collect: (_action, context) => collect(deps, context),
  forgetHanded: (effectId, now) => settleOrderRow(deps.table, deps.space, partsOfEffectId(effectId).id, now),
});

const runnerOf = async ({ table, space }: RunnerActuatorDeps, { args = {}, url }: Action): Promise<Runner> => {
  const name = machineOf(url) ?? (Object.hasOwn(args, 'runner') ? String(args.runner) : '');
  const runner = runnerOrFail(await loadRunners(table, space), name);
  if (runner.isPaused) throw new ProtocolError(`the runner ${name} is paused`);
  return runner;
};

/** Exactly the files that were asked about, of a skill in force. @throws ProtocolError */
const checkFiles = async (
  { table, space }: RunnerActuatorDeps,
  { args = {} }: Action,
  { name, takesFiles }: Runner,
): Promise<void> => {
  if (args.skill === undefined) return;
  if (takesFiles !== true) throw new ProtocolError(sayOldProgram(name));
  const { files } = await filesOf(table, space, String(args.skill));
  if (orderFiles(args).length === 0 || versionOf(orderFiles(args)) !== versionOf(files))
    throw new ProtocolError(`the skill ${String(args.skill)} was changed since this was asked; ask for it again`);
};

/** The tool of a server as it was accepted; undefined for all other calls. @throws ProtocolError */
const expectedOf = async ({ table, space }: RunnerActuatorDeps, { tool = '', to = '', url = '' }: Action) => {
  if (machineOf(url) === undefined) return undefined;
  const catalogue = parseMcpCatalogue(await loadItem(table, mcpKey(space)));
  const found = mcpTargetOf(tool) === to && mcpUrls(catalogue)[to] === url ? findMcpTool(catalogue, tool) : undefined;
  if (found === undefined) throw new ProtocolError('there is no such tool of an MCP server');
  const { remote, name, hash, passes } = found;
  return { remote, name, hash, ...defined({ passes }) };
};

const buildOrder = (
  { space, newNonce }: RunnerActuatorDeps,
  action: Action,
  { effectId, now, handOver: proof }: ActuatorContext,
  runner: string,
  expects: Order['expects'],
): Order => {
  if (proof === undefined) throw new ProtocolError('a job for a runner needs its decision and trace');
  return {
    v: 1,
    id: partsOfEffectId(effectId).id,
    space,
    runner,
    action,
    actionHash: actionHash(action),
    decisionHash: proof.decisionHash,
    traceHash: proof.traceHash,
    ...defined({ consent: proof.consent, expects }),
    issuedAt: now,
    expiresAt: now + RUNNER_WAIT_MS,
    nonce: newNonce(),
  };
};

const handOver = async (
  deps: RunnerActuatorDeps,
  action: Action,
  context: ActuatorContext,
): Promise<ActuatorResult> => {
  const { table, space } = deps;
  const runner = await runnerOf(deps, action);
  await checkFiles(deps, action, runner);
  const expects = await expectedOf(deps, action);
  const signer = await deps.loadSigner();
  const { actKey = signer.publicKey, name } = runner;
  if (actKey !== signer.publicKey)
    throw new ProtocolError(`my key is another since ${name} was paired; /runners remove ${name}, and pair it again`);
  const signed = signOrder(signer, buildOrder(deps, action, context, runner.name, expects));
  const { signalId, n } = partsOfEffectId(context.effectId);
  const item = buildOrderRowItem(signed, {
    session: context.session ?? '',
    consentedAt: context.handOver?.consentedAt ?? context.now,
    ...(context.approvedBy !== undefined && { isApproved: true }),
  });
  const evidence = {
    key: runnerKeys.evidence(space, signalId, n, 'job'),
    item: buildOrderRow(signed, runner, signer.publicKey),
  };
  const row = await putOrderRow(table, space, item, evidence);
  if (row === undefined || row.isSettled === true) return failed(RAN_BEFORE);
  if (row.state === 'queued') await send(deps, runner.slot, row);
  return { state: 'handed', runner: row.runner, until: row.waitsUntil + RUNNER_RUN_MS_MAX + RUNNER_GRACE_MS };
};

/** A queue that does not answer costs time only: the heartbeat sends the order again. */
const send = async ({ sendOrder }: RunnerActuatorDeps, slot: number, row: OrderRow): Promise<void> => {
  try {
    await sendOrder(slot, row);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
  }
};

const collect = async (deps: RunnerActuatorDeps, context: ActuatorContext): Promise<ActuatorResult> => {
  const { table, space } = deps;
  const { id } = partsOfEffectId(context.effectId);
  const found = await loadOrderRow(table, space, id);
  const row = found && (await endByTime(table, space, found, context.now));
  if (row === undefined) return { state: 'unknown', reason: 'nothing is known of its job any more' };
  switch (row.state) {
    case 'queued':
    case 'taken':
      return { state: 'handed', runner: row.runner, until: row.endsBy ?? row.waitsUntil };
    case 'expired':
      return failed(`${row.runner} did not take it until ${utcMinute(row.waitsUntil)}`);
    case 'lost':
      await keepReceipt(deps, context, row);
      return { state: 'unknown', reason: `${row.runner} began it and never said how it ended` };
    case 'ended':
      return row.result === undefined
        ? { state: 'refused', reason: row.why ?? 'it was stopped before it began' }
        : readResult(deps, context, row, row.result);
    default: {
      const never: never = row.state;
      return never;
    }
  }
};

const keepReceipt = async ({ table, space }: RunnerActuatorDeps, context: ActuatorContext, row: OrderRow) => {
  if (row.receipt === undefined) return;
  const { id, signalId, n } = partsOfEffectId(context.effectId);
  const receipt = SignedReceipt.parse(JSON.parse(row.receipt));
  await putOnce(table, runnerKeys.evidence(space, signalId, n, 'receipt'), buildReceiptRow(id, receipt, context.now));
};

/** The machine's own reason stands in its text: it may name paths. An output can be forgotten. */
const REASONS = {
  failed: 'ended it before it was done',
  refused: 'refused it',
  unknown: 'does not know how it ended',
} as const;

const showOnly: OutputStore['keep'] = async (_id, { text, ...rest }) => ({
  schemaVersion: 1,
  ...rest,
  text: text.slice(0, OUTPUT_STORED_CHARS_MAX).toWellFormed(),
  chars: text.length,
});

/** Evidence is stored before the effect says how it ended, so that no end is without it. */
const readResult = async (
  deps: RunnerActuatorDeps,
  context: ActuatorContext,
  row: OrderRow,
  stored: string,
): Promise<ActuatorResult> => {
  const { table, space } = deps;
  const { effectId, now } = context;
  const { id, signalId, n } = partsOfEffectId(effectId);
  const signed = SignedResult.parse(JSON.parse(stored));
  const text = row.text ?? '';
  const job = await loadItem(table, runnerKeys.evidence(space, signalId, n, 'job'));
  const { result } = signed;
  const isTheirs =
    job !== undefined &&
    isResultOf(parseOrderRow(job).pairing.publicKey, signed) &&
    result.jobHash === row.jobHash &&
    isShown(text, result);
  if (!isTheirs) return { state: 'unknown', reason: `what came back is not signed by ${row.runner} for this job` };
  await keepReceipt(deps, context, row);
  await putOnce(table, runnerKeys.evidence(space, signalId, n, 'result'), buildResultRow(id, signed, now));
  const keepOutput = context.isForgotten === true ? showOnly : deps.keepOutput;
  const output = await shortenOutput(keepOutput, effectId, { text, origin: 'outside', at: now });
  if (result.state === 'done') return { state: 'done', output, origin: 'outside' };
  return { state: result.state, reason: `${row.runner} ${REASONS[result.state]}`, output };
};
