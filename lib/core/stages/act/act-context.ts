/** Types that the steps of Act share. No field is here for one feature alone. */
import type { Approval } from '../../approvals/approval.ts';
import type { FoundGrant } from '../../approvals/find-grant.ts';
import type { GateSet } from '../../gates/engine/verify.ts';
import type { FactSources, Setup } from '../../judge/fact-sources.ts';
import type { LoadPolicy, SpacePolicy } from '../../judge/space-policy.ts';
import type { KillSwitch } from '../../ledger/kill-switch.ts';
import type { OwnerSettings } from '../../ledger/owner-settings.ts';
import type { SessionHead, SignalRecord } from '../../ledger/record.ts';
import type { Run } from '../../ledger/run.ts';
import type { ActFeature, ShownToTurn } from '../../operations/act-feature.ts';
import type { Actuator } from '../../signal/actuator.ts';
import type { Decision, Effect, JudgedAction } from '../../signal/decision.ts';
import type { JobRun } from '../../signal/job-run.ts';
import type { PerceiveMessage } from '../../signal/messages.ts';
import type { Signal } from '../../signal/signal.ts';
import type { Publish } from '../../store/queue.ts';
import type { Item, Table } from '../../store/table.ts';
import type { TurnRecords } from '../../store/turn-records.ts';
import type { McpCatalogue } from '../../tools/mcp-catalogue.ts';
import type { FormContext } from '../../tools/tool.ts';
import type { AtWorkDeps } from '../at-work.ts';
import type { GateSets } from '../gate-sets.ts';
import type { AfterEffect } from './after.ts';
import type { ClaimGuard, Look } from './guard.ts';

export const loadLazy = () => import('./lazy.ts');

/** @returns whether some of it is forgotten by now, and the turn's words with it */
export type ForgetLate = (signal: Signal, shown: ShownToTurn) => Promise<boolean>;

export interface ActDeps {
  readonly table: Table;
  readonly publishPerceive: Publish<PerceiveMessage>;
  readonly gateSet: GateSet;
  /** By target. Console and system have none: storing the effect performs their texts. */
  readonly actuators: ReadonlyMap<string, Actuator>;
  /** Targets and tools whose results the model does not hear. */
  readonly silent: ReadonlySet<string>;
  /** Facts of this installation for the gates. */
  readonly setup: Setup;
  /** Telegram chat that gets texts nobody asked for. */
  readonly homeChat?: string | undefined;
  /** Telegram chats that the settings name: they are served even if their pairing was removed. */
  readonly allowedChats?: readonly string[];
  readonly zone?: string;
  /** Address of the console's page; without it texts name the command. */
  readonly page?: string | undefined;
  /** The powers of tools; a card may need a look at them. */
  readonly loadPowers?: FormContext['loadPowers'];
  readonly loadFeatures?: () => Promise<readonly ActFeature[]>;
  /** Added by features, in the order in which they are asked. */
  readonly guards: readonly ClaimGuard[];
  readonly afters: readonly AfterEffect[];
  /** 128 random bits as 32 hex digits, for claims and approvals. */
  readonly newId: () => string;
  /** Time the invocation has left; its claims end with it. */
  readonly remainingMs: () => number;
  /** This run of a local stack, which alone uses its table: another run's claims are dead. */
  readonly stackRun?: string | undefined;
  readonly now: () => number;
}

/** The dependencies of Act; the gate set and the policy come with the decision. */
export interface ActStageDeps extends Omit<ActDeps, 'gateSet'> {
  readonly gateSets: Pick<GateSets, 'of'>;
  readonly loadPolicy: LoadPolicy;
  /** Shows signs of life while a tool takes long; absent for none. */
  readonly atWork?: Pick<AtWorkDeps, 'type' | 'afterMs'> | undefined;
  /** Erases a turn's words if the turn was shown something that is forgotten by now. */
  readonly forgetLate?: ForgetLate;
}

export interface LoadedDecision {
  readonly record: SignalRecord;
  readonly decision: Decision;
  readonly head: SessionHead | undefined;
  readonly killSwitch: KillSwitch | undefined;
  /** Number of memory's last commit. */
  readonly commit: number;
  readonly policyText: string;
  /** Empty for a decision of texts alone, as are all but the standing records. */
  readonly mcp: McpCatalogue;
  readonly records: TurnRecords;
  /** Undefined if the settings cannot be read: then all skill tools are disabled. */
  readonly settings: OwnerSettings | undefined;
  /** The key is the number of the action. */
  readonly effects: ReadonlyMap<number, Effect>;
  /** Effects of actions that this message does not name. */
  readonly others: readonly Effect[];
  readonly approvals: ReadonlyMap<string, Item>;
  /** Set if the turn is a run of a job. */
  readonly run: JobRun | undefined;
  /** The run of a runbook, if the signal is one of its steps. */
  readonly stepRun: Run | undefined;
  /** The pairing of the session's Telegram chat, as it is stored. */
  readonly chat: Item | undefined;
  /** The day's counter. */
  readonly spend: Item | undefined;
}

export interface ActTurn extends LoadedDecision {
  readonly policy: SpacePolicy;
  /** The message names another decision than the stored one: each of its actions is refused. */
  readonly isForged: boolean;
}

/** One action that a message names, with all that is known about it before it is judged again. */
export interface Task {
  readonly signal: Signal;
  readonly n: number;
  readonly judged: JudgedAction;
  /** Hash that the message names. */
  readonly namedHash: string;
  readonly effect: Effect | undefined;
  readonly approvalId: string | undefined;
  /** When it was decided or approved. A stop set since then refuses it for good. */
  readonly consentedAt: number;
  /** Person who approved it on its card. */
  readonly approvedBy?: string | undefined;
  /** The grant that covers it in place of an approval, as far as the gates let it. */
  readonly grant: FoundGrant | undefined;
  readonly factSources: FactSources;
  /** The knowledge of its guards. */
  readonly looks: readonly Look[];
}

/** A task before the guards have looked at it. */
export type LoadedTask = Omit<Task, 'namedHash' | 'factSources' | 'looks'>;

export interface Performed {
  readonly effect: Effect;
  /** The approval, if a person is asked and the card is still to be made. */
  readonly asked?: Approval | undefined;
  /** There was no room for one more approval, and only the owner's own wait. */
  readonly isTooMany: boolean;
}
