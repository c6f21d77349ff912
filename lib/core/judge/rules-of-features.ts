/** The rules of features about tools. Reason asks them, and Act again before it performs. Pure. */
import { TOOL_RULES } from '../../features/tool-rules.ts';
import type { OwnerSettings, Places } from '../ledger/owner-settings.ts';
import type { TurnRecords } from '../store/turn-records.ts';

export const whyOff = (tool: string, settings: OwnerSettings | undefined): string | undefined =>
  TOOL_RULES.flatMap((rules) => rules.whyOff?.(tool, settings) ?? [])[0];

export const broughtWebhooks = (
  records: TurnRecords = {},
  settings: OwnerSettings | undefined,
): Readonly<Record<string, string>> =>
  Object.assign({}, ...TOOL_RULES.map(({ webhooks }) => webhooks?.(records, settings) ?? {}));

export const broughtPlaces = (records: TurnRecords = {}, settings: OwnerSettings | undefined): Places =>
  new Map(TOOL_RULES.flatMap(({ places }) => [...(places?.(records, settings) ?? [])]));
