/** The form of `call-webhook`: the fields that the settings ask for, and what the card shows. */
import { canonicalJson } from '../../core/base/canonical.ts';
import { isObject, type JsonObject } from '../../core/base/json.ts';
import { jobOf } from '../../core/money/day-spend.ts';
import { normaliseName } from '../../core/signal/action.ts';
import { argumentProblems } from '../../core/tools/argument-problems.ts';
import { mcpArgumentProblems } from '../../core/tools/schema-arguments.ts';
import type { FormContext, ToolForm } from '../../core/tools/tool.ts';
import { partText, type WebhookCall } from '../../core/tools/webhooks.ts';
import { webhookBody } from './body.ts';
import { callWebhook } from './tools.ts';

const callOf = ({ webhook }: JsonObject, { webhookCalls = {} }: FormContext): WebhookCall | undefined => {
  const name = typeof webhook === 'string' ? normaliseName(webhook) : '';
  return Object.hasOwn(webhookCalls, name) ? webhookCalls[name] : undefined;
};

/** The result of a job names the job, whatever fields its webhook has: code gives the name. */
const withoutJob = (args: JsonObject, session = ''): JsonObject => {
  const job = jobOf(session);
  if (!isObject(args.body) || job === undefined || args.body.job !== job) return args;
  const { job: _name, ...body } = args.body;
  return { ...args, body };
};

const bodyProblems = (call: WebhookCall, given: JsonObject, session?: string): readonly string[] => {
  const fields = call.body?.properties;
  const args = isObject(fields) && Object.hasOwn(fields, 'job') ? given : withoutJob(given, session);
  const body = isObject(args.body) ? args.body : {};
  const missing = call.parts.filter((name) => partText(Object.hasOwn(body, name) ? body[name] : undefined) === '');
  const schema = { type: 'object', ...call.body };
  const wrong = mcpArgumentProblems({ properties: { body: schema }, additionalProperties: true }, args);
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
    return problems.length > 0 || call === undefined ? problems : bodyProblems(call, args, context.session);
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
