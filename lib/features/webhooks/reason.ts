/** The part of webhooks in Reason: the model is told of those that there are. Pure. */
import { isObject } from '../../core/base/json.ts';
import type { ReasonFeature } from '../../core/stages/reason/reason-feature.ts';
import { CALL_WEBHOOK, ownField, type WebhookCall, type Webhooks } from '../../core/tools/webhooks.ts';

/** Characters about all webhooks in a prompt: some twenty with two fields each. */
const WEBHOOKS_CHARS_MAX = 2_400;

const fieldWords = ([name, schema]: readonly [string, unknown], required: unknown): string => {
  const about = ownField(schema, 'description') ?? ownField(schema, 'enum');
  const mark = Array.isArray(required) && required.includes(name) ? '' : '?';
  return `${name}${mark}${about === undefined ? '' : ` (${Array.isArray(about) ? about.join(' | ') : String(about)})`}`;
};

const webhookWords = (name: string, { says, body, parts }: WebhookCall): string => {
  const properties = ownField(body, 'properties');
  const fields = isObject(properties) ? Object.entries(properties) : [];
  const bare = parts.filter((part) => !fields.some(([field]) => field === part));
  const words = [...bare, ...fields.map((field) => fieldWords(field, body?.required))].join(', ');
  return `\n- ${name}${says === undefined ? '' : `: ${says}`}${words === '' ? '' : ` Body: ${words}.`}`;
};

/** The webhooks that there are, as a model is told of them. */
export const describeWebhooks = (webhookCalls: Webhooks['webhookCalls']): string => {
  const lines = Object.entries(webhookCalls).map(([name, call]) => webhookWords(name, call));
  let left = WEBHOOKS_CHARS_MAX;
  const shown = lines.filter((line) => {
    left -= line.length;
    return left >= 0;
  });
  const more = lines.length - shown.length;
  return `${shown.join('')}${more > 0 ? `\n- ${more} more` : ''}`;
};

export const reasonWebhooks: ReasonFeature = {
  describeMore: (tool, { webhookCalls }) => (tool === CALL_WEBHOOK ? describeWebhooks(webhookCalls) : ''),
};
