/** Sends fields to a webhook configured by name; the model never gives an address. */
import * as z from 'zod/mini';
import { fieldsWords, named } from '../../core/text/quoted.ts';
import { defineWebhookTool, loadParts } from '../../core/tools/tool.ts';

export const callWebhook = defineWebhookTool({
  name: 'call-webhook',
  description: 'Send a JSON object to one of the configured webhooks, by its name. The owner is asked first.',
  sentence: ({ webhook, body }) => `Call the webhook ${named(webhook)}${fieldsWords(body)}`,
  args: z.strictObject({
    webhook: z.string().check(z.regex(/\S/), z.maxLength(64)),
    body: z.record(z.string(), z.unknown()),
  }),
  tier: 'ask',
  kind: 'idempotent',
  outputOrigin: 'outside',
  loadForm: async () => (await loadParts()).FEATURE_PARTS.WEBHOOK_FORM,
});

export const WEBHOOK_TOOLS = [callWebhook] as const;
