/**
 * The owner's policy as the stages use it: a hash that names it, and a ruling for each action. The
 * feature `policy` makes it of a text. If no rule speaks, the ruling has no tier and the tool's own
 * tier counts. A policy that cannot be used denies everything, and says so.
 */
import { makeVisible } from '../base/make-visible.ts';
import type { Action } from '../signal/action.ts';
import type { Facts, ShellFacts } from '../signal/facts.ts';
import type { Origin } from '../signal/signal.ts';
import type { Table, Write } from '../store/table.ts';
import { TOOLS } from '../tools/catalogue.ts';
import type { Targets } from './declared.ts';

export type Tier = Facts['tier'];

/** Length of a ruling's reason in facts and traces. */
const POLICY_REASON_CHARS_MAX = 200;

export interface Vouched {
  /** Empty for the target itself; undefined if it declares none, or it cannot be read. */
  readonly recipient: string | undefined;
  /** In hundredths; undefined if the target declares none. */
  readonly amount: number | undefined;
  /** The address, if it does not depend on what is sent. */
  readonly url: string;
}

export interface PolicyRequest {
  readonly space: string;
  readonly action: Action;
  readonly origin: Origin;
  readonly session: string;
  readonly now: number;
  readonly isPlainReply: boolean;
  /** Only for a tool that runs commands. */
  readonly shell?: ShellFacts | null | undefined;
  /** Read only for a policy that names it; `none` as if nothing was done yet. */
  readonly past?: Past | 'none' | undefined;
  /** With what they declare; nothing if absent. */
  readonly targets?: Targets | undefined;
  /** As the targets declare it, if absent. */
  readonly vouched?: Vouched | undefined;
}

/** Earlier actions of one kind. Without another unit, within a day. */
export interface Counts {
  readonly hour: number;
  readonly day: number;
  /** Since the newest of them, however long ago. */
  readonly minutesSince: number;
  /** Begun and not ended, of the newest ten; counted only if the policy names it. */
  readonly inFlight: number;
  /** A person said no, or yes, on a card; yes also in this turn, and in this conversation. */
  readonly denied: number;
  readonly approved: number;
  readonly approvedTurn: number;
  readonly approvedHere: number;
  /** Sum of their amounts, in hundredths. */
  readonly amount: number;
}

/** Earlier actions with this tool, to this address, in these words, and their times. */
export interface Past {
  /** `failedTo`: where the tool's newest call went if that failed, else empty. */
  readonly tool: Counts & { readonly failedTo: string };
  readonly to: Counts & { readonly isFirst: boolean };
  readonly same: Counts & { readonly ever: number };
  /** 0 for an action that was made from outside text. */
  readonly minutesSinceOutside: number;
  /** Hour of the day in the owner's zone. */
  readonly localHour: number;
}

/** One action that was begun, however it ended. */
export interface Begun {
  readonly at: number;
  /** `<signal>#<n>` */
  readonly id: string;
  /** A person said yes to it on a card, in this conversation. */
  readonly isApproved?: true | undefined;
  readonly session?: string | undefined;
  readonly to?: string | undefined;
  /** In hundredths; 0 if absent. */
  readonly amount?: number | undefined;
}

/** The signal that is judged, and the past as it was read for it, if the policy asks for it. */
export interface Before {
  readonly signalId: string;
  /** The action's number, once it is decided. */
  readonly n?: number;
  reading?: PastReading | undefined;
}

/** The action that is judged, and the moment. */
export interface JudgedMoment {
  readonly now: number;
  readonly origin: Origin;
  readonly session?: string | undefined;
  readonly zone?: string | undefined;
  readonly before?: Pick<Before, 'signalId'> | undefined;
}

export interface PastReading {
  readonly past: Past;
  /** Counts the action, in the transaction that claims it. */
  readonly count: (begun: Begun) => readonly Write[];
}

export type ReadPast = (
  table: Pick<Table, 'load'>,
  action: Action,
  moment: JudgedMoment & {
    readonly space: string;
    readonly targets: Targets;
    readonly before?: Pick<Before, 'signalId' | 'n'> | undefined;
  },
) => Promise<PastReading>;

export interface PolicyRuling {
  /** Undefined if no rule speaks about the action. */
  readonly tier: Tier | undefined;
  /** The rules that decided, or the fault; empty if no rule speaks. */
  readonly reason: string;
  /** A rule that permits it names classes or programs of commands. */
  readonly isCommandNamed?: true;
}

export interface SpacePolicy {
  /** Empty without a policy. */
  readonly hash: string;
  readonly rule: (request: PolicyRequest) => PolicyRuling;
  /** Only if a rule asks what was done before, which has to be read first. */
  readonly readPast?: ReadPast;
  /** Tools no call of which can pass. The model is not shown these. */
  readonly hiddenTools: ReadonlySet<string>;
}

/** The ruling if no rule speaks. */
export const SILENT: PolicyRuling = { tier: undefined, reason: '' };

export const hiddenByDefault = (): readonly string[] =>
  TOOLS.filter(({ tier }) => tier === 'deny').map(({ name }) => name);

export const NO_POLICY: SpacePolicy = {
  hash: '',
  rule: () => SILENT,
  hiddenTools: new Set(hiddenByDefault()),
};

/** Cuts a reason to its bound and shows invisible characters. */
export const shortened = (text: string): string => makeVisible(text).slice(0, POLICY_REASON_CHARS_MAX).toWellFormed();

export const deny = (reason: string): PolicyRuling => ({ tier: 'deny', reason: shortened(reason) });

/** Why a call is denied that has not the arguments a rule may look at. */
export const NOT_EVALUATED = 'the policy cannot be evaluated on this action';

/** A policy that cannot be used denies everything, and says why. */
export const brokenPolicy = (hash: string, problem: string): SpacePolicy => ({
  hash,
  rule: () => deny(`the policy cannot be used: ${problem}`),
  hiddenTools: new Set(),
});

export type LoadPolicy = (text: string) => Promise<SpacePolicy>;

/** The feature that reads policies. */
export interface PolicyFeature {
  readonly load: LoadPolicy;
  /** Counts a person's no, for a policy that asks what was done before. */
  readonly countDenied: (
    table: Pick<Table, 'load' | 'transact'>,
    space: string,
    action: Action,
    targets: Targets,
    denied: Begun,
  ) => Promise<void>;
}
