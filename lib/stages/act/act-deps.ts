/** What Act is given: the table, its one queue, the gates, and the hands it performs with. */

import type { GateSet } from '../../gates/engine/verify.ts';
import type { LoadPolicy } from '../../judge/policy/space-policy.ts';
import type { Actuator } from '../../signal/actuator.ts';
import type { PerceiveMessage } from '../../signal/messages.ts';
import type { Publish } from '../../store/queue.ts';
import type { Table } from '../../store/table.ts';
import type { AtWorkDeps } from '../at-work.ts';
import type { ForgetLate } from '../forget/forget-late.ts';
import type { EffectBudget } from './pay-effect.ts';

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
  /** Telegram chat that hears of what nobody asked for. */
  readonly homeChat?: string | undefined;
  /** Privacy tags of the space, beside `personal`. */
  readonly privacyTags?: readonly string[];
  readonly resolveAddresses: (url: string) => Promise<readonly string[]>;
  readonly loadPolicy: LoadPolicy;
  readonly budget: EffectBudget;
  /** Shows signs of life while a tool takes long; none when it is not given. */
  readonly atWork?: Pick<AtWorkDeps, 'type'> | undefined;
  /** Erases what a decision says of what was forgotten before it was stored. */
  readonly forgetLate?: ForgetLate;
  /** 128 random bits as 32 hex digits: for claims and approvals. */
  readonly newId: () => string;
  /** Of the invocation: its claims are dead when it is over. */
  readonly remainingMs: () => number;
  /**
   * Names this run of a local stack, which alone uses its table. A claim that another run made is
   * dead.
   */
  readonly stackRun?: string | undefined;
  readonly now: () => number;
}
