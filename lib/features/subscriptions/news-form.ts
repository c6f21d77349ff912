/** Pure. */
import { takesText, type WebhookCall } from '../../core/tools/webhooks.ts';

/** How a webhook takes news: whole, or as a text; undefined if its fields are of another kind. */
export const newsFormOf = (call: WebhookCall | undefined): 'whole' | 'text' | undefined => {
  if (call === undefined) return undefined;
  const { body, send, method, parts } = call;
  if (method === 'GET' || parts.length > 0) return undefined;
  if (body === undefined && send === undefined) return 'whole';
  return takesText(call) ? 'text' : undefined;
};
