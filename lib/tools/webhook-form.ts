/** The form of `call-webhook`: the fields that the settings ask for, and what the card shows. */
import { canonicalJson } from '../base/canonical.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { normaliseName } from '../signal/action.ts';
import { argumentProblems } from './argument-problems.ts';
import { callWebhook } from './call-webhook.ts';
import { mcpArgumentProblems } from './mcp/arguments.ts';
import type { FormContext, ToolForm } from './tool.ts';
import { webhookBody } from './webhook-body.ts';
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

/** With *** for what only the settings know. */
const sentBody = ({ hides, ...call }: WebhookCall, { body }: JsonObject): string | undefined => {
  const fixed = hides && Object.fromEntries(hides.map((name) => [name, '***']));
  return webhookBody({ ...call, fixed }, isObject(body) ? body : {});
};

export const WEBHOOK_FORM: ToolForm = {
  complete: async (args) => args,
  findProblems: async (args, context) => {
    const problems = argumentProblems(callWebhook, args);
    const call = callOf(args, context);
    return problems.length > 0 || call === undefined ? problems : bodyProblems(call, args);
  },
  describe: async (args, context) => {
    const call = callOf(args, context);
    const given = canonicalJson(isObject(args.body) ? args.body : {});
    const sent = call === undefined ? undefined : sentBody(call, args);
    return [
      `With: ${canonicalJson(args)}`,
      `Method: ${call?.method ?? 'POST'}`,
      ...(sent === undefined || sent === given ? [] : [`Sent: ${sent}`]),
    ];
  },
};
