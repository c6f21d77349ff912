/**
 * The commands `/provider add|try|order|off|on|remove`. They decide where all the owner's words go,
 * so only people use them, and an approver approves each change on its card (I14). An address of
 * this machine has tools of its own: the gate `network` judges all other addresses.
 */
import * as z from 'zod/mini';
import { isLoopback } from '../../core/store/setting-forms.ts';
import { quoted } from '../../core/text/quoted.ts';
import { defineTool, powerOf, type ToolContext, type ToolOutput } from '../../core/tools/tool.ts';
import type { ProviderPowers } from './provider-powers.ts';

declare module '../../core/tools/tool.ts' {
  interface ToolPowers {
    readonly providers?: ProviderPowers;
  }
}

const short = z.string().check(z.maxLength(300));
const order = z.string().check(z.maxLength(4_000));
const url = z.string().check(z.maxLength(2_000));
const localUrl = url.check(z.refine((text) => URL.canParse(text) && isLoopback(new URL(text))));
const added = { name: short, models: short, order };
const tried = { name: short, models: short };

const MANAGING = {
  tier: 'ask',
  isForPeople: true,
  isAlwaysAsked: true,
  kind: 'idempotent',
  outputOrigin: 'clean',
} as const;
const TRYING = { tier: 'allow', isForPeople: true, kind: 'read', outputOrigin: 'outside' } as const;

interface Added {
  readonly name: string;
  readonly url: string;
  readonly models: string;
  readonly order: string;
}

const addSentence = ({ name, url, models, order }: Added): string =>
  `Add the model provider ${name} at ${quoted(url)}${models === '' ? '' : `, with ${quoted(models)}`}; models are asked in the order ${order}`;

const ofProvider = async (lines: Promise<readonly string[]>): Promise<ToolOutput> => ({
  output: (await lines).join('\n'),
  origin: 'outside',
});

type Reach = Pick<ToolContext, 'addresses'>;
/** Such a tool connects to this machine alone, whose addresses no gate judges. */
const HERE: Reach = {};

const add = ({ powers, signalId: signal, approvedBy, actor, now }: ToolContext, reach: Reach, args: Added) =>
  ofProvider(powerOf(powers, 'providers').add({ ...args, ...reach, signal, by: approvedBy ?? actor, now }));

const tryOne = ({ powers }: ToolContext, reach: Reach, args: Omit<Added, 'order'>) =>
  ofProvider(powerOf(powers, 'providers').try({ ...args, ...reach }));

/** None were judged: then it connects to nothing. */
const judged = ({ addresses = [] }: ToolContext): Reach => ({ addresses });

export const addProvider = defineTool({
  name: 'add-provider',
  sentence: addSentence,
  args: z.strictObject({ ...added, url }),
  ...MANAGING,
  outputOrigin: 'outside',
  effects: { connectsTo: 'url', changesAuthority: true },
  run: async (args, context) => add(context, judged(context), args),
});

export const addLocalProvider = defineTool({
  name: 'add-local-provider',
  sentence: addSentence,
  args: z.strictObject({ ...added, url: localUrl }),
  ...MANAGING,
  outputOrigin: 'outside',
  effects: { changesAuthority: true },
  run: async (args, context) => add(context, HERE, args),
});

export const tryProvider = defineTool({
  name: 'try-provider',
  sentence: ({ name, url }) => `Ask the model provider ${name} at ${quoted(url)} one small question`,
  args: z.strictObject({ ...tried, url }),
  ...TRYING,
  effects: { connectsTo: 'url' },
  run: async (args, context) => tryOne(context, judged(context), args),
});

export const tryLocalProvider = defineTool({
  name: 'try-local-provider',
  sentence: ({ name, url }) => `Ask the model provider ${name} at ${quoted(url)} one small question`,
  args: z.strictObject({ ...tried, url: localUrl }),
  ...TRYING,
  run: async (args, context) => tryOne(context, HERE, args),
});

export const orderProviders = defineTool({
  name: 'order-providers',
  sentence: ({ order }) => `Ask these model providers, in this order, and no other: ${order}`,
  args: z.strictObject({ order }),
  ...MANAGING,
  effects: { changesAuthority: true },
  run: async ({ order }, { powers, signalId: signal, approvedBy, actor, now }) => ({
    output: (await powerOf(powers, 'providers').order({ order, signal, by: approvedBy ?? actor, now })).join('\n'),
    origin: 'owner',
  }),
});

export const removeProvider = defineTool({
  name: 'remove-provider',
  sentence: ({ name, order }) =>
    `Take the model provider ${name} away; then these are asked: ${order || 'those of the environment'}`,
  args: z.strictObject({ name: short, order }),
  ...MANAGING,
  effects: { changesAuthority: true },
  run: async ({ name, order }, { powers, signalId: signal, approvedBy, actor, now }) => ({
    output: (await powerOf(powers, 'providers').remove({ name, order, signal, by: approvedBy ?? actor, now })).join(
      '\n',
    ),
    origin: 'owner',
  }),
});

export const PROVIDER_TOOLS = [
  ...[addProvider, addLocalProvider, tryProvider, tryLocalProvider, orderProviders, removeProvider],
] as const;
