/** One signal that code answers, and the forms an answer has. */

import type { JsonObject } from '../base/json.ts';
import type { Language } from '../base/language.ts';
import type { GateSet } from '../gates/engine/verify.ts';
import type { Notice } from '../judge/notices.ts';
import type { CommandName } from '../ledger/command-rights.ts';
import type { OwnerSettings } from '../ledger/owner-settings.ts';
import type { EndedBecause, SignalRecord } from '../ledger/record.ts';
import { standingOf } from '../ledger/standing.ts';
import type { MemoryReads } from '../memory/memory.ts';
import type { LiveObject } from '../memory/object.ts';
import type { BudgetCaps } from '../money/caps.ts';
import { isGroup } from '../signal/channels.ts';
import type { Decision, SeenObject } from '../signal/decision.ts';
import type { ActMessage, PerceiveMessage } from '../signal/messages.ts';
import type { Origin, Payload, Signal } from '../signal/signal.ts';
import type { Publish } from '../store/queue.ts';
import type { Variables } from '../store/settings.ts';
import type { Table } from '../store/table.ts';
import { isMarkedPrivate } from '../text/privacy.ts';
import type { Webhooks } from '../tools/webhooks.ts';
import type { Feature } from './feature.ts';
import type { Hooks } from './hooks.ts';

export interface CodeDeps {
  readonly features: readonly Feature[];
  readonly hooks: Hooks;
  readonly table: Table;
  readonly memory: MemoryReads;
  /** Privacy tags of the space, beside `personal`. */
  readonly privacyTags: readonly string[];
  readonly publishPerceive: Publish<PerceiveMessage>;
  readonly publishAct: Publish<ActMessage>;
  readonly gateSet: GateSet;
  readonly assistant: string;
  /** Skills that nobody switches off or removes; none if absent. */
  readonly mandatorySkills?: readonly string[];
  /** The model providers in order, as `npm start` prints them; not known if absent or empty. */
  readonly providerNames?: readonly string[];
  /** The environment's values of the settings that `/config` changes. */
  readonly configured?: Variables;
  /** Chat that gets texts nobody asked for; absent if there is none. */
  readonly homeChat?: string | undefined;
  /** Of the stored live settings that all of these were made with; absent if none is stored. */
  readonly settingsVersion?: string | undefined;
  /** Configured outgoing webhooks: name → URL. */
  readonly webhookUrls: Webhooks['webhookUrls'];
  readonly webhookCalls?: Webhooks['webhookCalls'];
  readonly isLoopbackAllowed: boolean;
  readonly resolveAddresses: (url: string) => Promise<readonly string[]>;
  readonly zone: string;
  readonly caps: BudgetCaps;
  readonly now: () => number;
}

export interface CodeContext extends Omit<CodeDeps, 'now'> {
  readonly signal: Signal;
  readonly record: SignalRecord;
  /** Of the owner; undefined if this release cannot read them. */
  readonly settings: OwnerSettings | undefined;
  /** Of the chat that the signal came from, and of every answer there. */
  readonly language: Language;
  /** Epoch milliseconds, one moment for the whole answer. */
  readonly now: number;
}

export type CodeAnswer =
  /** Texts to send, and the memory objects they show. No text: there was nothing to do. */
  | { readonly notices: readonly Notice[]; readonly seen?: readonly SeenObject[] }
  /** One action, judged and performed like any other. */
  | { readonly call: CommandCall }
  | { readonly decision: Decision }
  /** Ends without a word, for this reason. */
  | { readonly ending: string; readonly because?: EndedBecause };

export const notesOf =
  ({ memory }: Pick<CodeContext, 'memory'>) =>
  async () =>
    (await memory.view()).objects;

/** In a group others read the answer too: nothing private is shown there. */
export const hiderOf = ({ signal, privacyTags }: Pick<CodeContext, 'signal' | 'privacyTags'>) =>
  isGroup(signal.reply) ? (object: LiveObject) => isMarkedPrivate(object, privacyTags) : () => false;

export const say = (...list: readonly Notice[]): CodeAnswer => ({ notices: list });

export interface CommandCall {
  readonly tool: string;
  readonly args: JsonObject;
  /** Replaces the command's name if no command was typed. */
  readonly explanation?: string;
  readonly seen?: readonly SeenObject[];
}

/** @param rest the words after the command, trimmed */
export type Command = (context: CodeContext, rest: string, name: CommandName) => Promise<CodeAnswer> | CodeAnswer;

export type PayloadOf<S extends Payload['sensor']> = Extract<Payload, { sensor: S }>;

/** A command counts as own words from the owner or an approver; others' are outside (I13). */
export const commandOrigin = (signal: Pick<Signal, 'source' | 'sender'>): Origin =>
  standingOf(signal) === 'anyone' ? 'outside' : 'owner';
