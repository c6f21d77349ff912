/**
 * The hooks that a feature adds to the stages, which know none by name. Each hook loads its code
 * when used.
 */

import type { GateSet } from '../gates/engine/verify.ts';
import type { Failure } from '../ledger/recover-failure.ts';
import type { Run } from '../ledger/run.ts';
import type { Anchors } from '../log/anchor.ts';
import type { Decision, Effect } from '../signal/decision.ts';
import type { Destination } from '../signal/destination.ts';
import type { PerceiveMessage } from '../signal/messages.ts';
import type { Payload, Signal, TextPiece } from '../signal/signal.ts';
import type { Publish, PublishMany, SendOrder } from '../store/queue.ts';
import type { Item, Table } from '../store/table.ts';
import type { CodeAnswer, CodeContext, PayloadOf } from './code-context.ts';

type Sensor = Payload['sensor'];

/** Code that answers the signals of a sensor without a model. */
export type SensorHook = (context: CodeContext) => Promise<CodeAnswer>;

const isOf = <S extends Sensor>(payload: Payload, sensor: S): payload is PayloadOf<S> => payload.sensor === sensor;

/** The payload of a signal that came by its sensor. @throws Error for another: a mistake of ours */
export const payloadOf = <S extends Sensor>({ signal: { payload } }: CodeContext, sensor: S): PayloadOf<S> => {
  if (isOf(payload, sensor)) return payload;
  throw new Error(`a signal of ${payload.sensor} came to the code for ${sensor}`);
};

export interface EventDeps {
  readonly table: Pick<Table, 'load' | 'put' | 'queryIndex' | 'transact' | 'update'>;
  readonly publishPerceive: Publish<PerceiveMessage>;
  readonly now: () => number;
}

export interface EndedDeps {
  readonly table: Table;
  readonly space: string;
  readonly now: () => number;
  /** The sweep publishes in its place if absent. */
  readonly publishPerceive?: Publish<PerceiveMessage>;
}

/** A signal whose actions are performed, or refused. */
export interface EndedSignal {
  readonly signal: Signal;
  readonly decision: Decision;
  readonly effects: readonly Effect[];
  /** The stored run that the signal is a step of, if the caller has read it. */
  readonly run?: Run | undefined;
}

export interface TickDeps {
  readonly hooks: Hooks;
  readonly table: Table;
  readonly publishPerceive: Publish<PerceiveMessage>;
  readonly publishManyPerceive: PublishMany<PerceiveMessage>;
  /** Sends an order for the owner's machine again. */
  readonly sendOrderOf: SendOrder;
  /** Loaded only if something is told. */
  readonly loadGateSet: () => Promise<GateSet>;
  readonly space: string;
  /** Telegram chat that gets texts nobody asked for. */
  readonly homeChat?: string | undefined;
  /** The setting MEMORY_AUTO_SAVE_MINUTES; its default if absent. */
  readonly autoSaveMinutes?: number;
  readonly now: number;
}

/** Items of the index of jobs whose moment has come. */
export interface TickHook {
  readonly takes: (item: Item) => boolean;
  /** @returns the number of runs started, and the first error: one bad item holds up no other */
  readonly look: (deps: TickDeps, items: readonly Item[]) => Promise<{ started: number; fault?: unknown }>;
}

/** Counts of the work that a tick found, by its kind. */
export type TickReport = Readonly<Record<string, number>>;

/** @param tick names the tick */
export type WorkHook = (
  deps: Pick<TickDeps, 'publishPerceive' | 'space' | 'homeChat' | 'now'> & {
    readonly table: Pick<Table, 'load' | 'put'>;
  },
  tick: string,
  report: TickReport,
) => Promise<void>;

/** Makes what a feature keeps by itself, once in the life of a process. */
export type Maintain = (deps: {
  readonly table: Pick<Table, 'load' | 'transact'>;
  readonly space: string;
  readonly now: number;
  readonly zone: string;
  /** Gets what goes to nobody by name. */
  readonly home: Destination | undefined;
}) => Promise<unknown>;

/** Whether a tick wakes the log and does nothing more. @param slot names the tick */
export type TickHold = (slot: string) => Promise<boolean>;

/** A table that is an older copy of what was anchored. */
export interface OlderCopy {
  /** Leaves of the newest anchored checkpoint, and those that were found. */
  readonly anchored: number;
  readonly found: number;
}

export interface HoldDeps {
  readonly table: Table;
  readonly space: string;
  readonly anchors: Pick<Anchors, 'newest' | 'forgottenSince'> | undefined;
  readonly now: () => number;
  readonly onOlderCopy: (copy: OlderCopy) => void;
  /** Asks Act to forget again. @param slot names this tick */
  readonly forgetAgain: (slot: string) => Promise<void>;
}

/** Made once in a process's life. */
export type BuildHold = (deps: HoldDeps) => TickHold;

/** Accounts for work that is due in an older copy of the table, and does none of it. */
export type AfterRestore = (deps: Pick<TickDeps, 'table' | 'space' | 'now'>, why: string) => Promise<void>;
/** A table that an older copy replaced: what these items stand for may have happened since. */
export interface RestoredHook {
  readonly takes: TickHook['takes'];
  readonly lose: (deps: Pick<TickDeps, 'table' | 'space' | 'now'>, items: readonly Item[]) => Promise<void>;
}

export interface GivenUpDeps {
  readonly table: Table;
  readonly publishPerceive: Publish<PerceiveMessage>;
  readonly now: number;
}

/**
 * Leaves a signal that is given up, ends it without the model, ends it with a text, or has the
 * model try once more with other words.
 */
export type Choice = 'skip' | 'abort' | { readonly text: string } | { readonly retry: TextPiece };

export interface Chosen {
  /** The words for what chose: `the skill tidy`. */
  readonly by: string;
  readonly choice: Choice;
}

export interface FeatureHooks {
  readonly sensors?: { readonly [S in Sensor]?: SensorHook };
  /** A signal begins: it is not answered yet. */
  readonly onBegun?: (deps: EventDeps, signal: Signal) => Promise<void>;
  /** Takes an event in place of the model. @returns the names of what works on it now */
  readonly takeEvent?: (deps: EventDeps, signal: Signal) => Promise<readonly string[]>;
  /** The signal that follows one; undefined if none does. */
  readonly nextSignal?: (deps: EndedDeps, ended: EndedSignal) => Promise<Signal | undefined>;
  /** A signal of a turn ended, and may have been its last. */
  readonly onEnded?: (deps: EndedDeps, signal: Signal) => Promise<void>;
  readonly onTick?: TickHook;
  /** A tick found work. */
  readonly onWork?: WorkHook;
  readonly maintain?: Maintain;
  /** Of the effects of a signal that something outside has: those that can be settled now. */
  readonly findEnded?: (
    deps: Pick<TickDeps, 'table' | 'space' | 'now'>,
    id: string,
    handed: readonly Effect[],
  ) => Promise<readonly Effect[]>;
  /** The names of what a stop of the space ends outside. */
  readonly namesStopped?: (deps: Pick<TickDeps, 'table' | 'space'>) => Promise<readonly string[]>;
  readonly onGivenUp?: (deps: GivenUpDeps, signal: Signal, failure: Failure) => Promise<Chosen | undefined>;
}

export type Hooks = readonly FeatureHooks[];

export const findSensorHook = (hooks: Hooks, sensor: Sensor): SensorHook | undefined =>
  hooks.flatMap(({ sensors }) => sensors?.[sensor] ?? [])[0];

/** The names of all that takes an event. */
export const takeEvent = async (hooks: Hooks, deps: EventDeps, signal: Signal): Promise<readonly string[]> =>
  (await Promise.all(hooks.map(async (hook) => (await hook.takeEvent?.(deps, signal)) ?? []))).flat();

/** The first signal that a feature has follow. */
export const nextSignal = async (hooks: Hooks, deps: EndedDeps, ended: EndedSignal): Promise<Signal | undefined> => {
  for (const hook of hooks) {
    const next = await hook.nextSignal?.(deps, ended);
    if (next !== undefined) return next;
  }
  return undefined;
};

export const tellBegun = async (hooks: Hooks, deps: EventDeps, signal: Signal): Promise<void> => {
  for (const hook of hooks) await hook.onBegun?.(deps, signal);
};

/** Tells of a tick that found work; a tick without any is told to nobody. */
export const tellWork = async (hooks: Hooks, ...[deps, tick, report]: Parameters<WorkHook>): Promise<void> => {
  if (Object.values(report).every((count) => count === 0)) return;
  for (const hook of hooks) await hook.onWork?.(deps, tick, report);
};

export const tellEnded = async (hooks: Hooks, deps: EndedDeps, signal: Signal): Promise<void> => {
  for (const hook of hooks) await hook.onEnded?.(deps, signal);
};

export const findEnded = async (
  hooks: Hooks,
  ...given: Parameters<NonNullable<FeatureHooks['findEnded']>>
): Promise<readonly Effect[]> =>
  (await Promise.all(hooks.map(async (hook) => (await hook.findEnded?.(...given)) ?? []))).flat();

export const namesStopped = async (
  hooks: Hooks,
  ...given: Parameters<NonNullable<FeatureHooks['namesStopped']>>
): Promise<readonly string[]> =>
  (await Promise.all(hooks.map(async (hook) => (await hook.namesStopped?.(...given)) ?? []))).flat();

/** The choice of the first feature. */
export const tellGivenUp = async (
  hooks: Hooks,
  deps: GivenUpDeps,
  signal: Signal,
  failure: Failure,
): Promise<Chosen | undefined> => {
  for (const hook of hooks) {
    const chosen = await hook.onGivenUp?.(deps, signal, failure);
    if (chosen !== undefined) return chosen;
  }
  return undefined;
};
