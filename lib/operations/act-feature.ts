/** The type of a feature's part in Act. */
import type { Cedar } from '../judge/policy/space-policy.ts';
import type { HandingActuator } from '../signal/actuator.ts';
import type { PerceiveMessage } from '../signal/messages.ts';
import type { Publish, SendOrder } from '../store/queue.ts';
import type { Table } from '../store/table.ts';
import type { OutputStore } from '../tools/long-output.ts';
import type { ToolPowers } from '../tools/tool.ts';
import type { Webhooks } from '../tools/webhooks.ts';

/** The parts that Act makes the powers of a feature's tools of. */
export interface PowerContext {
  readonly table: Table;
  readonly space: string;
  /** Privacy tags of the space, beside `personal`. */
  readonly privacyTags: readonly string[];
  readonly zone: string;
  readonly webhooks: Webhooks;
  readonly loadCedar: () => Promise<Cedar>;
}

/** The same with keys and queues, which only Act has. */
export interface KeyContext {
  readonly table: Table;
  readonly space: string;
  readonly publishPerceive: Publish<PerceiveMessage>;
  readonly sendOrder: SendOrder;
  readonly newNonce: () => string;
  /** The secret that signs what leaves for the owner's machines; undefined if none is set. */
  readonly loadSigningSecret: () => Promise<string | undefined>;
}

/** The part of a feature in Act, loaded with the first call of a tool. */
export interface ActFeature {
  /** @param powers those of the core, and of the features before it in the list */
  readonly buildPowers?: (context: PowerContext, powers: Partial<ToolPowers>) => Partial<ToolPowers>;
  readonly buildKeyPowers?: (context: KeyContext) => Partial<ToolPowers>;
  /**
   * Performs the calls that are handed over, and collects their ends; of one feature at most.
   * @param keepOutput keeps nothing of a signed text that holds a secret
   */
  readonly buildHanding?: (context: KeyContext, keepOutput: OutputStore['keep']) => HandingActuator;
}
