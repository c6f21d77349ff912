/** The type of a feature's part in Act. */

import type { Cedar } from '../judge/code/cedar-engine.ts';
import type { Rules, TierMoment } from '../judge/tier-of.ts';
import type { MemoryStore } from '../memory/memory.ts';
import type { Action } from '../signal/action.ts';
import type { Actuator, HandingActuator } from '../signal/actuator.ts';
import type { Decision } from '../signal/decision.ts';
import type { Destination } from '../signal/destination.ts';
import type { PerceiveMessage } from '../signal/messages.ts';
import type { Signal } from '../signal/signal.ts';
import type { Contents } from '../store/contents.ts';
import type { Publish, SendOrder } from '../store/queue.ts';
import type { runFunction } from '../store/run-function.ts';
import type { Secrets } from '../store/secrets.ts';
import type { Environment } from '../store/settings.ts';
import type { Table } from '../store/table.ts';
import type { Unreadable } from '../tools/document-facts.ts';
import type { OutputStore } from '../tools/long-output.ts';
import type { Mark } from '../tools/marks.ts';
import type { shownInResults } from '../tools/show-objects.ts';
import type { ToolPowers, ToolRecords } from '../tools/tool.ts';
import type { Webhooks } from '../tools/webhooks.ts';

/** The parts that Act makes the powers of a feature's tools of. */
export interface PowerContext {
  readonly table: Table;
  readonly space: string;
  readonly memory: MemoryStore;
  /** The store of pictures and documents; undefined if there are none. */
  readonly contents: Contents | undefined;
  /** Privacy tags of the space, beside `personal`. */
  readonly privacyTags: readonly string[];
  readonly zone: string;
  /** Gets what goes to nobody by name: the home chat, or else the console. */
  readonly home: Destination | undefined;
  readonly webhooks: Webhooks;
  readonly publishPerceive: Publish<PerceiveMessage>;
  readonly loadCedar: () => Promise<Cedar>;
}

/** The parts that Act gives to a feature's own work, beside calls of its tools. */
export interface ActWork extends Pick<PowerContext, 'table' | 'space' | 'memory' | 'contents'> {
  readonly features: readonly ActFeature[];
  readonly records: ToolRecords;
  readonly powers: ToolPowers;
  readonly newId: () => string;
  readonly now: () => number;
}

/**
 * Other functions and services that features ask; a simulation has its own. A feature adds its own
 * to this interface.
 */
export interface ActWays {
  readonly contents: Contents | undefined;
  readonly runFunction: typeof runFunction;
}

/** The parts that only Act has: settings with secrets, queues, the files of its channels. */
export interface KeyContext {
  readonly table: Table;
  readonly space: string;
  readonly env: Environment<'act'>;
  readonly secrets: Secrets;
  readonly ways: Partial<ActWays>;
  readonly publishPerceive: Publish<PerceiveMessage>;
  readonly sendOrder: SendOrder;
  readonly newNonce: () => string;
  /** The bytes of a file that came with a message of the session. @throws ProtocolError */
  readonly fetchFile: (session: string, file: string, bytesMax: number) => Promise<Uint8Array<ArrayBuffer>>;
  /** The secret that signs what leaves for the owner's machines; undefined if none is set. */
  readonly loadSigningSecret: () => Promise<string | undefined>;
}

export interface ShownToTurn {
  readonly seen?: Decision['seen'];
  /** Commit its prompt was made at. */
  readonly since?: number;
  readonly results?: Parameters<typeof shownInResults>[0];
}

/** The part of a feature in Act, loaded with the first call of a tool. */
export interface ActFeature {
  /** @param powers those of the core, and of the features before it in the list */
  readonly buildPowers?: (context: PowerContext, powers: Partial<ToolPowers>) => Partial<ToolPowers>;
  readonly buildKeyPowers?: (context: KeyContext) => Partial<ToolPowers>;
  /** Calls tools of other servers; of one feature at most. */
  readonly buildRemote?: (context: KeyContext, keepOutput: OutputStore['keep']) => Actuator;
  /** Calls configured webhooks; of one feature at most. */
  readonly buildWebhook?: (context: KeyContext, keepOutput: OutputStore['keep']) => Actuator;
  /**
   * Performs the calls that are handed over, and collects their ends; of one feature at most.
   * @param keepOutput keeps nothing of a signed text that holds a secret
   */
  readonly buildHanding?: (context: KeyContext, keepOutput: OutputStore['keep']) => HandingActuator;
  /** Marks lines for the card of a change of rights. */
  readonly markCard?: (action: Action, rules: Rules, moment: TierMoment, mark: Mark) => void;
  /**
   * Gives the text of a stored document that is not kept; of one feature at most.
   * @returns undefined if its bytes are gone, or are not what its name says
   */
  readonly readStored?: (context: KeyContext, hash: string) => Promise<string | Unreadable | undefined>;
  /** Says an answer aloud; of one feature at most. @throws ProtocolError if no model speaks */
  readonly sayAloud?: (
    context: KeyContext,
    text: string,
    noteCost: (usd: number) => void,
  ) => Promise<Uint8Array<ArrayBuffer>>;
  /** Erases a turn's words if the turn was shown something that is forgotten by now. */
  readonly forgetLate?: (work: ActWork, signal: Signal, shown: ShownToTurn) => Promise<boolean>;
  /** Forgets again after a restore. @param remainingMs of the invocation */
  readonly forgetAgain?: (work: ActWork, remainingMs: () => number) => Promise<void>;
}

/** @returns whether some of it is forgotten by now, and the turn's words with it */
export const forgetLate = async (work: ActWork, signal: Signal, shown: ShownToTurn): Promise<boolean> => {
  const forgotten: (boolean | undefined)[] = [];
  for (const feature of work.features) forgotten.push(await feature.forgetLate?.(work, signal, shown));
  return forgotten.includes(true);
};

export const forgetAgain = async (work: ActWork, remainingMs: () => number): Promise<void> => {
  for (const feature of work.features) await feature.forgetAgain?.(work, remainingMs);
};
