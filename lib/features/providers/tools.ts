/**
 * The commands `/provider add|try|order|off|on|remove`. They decide where all the owner's words go,
 * so only people use them, and an approver approves each change on its card (I14). An address of
 * this machine has tools of its own: the gate `network` judges all other addresses.
 */
import * as z from 'zod/mini';
import { quoted } from '../../core/text/quoted.ts';
import { defineTool, powerOf } from '../../core/tools/tool.ts';

/** An empty text stands for none. */
export interface ProviderArgs {
  /** Of the one that is added, tried or, with an order alone, removed. */
  readonly name: string;
  readonly url: string;
  /** `small` or `small|large`. */
  readonly models: string;
  /** All that are asked from then on, as the cascade has them. */
  readonly order: string;
}

declare module '../../core/tools/tool.ts' {
  interface ToolPowers {
    readonly providers?: (
      tool: string,
      args: ProviderArgs,
      context: Omit<ToolContext, 'powers'>,
    ) => Promise<ToolOutput>;
  }
}

const text = z.string().check(z.maxLength(4_000));
const args = z.strictObject({ name: text, url: text, models: text, order: text });

const build = (name: string, sentence: (args: ProviderArgs) => string, more = {}) =>
  defineTool({
    name,
    sentence,
    args,
    tier: 'ask',
    isForPeople: true,
    isAlwaysAsked: true,
    kind: 'idempotent',
    outputOrigin: 'outside',
    effects: { changesAuthority: true },
    ...more,
    run: async (given, { powers, ...context }) => powerOf(powers, 'providers')(name, given, context),
  });

const OF_TRY = { tier: 'allow', isAlwaysAsked: false, kind: 'read', effects: {} };

const ADD = ({ name, url, models, order }: ProviderArgs): string =>
  `Add the provider ${name} at ${quoted(url)}${models && `, with ${quoted(models)}`}; the order is ${order}`;
const TRY = ({ name, url }: ProviderArgs): string => `Try the provider ${name} at ${quoted(url)}`;

export const PROVIDER_TOOLS = [
  build('add-provider', ADD, { effects: { connectsTo: 'url', changesAuthority: true } }),
  build('add-local-provider', ADD),
  build('try-provider', TRY, { ...OF_TRY, effects: { connectsTo: 'url' } }),
  build('try-local-provider', TRY, OF_TRY),
  build(
    'order-providers',
    ({ name, order }) => `${name && `Remove ${name}. `}Ask only, in this order: ${order || '–'}`,
  ),
] as const;
