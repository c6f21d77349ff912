/**
 * Sends fields to a webhook that the operator configured by name. The webhook actuator performs it,
 * at the configured address; the model never gives one. The body has the fields that the settings
 * of this webhook ask for.
 */
import * as z from 'zod/mini';
import { canonicalJson } from '../base/canonical.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { normaliseName } from '../signal/action.ts';
import { fieldsWords, named } from '../text/quoted.ts';
import { argumentProblems } from './argument-problems.ts';
import { mcpArgumentProblems } from './mcp/arguments.ts';
import { defineWebhookTool, type FormContext, type ToolForm } from './tool.ts';
import { partText, type WebhookCall } from './webhooks.ts';

const callOf = ({ webhook }: JsonObject, { webhookCalls = {} }: FormContext): WebhookCall | undefined => {
  const name = typeof webhook === 'string' ? normaliseName(webhook) : '';
  return Object.hasOwn(webhookCalls, name) ? webhookCalls[name] : undefined;
};

const bodyProblems = (call: WebhookCall, args: JsonObject): readonly string[] => {
  const body = isObject(args.body) ? args.body : {};
  const missing = call.parts.filter((name) => partText(Object.hasOwn(body, name) ? body[name] : undefined) === '');
  const wrong = mcpArgumentProblems({ properties: { body: { type: 'object', ...call.body } } }, args);
  return [...new Set([...missing.map((name) => `body.${name} is missing`), ...wrong])];
};

const FORM: ToolForm = {
  complete: async (args) => args,
  findProblems: async (args, context) => {
    const problems = argumentProblems(callWebhook, args);
    const call = callOf(args, context);
    return problems.length > 0 || call === undefined ? problems : bodyProblems(call, args);
  },
  describe: async (args, context) => {
    const { method = 'POST' } = callOf(args, context) ?? {};
    return [`With: ${canonicalJson(args)}`, ...(method === 'POST' ? [] : [`Method: ${method}`])];
  },
};

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
  loadForm: async () => FORM,
});
