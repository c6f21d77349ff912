/**
 * Act: the third stage and the only one with hands. Loads the stored decision, performs each action it is asked to, in
 * order, and when all have ended or wait for a person closes the signal: feedback to the model, the turn handed on, the
 * record moved. Everything is stored before it is published, and the signal leaves the index of unfinished ones last.
 */
import type { Actuator } from '../actuators/actuator.ts';
import { parseApproval } from '../approvals/decide-approval.ts';
import { approvalKey, sessionKey, signalKeys } from '../aws/keys.ts';
import type { Publish } from '../aws/queue.ts';
import type { Item, Table } from '../aws/table.ts';
import { PipelineError } from '../errors.ts';
import { hashOf } from '../evidence/canonical.ts';
import type { ApprovalFacts } from '../gates/facts.ts';
import type { GateSet } from '../gates/verify.ts';
import type { Decision, Effect } from '../signal/decision.ts';
import type { ActMessage, PerceiveMessage } from '../signal/messages.ts';
import { parseEffect } from './effects.ts';
import { finish } from './finish.ts';
import { buildGatherFacts } from './gather-facts.ts';
import { buildPolicyVersion } from './judge.ts';
import { KillSwitch, killSwitchKey } from './kill-switch.ts';
import { parseDecision, parseRecord } from './ledger.ts';
import { type Performed, perform, type Task } from './perform.ts';
import { parseStored, type SessionHead, type SignalRecord } from './record.ts';
import { parseHead } from './session.ts';
import { suspendAction } from './suspend.ts';

export interface ActDeps {
  readonly table: Table;
  readonly publishPerceive: Publish<PerceiveMessage>;
  readonly gateSet: GateSet;
  readonly actuators: ReadonlyMap<string, Actuator>;
  /** Targets and tools whose results are not told to the model. */
  readonly silent: ReadonlySet<string>;
  readonly secrets: ReadonlyMap<string, string>;
  readonly webhookUrls: Readonly<Record<string, string>>;
  readonly isLoopbackAllowed: boolean;
  readonly resolveAddresses: (url: string) => Promise<readonly string[]>;
  /** 128 random bits as 32 hex digits: for claims and approvals. */
  readonly newId: () => string;
  readonly now: () => number;
}

interface Loaded {
  readonly record: SignalRecord;
  readonly decision: Decision;
  readonly head: SessionHead | undefined;
  readonly isStopped: boolean;
  readonly effects: ReadonlyMap<number, Effect>;
  readonly approvals: ReadonlyMap<string, Item>;
}

/** @throws RetryLaterError, UnavailableError (retryable); PipelineError, StoredItemError (poison). */
export const act =
  (deps: ActDeps) =>
  async (message: ActMessage): Promise<void> => {
    const loaded = await loadDecision(deps.table, message);
    if (loaded.record.state !== 'reasoned' && loaded.record.state !== 'suspended') return;
    const isForged = hashOf('decision', loaded.decision) !== message.decisionHash;
    const performed: Performed[] = [];
    const cards = [];
    for (const named of message.actions) {
      const judged = loaded.decision.actions[named.n];
      if (judged === undefined)
        throw new PipelineError(`the decision has no action ${named.n}`, message.signalId, false);
      const effect = loaded.effects.get(named.n);
      const task: Task = {
        signal: loaded.record.signal,
        n: named.n,
        judged,
        namedHash: isForged ? '' : named.hash,
        effect,
        approvalId: named.approvalId,
        approval: approvalFacts(loaded, named.approvalId, effect),
        gatherFacts: factsFor(
          deps,
          loaded,
          approvalFacts(loaded, named.approvalId, effect),
          judged.facts.at(-1)?.origin ?? 'outside',
        ),
      };
      const done = await perform(deps, task);
      if (!done.isToSuspend) {
        performed.push(done);
        continue;
      }
      const suspended = await suspendAction(
        {
          table: deps.table,
          context: { gateSet: deps.gateSet, now: deps.now() },
          newApprovalId: deps.newId,
          policyVersion: buildPolicyVersion(deps.gateSet),
        },
        task.signal,
        judged,
        done.effect,
      );
      performed.push({ effect: suspended.effect, outputOrigin: 'agent', isToSuspend: false });
      if (suspended.card !== undefined) cards.push(suspended.card);
    }
    await finish(deps, {
      record: loaded.record,
      decision: loaded.decision,
      head: loaded.head,
      before: loaded.effects,
      performed,
      cards,
    });
  };

const loadDecision = async (table: Pick<Table, 'load'>, message: ActMessage): Promise<Loaded> => {
  const { space, signalId: id } = message;
  const approvalIds = message.actions.flatMap((action) => (action.approvalId === undefined ? [] : [action.approvalId]));
  const fixed = [
    signalKeys.record(space, id),
    signalKeys.decision(space, id),
    sessionKey(space, message.session),
    killSwitchKey(space),
  ];
  const effectKeys = message.actions.map((action) => signalKeys.effect(space, id, action.n));
  const keys = [...fixed, ...effectKeys, ...approvalIds.map((approval) => approvalKey(space, approval))];
  const items = await table.load(keys, { isConsistent: true });
  const [recordItem, decisionItem, headItem, switchItem] = items;
  if (recordItem === undefined) throw new PipelineError(`there is no signal ${id}`, id, false);
  if (decisionItem === undefined)
    throw new PipelineError('there is no stored decision: nothing may be performed', id, false);
  const effects = items.slice(fixed.length, fixed.length + effectKeys.length);
  const approvals = items.slice(fixed.length + effectKeys.length);
  return {
    record: parseRecord(id, recordItem),
    decision: parseDecision(id, decisionItem),
    head: headItem === undefined ? undefined : parseHead(message.session, headItem),
    isStopped: switchItem === undefined ? false : parseStored('setting kill-switch', switchItem, KillSwitch).isStopped,
    effects: new Map(
      effects.flatMap((item): [number, Effect][] =>
        item === undefined ? [] : [[parseEffect(id, item).n, parseEffect(id, item)]],
      ),
    ),
    approvals: new Map(
      approvals.flatMap((item, index): [string, Item][] =>
        item === undefined ? [] : [[approvalIds[index] ?? '', item]],
      ),
    ),
  };
};

/** The approval as it stands; one spent by an earlier, lapsed claim of this very effect counts as spent here. */
const approvalFacts = (
  loaded: Loaded,
  approvalId: string | undefined,
  effect: Effect | undefined,
): ApprovalFacts | null => {
  const item = approvalId === undefined ? undefined : loaded.approvals.get(approvalId);
  if (approvalId === undefined || item === undefined) return null;
  const { id, actionHash, policyVersion, space, state, expiresAtMs } = parseApproval(approvalId, item);
  const isSpentHere = state === 'spent' && effect?.approvalId === id && effect.state !== 'suspended';
  return { id, actionHash, policyVersion, space, state: isSpentHere ? 'spent-here' : state, expiresAt: expiresAtMs };
};

const factsFor = (
  deps: ActDeps,
  loaded: Loaded,
  approval: ApprovalFacts | null,
  origin: Decision['actions'][number]['facts'][number]['origin'],
) =>
  buildGatherFacts({
    stage: 'act',
    now: deps.now(),
    space: loaded.record.signal.space,
    isStopped: loaded.isStopped,
    reply: loaded.record.signal.reply,
    origin,
    secrets: deps.secrets,
    webhookUrls: deps.webhookUrls,
    isLoopbackAllowed: deps.isLoopbackAllowed,
    resolveAddresses: deps.resolveAddresses,
    policyVersion: buildPolicyVersion(deps.gateSet),
    approval,
  });
