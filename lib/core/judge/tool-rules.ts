/** The type of rules about tools that features bring, beside policy and rights. */
import type { OwnerSettings, Places } from '../ledger/owner-settings.ts';
import type { TurnRecords } from '../store/turn-records.ts';

export interface ToolRules {
  /**
   * Why no model may use this tool, as a gate's reason; undefined if it may.
   * @param settings undefined if they cannot be read
   */
  readonly whyOff?: (tool: string, settings: OwnerSettings | undefined) => string | undefined;
  /** Webhooks by name: their addresses. */
  readonly webhooks?: (records: TurnRecords, settings: OwnerSettings | undefined) => Readonly<Record<string, string>>;
  /** Places of channels that a text may go to, by name. */
  readonly places?: (records: TurnRecords, settings: OwnerSettings | undefined) => Places;
}
