/** What Reason works with: the store, the models, the gates, and what its owner set. Narrow functions, so that all else is pure. */

import type { GateSet } from '../../gates/engine/verify.ts';
import type { EventLinkHosts } from '../../judge/listed-links.ts';
import type { LoadPolicy } from '../../judge/policy/space-policy.ts';
import type { CascadeAnswer } from '../../llm/cascade.ts';
import type { Hear } from '../../llm/chat.ts';
import type { SelectModel } from '../../llm/choose-model.ts';
import type { Priced } from '../../llm/prices.ts';
import type { Prompt } from '../../prompt/build-prompt.ts';
import type { ActMessage, ReasonMessage } from '../../signal/messages.ts';
import type { Publish } from '../../store/queue.ts';
import type { Table } from '../../store/table.ts';
import type { AtWorkDeps } from '../at-work.ts';
import type { Budget } from '../spending.ts';
import type { DraftDeps } from './draft.ts';
import type { LookAtMemory } from './look-at-memory.ts';

/** Who is to be asked, in order, and how the prompt gets shorter where it is too long for one of them. */
export interface AskedProviders {
  readonly providers: readonly Pick<Priced, 'name' | 'model' | 'tier'>[];
  readonly shrink: (tokensMax: number) => Prompt | undefined;
  /** Hears the answer as it comes. */
  readonly hear?: Hear | undefined;
}

export interface ReasonDeps {
  readonly table: Pick<Table, 'load' | 'put' | 'update' | 'transact'>;
  readonly publishAct: Publish<ActMessage>;
  /** Brings a signal back for which no model could be reached. */
  readonly publishReason: Publish<ReasonMessage>;
  readonly gateSet: GateSet;
  /** Asks the cascade, within the invocation's remaining time. */
  readonly ask: (prompt: Prompt, remainingMs: () => number, asked: AskedProviders) => Promise<CascadeAnswer>;
  readonly identity: {
    readonly assistant: string;
    readonly user: string;
    readonly zone: string;
    readonly version: string;
  };
  readonly providerNames: readonly string[];
  readonly promptTokensMax: number;
  readonly secrets: ReadonlyMap<string, string>;
  readonly webhookUrls: Readonly<Record<string, string>>;
  readonly isLoopbackAllowed: boolean;
  /** Whose events' links may stay tappable; none where it is not given. */
  readonly eventLinkHosts?: EventLinkHosts;
  /** Privacy tags of the space, beside `personal`. */
  readonly privacyTags?: readonly string[];
  readonly resolveAddresses: (url: string) => Promise<readonly string[]>;
  readonly loadPolicy: LoadPolicy;
  readonly lookAtMemory: LookAtMemory;
  readonly budget: Budget;
  /**
   * Hears that the day's money or tokens have no room for a question; nobody if it is not given.
   */
  readonly onDaySpent?: () => void;
  /** Providers asked about a proposal of high impact, the first one included; none beside it where it is not given. */
  readonly consensusProviders?: number;
  /** Where answers are streamed to; nowhere where it is not given. */
  readonly drafts?: DraftDeps | undefined;
  /** May name a model for a question, or leave providers out. */
  readonly selectModel?: SelectModel;
  /** Shows signs of life of a long turn; none when it is not given. */
  readonly atWork?: Pick<AtWorkDeps, 'type'> | undefined;
  readonly now: () => number;
}
