/** The type of a feature's part in Act. */

import type { Cedar } from '../judge/policy/space-policy.ts';
import type { PerceiveMessage } from '../signal/messages.ts';
import type { Publish } from '../store/queue.ts';
import type { Table } from '../store/table.ts';
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
  readonly publishPerceive: Publish<PerceiveMessage>;
  readonly loadCedar: () => Promise<Cedar>;
}

/** The part of a feature in Act, loaded with the first call of a tool. */
export interface ActFeature {
  /** @param powers those of the core, and of the features before it in the list */
  readonly buildPowers?: (context: PowerContext, powers: Partial<ToolPowers>) => Partial<ToolPowers>;
}
