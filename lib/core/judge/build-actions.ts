/**
 * Turns a proposal into the actions that the gates judge. Every default is filled in here, before
 * the first gate (I4): where a reply goes, which address a webhook has. Nothing the model wrote can
 * set author, template, card or route.
 */
import { defined } from '../base/defined.ts';
import type { NamedPlace, Places } from '../ledger/owner-settings.ts';
import { jobOf } from '../money/day-spend.ts';
import { type Action, normaliseName, replyAction, ToolName } from '../signal/action.ts';
import type { Proposal, ProposedCall } from '../signal/decision.ts';
import type { Destination } from '../signal/destination.ts';
import { TYPED_TEXT } from '../signal/ids.ts';
import { mcpTargetOf } from '../signal/mcp-name.ts';
import type { ReplyRoute } from '../signal/signal.ts';
import { findTool } from '../tools/catalogue.ts';
import { filesOf, type Outputs, sendFile } from '../tools/send-file.ts';
import { messagesOf, sendMessage } from '../tools/send-message.ts';
import { addressOf, CALL_WEBHOOK, textBody } from '../tools/webhooks.ts';

type WebhookUrls = Readonly<Record<string, string>>;

export interface Routes {
  readonly reply: ReplyRoute;
  /** Configured outgoing webhooks and MCP servers (`mcp-<server>`), name → URL. */
  readonly webhookUrls: WebhookUrls;
  /** Places that a text may go to, by name. */
  readonly places?: Places;
  /** Outputs that are sent as files. */
  readonly outputs?: Outputs;
  /** Further destinations of a job's answer. */
  readonly copies?: readonly Destination[];
  readonly session?: string;
}

export const buildActions = ({ text = '', calls }: Proposal, routes: Routes): readonly Action[] => [
  ...(text === '' ? [] : buildTexts(text, routes)),
  ...calls.flatMap((call) => buildCalls(call, routes)),
];

const COPY_EXPLANATION = 'The job sends its result to this webhook.';
/** A job's result on its way to a webhook. */
export const isWebhookCopy = ({ target, explanation }: Action): boolean =>
  target === 'webhook' && explanation === COPY_EXPLANATION;

/** The text to whoever is answered, and to each further destination of a job. */
export const buildTexts = (
  text: string,
  { reply, webhookUrls, copies = [], session = '' }: Routes,
): readonly Action[] => [
  replyAction(text, reply),
  ...copies.map((copy): Action => {
    if (copy.target !== 'webhook') return replyAction(text, copy);
    const args = { webhook: copy.to, body: { job: jobOf(session) ?? '', text } };
    return buildCall({ tool: CALL_WEBHOOK, args, explanation: COPY_EXPLANATION }, { webhookUrls });
  }),
];

type CallRoutes = Pick<Routes, 'webhookUrls' | 'places' | 'outputs'> & Partial<Pick<Routes, 'reply'>>;
type ActionCall = Omit<ProposedCall, 'callId'>;

/** A text to a webhook is a call of it, and is judged and shown as one. */
export const textTo = (text: string, place: NamedPlace, explanation: string, { webhookUrls }: CallRoutes): Action =>
  place.target === 'webhook'
    ? buildCall({ tool: CALL_WEBHOOK, args: { webhook: place.to, body: textBody(text) }, explanation }, { webhookUrls })
    : { ...replyAction(text, place), explanation };

/** The same for one that a person typed: the command says yes to it. */
export const typedTextTo = (...given: Parameters<typeof textTo>): Action => {
  const action = textTo(...given);
  return action.target === 'webhook'
    ? { ...action, author: 'code', template: TYPED_TEXT }
    : { ...action, author: 'owner' };
};

const buildMessages = ({ tool, args, explanation }: ActionCall, routes: CallRoutes): readonly Action[] => {
  const { places = new Map(), reply, outputs } = routes;
  const name = normaliseName(tool);
  const texts = name === sendMessage.name ? messagesOf(args, places) : [];
  const files = name === sendFile.name ? filesOf(args, places, reply, outputs) : [];
  return [...texts, ...files].map(({ text, place }) => textTo(text, place, explanation, routes));
};

/** A text to others is an action for each place; any other call is one. */
export const buildCalls = (call: ActionCall, routes: CallRoutes): readonly Action[] => {
  const messages = buildMessages(call, routes);
  return messages.length > 0 ? messages : [buildCall(call, routes)];
};

/** One action: of a text to several places the first. */
export const buildCall = (call: ActionCall, routes: CallRoutes): Action => {
  const [message] = buildMessages(call, routes);
  if (message !== undefined) return message;
  const { webhookUrls } = routes;
  const name = ToolName.safeParse(normaliseName(call.tool));
  const base = {
    // A call with an unusable name stays in the trace, as a call of a tool that does not exist.
    tool: name.success ? name.data : 'unknown-tool',
    args: call.args,
    explanation: call.explanation,
    author: 'model',
  } as const;
  const server = mcpTargetOf(base.tool);
  if (server === undefined && findTool(base.tool)?.target !== 'webhook') return { ...base, target: 'tool' };
  const to = server ?? (typeof call.args.webhook === 'string' ? normaliseName(call.args.webhook) : '');
  const url = Object.hasOwn(webhookUrls, to) ? addressOf(webhookUrls[to] ?? '', call.args.body) : undefined;
  return { ...base, target: 'webhook', to, ...defined({ url }) };
};
