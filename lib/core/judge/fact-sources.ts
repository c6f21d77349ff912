/** The sources of facts: everything that a caller knows before its actions are judged. */

import type { Places } from '../ledger/owner-settings.ts';
import type { Action } from '../signal/action.ts';
import type { Asker, ChatMemory } from '../signal/asker.ts';
import type { Destination } from '../signal/destination.ts';
import type { ApprovalFacts, BudgetFacts, ConsensusFacts, Facts, FloodFacts, GrantFacts } from '../signal/facts.ts';
import type { Origin, ReplyRoute, Sensor } from '../signal/signal.ts';
import type { Table } from '../store/table.ts';
import type { TurnRecords } from '../store/turn-records.ts';
import type { Unreadable } from '../tools/document-facts.ts';
import type { McpCatalogue } from '../tools/mcp-catalogue.ts';
import type { FormContext, Services } from '../tools/tool.ts';
import type { Webhooks } from '../tools/webhooks.ts';
import type { OwnWords } from './own-words.ts';
import type { Before, SpacePolicy } from './space-policy.ts';

export interface Setup {
  /** Secrets to look for in outgoing bytes, by name. */
  readonly secrets?: ReadonlyMap<string, string>;
  /** Privacy tags of the space, beside `personal`. */
  readonly privacyTags?: readonly string[];
  /** Configured outgoing webhooks: name → URL. */
  readonly webhookUrls?: Webhooks['webhookUrls'];
  readonly webhookCalls?: Webhooks['webhookCalls'];
  readonly isLoopbackAllowed?: boolean;
  /** Services that tools ask: tool → service, as the settings name it. */
  readonly services?: Services;
  /** Gives the text of a stored document; undefined if it is gone, or is not read here. */
  readonly documentText?: ((hash: string) => Promise<string | Unreadable | undefined>) | undefined;
  /** Gives the addresses that a URL's host has now; empty if it has none. */
  readonly resolveAddresses?: (url: string) => Promise<readonly string[]>;
}

/** The space as the table has it now. */
export interface SpaceState {
  readonly policyVersion: string;
  /** The owner's policy. It is not asked about texts that code wrote. */
  readonly policy?: SpacePolicy;
  readonly isStopped?: boolean;
  /** Whether the chat that is answered may hear of memory; closed if absent. */
  readonly chatMemory?: ChatMemory;
  /** Says why a model may not use a tool: its skill is off. */
  readonly whyOff?: (tool: string) => string | undefined;
  /** Servers of the Model Context Protocol, and their tools. */
  readonly mcp?: McpCatalogue;
  /** Webhooks that features bring: name → URL. */
  readonly brought?: Readonly<Record<string, string>>;
  readonly records?: TurnRecords;
  /** Places that a text may go to, by name. */
  readonly places?: Places;
}

interface Refused {
  /** Hashes of actions that earlier attempts at this signal were blocked with. */
  readonly refusedHashes?: ReadonlySet<string>;
  /** Hashes (`deniedHash`) of actions that people denied. */
  readonly deniedHashes?: ReadonlySet<string>;
  /** How many actions of the conversation were blocked lately; null for none. */
  readonly flood?: FloodFacts | null;
}

/** The readers for the forms of tools, also those of features; an absent one reads nothing. */
export type FormReads = Partial<Omit<FormContext, FormMoment | FormOfCards>>;

type FormMoment =
  | 'now'
  | 'zone'
  | 'reply'
  | 'session'
  | 'records'
  | 'places'
  | 'whyOff'
  | 'webhookUrls'
  | 'webhookCalls'
  | 'services';
type FormOfCards = 'tierOf' | 'loadPowers' | 'countOpenCards';

/** How the turn began, and what the model was shown in it. */
export interface TurnSources {
  /** The person who began the turn or typed the command; a member if absent. */
  readonly askedBy?: Asker;
  /** An approver tapped this very job under a question of code. */
  readonly isChosen?: boolean;
  /** The action was proposed in a group, from what memory gave. */
  readonly isMemoryShown?: boolean;
  /**
   * Whether these fields hold nothing but what the owner typed in this turn. Absent unless the
   * owner began the turn by a message: then no read passes without a question.
   */
  readonly areOwnWords?: OwnWords;
  /** Links that an untrusted text may repeat as links a person can open. */
  readonly listedLinks?: readonly string[];
}

/** The earlier actions of the space, for a policy that counts them. */
export interface EarlierSources {
  readonly table: Pick<Table, 'load'>;
  /** Names the signal, and gets what was read of the table. */
  readonly before?: Before;
}

/** A person's yes, as it stands at the claim. */
export interface ConsentSources {
  readonly approval?: ApprovalFacts | null;
  /** Compares the grant that was found with exactly these bytes. */
  readonly grantFor?: (action: Action) => GrantFacts;
}

/**
 * Everything known about a signal when its actions are judged. A field that is absent stands for
 * the strictest case, or for nothing of its kind. `baseFacts` makes it.
 */
export interface FactSources {
  readonly stage: Facts['stage'];
  readonly now: number;
  readonly zone?: string | undefined;
  readonly space: string;
  /** Route recorded on the root signal by its ingress. */
  readonly reply: ReplyRoute;
  readonly session?: string;
  /** Kind of the signal that is judged. */
  readonly sensor?: Sensor;
  /** Worst origin of all that the action was made from. */
  readonly origin: Origin;
  readonly turn?: TurnSources;
  /** Destinations of a job's result: an approver approved them with the job. */
  readonly copies?: readonly Destination[];
  readonly setup?: Setup;
  readonly state: SpaceState;
  readonly refused?: Refused;
  readonly reads?: FormReads;
  /** A policy that asks what was done before denies if it is absent. */
  readonly earlier?: EarlierSources;
  /** Gives the cost of an action against the caps; null if it is free. */
  readonly budgetOf?: (action: Action) => BudgetFacts | null;
  /** Proposals of other models about the same question. */
  readonly consensus?: ConsensusFacts | undefined;
  readonly consent?: ConsentSources;
}

/** Gathers some facts of an action. @param found all that were gathered before them */
export type GatherFacts = (
  action: Action,
  sources: FactSources,
  found: Facts,
) => Partial<Facts> | Promise<Partial<Facts>>;
