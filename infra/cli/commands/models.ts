/**
 * `models`: each provider of the running stack, or else of this folder's settings, and whether it
 * answers. Of a deployed stack its health is shown: its keys do not leave it. Shows no key.
 */

import { defined } from '../../../lib/core/base/defined.ts';
import { ConfigError } from '../../../lib/core/base/errors.ts';
import { isAboutModels } from '../../../lib/core/language/finding.ts';
import { inspect } from '../../inspect.ts';
import type { Endpoint, Inspection, ShownModel, ShownOffer } from '../../inspection.ts';
import { placeIn } from '../../reachability.ts';
import { loadHealth, loadInspection } from '../client.ts';
import type { Command, CommandContext } from '../command.ts';
import { readVariables } from '../stack.ts';
import {
  CliError,
  EXIT,
  type ExitCode,
  type PaintWord,
  paintWith,
  printable,
  show,
  type Terminal,
} from '../terminal.ts';

const endpointLine = (
  { name, address, isReachable, detail }: Endpoint,
  paint: PaintWord,
  { say }: Pick<Terminal, 'say'>,
): string => {
  const word = isReachable ? 'ok' : 'wrong';
  return `${paint(word, word.padEnd(5))}  ${printable(name)}  ${printable(address)}  ${say(printable(detail))}`;
};

const modelLine = ({ tier, model, contextTokens, price }: ShownModel): string =>
  `       ${tier.padEnd(9)}  ${printable(model)}  ${contextTokens} tokens  $${price.prompt} in, $${price.cached} cached, $${price.completion} out for a million`;

/** Models that are shown of one provider: a router's list is long, and words choose of it. */
const OFFERS_SHOWN_MAX = 200;

const offerLine = ({ model, contextTokens, prices }: ShownOffer): string =>
  [
    `       ${printable(model)}`,
    ...(contextTokens === undefined ? [] : [`${contextTokens} tokens`]),
    ...(prices === undefined ? [] : [`$${prices.prompt} in, $${prices.completion} out`]),
  ].join('  ');

/** All that a provider lists, or those whose name holds the words; without them, how many. */
const offerLines = (offers: readonly ShownOffer[], wanted: string | undefined): readonly string[] => {
  if (offers.length === 0) return [];
  if (wanted === undefined) return [`       it lists ${offers.length} models: npx passepartout models --all`];
  const found = offers.filter(({ model }) => model.toLowerCase().includes(wanted));
  const rest = found.length - OFFERS_SHOWN_MAX;
  return [
    ...found.slice(0, OFFERS_SHOWN_MAX).map(offerLine),
    ...(rest > 0 ? [`       and ${rest} more: npx passepartout models --all <part of a name>`] : []),
  ];
};

/** @throws CliError (exit 2) naming everything that does not fit. */
const inspectHere = async ({ env, folder, terminal }: CommandContext): Promise<Inspection> => {
  terminal.remark('no stack is running here: these are the settings of .env and of this shell');
  try {
    return await inspect(readVariables(env, folder), placeIn(folder, env), { isAsking: true });
  } catch (error) {
    if (error instanceof ConfigError) throw new CliError(EXIT.usage, error.message);
    throw error;
  }
};

const findInspection = async (context: CommandContext): Promise<Inspection> => {
  const access = await context.access().catch((error: unknown) => {
    if (!(error instanceof CliError)) throw error;
    return undefined;
  });
  if (access === undefined) return inspectHere(context);
  const inspection = await loadInspection(access);
  if (inspection !== undefined) return inspection;
  throw new CliError(EXIT.failed, 'the running stack is of an earlier release: start it again');
};

/** Keys of a deployed stack do not leave it: its health says what was refused last. */
const showDeployed = async ({ access, terminal }: CommandContext): Promise<ExitCode> => {
  const { reasons, codes, checks } = await loadHealth(await access());
  const models = checks?.models ?? [];
  const problems = reasons.filter((_, n) => isAboutModels(codes[n] ?? ''));
  show(terminal, { models, problems }, [...models, ...problems].map(printable));
  return problems.length === 0 ? EXIT.ok : EXIT.failed;
};

export const models: Command = {
  name: 'models',
  usage: '[--all [part of a name]]',
  summary: 'the providers in order: models, windows, prices, and whether they answer',
  options: { all: { type: 'boolean', help: 'every model that a provider lists, or those whose name holds the words' } },
  argCount: [0, 1],
  run: async (context) => {
    const { terminal } = context;
    const wanted = context.flag('all') ? (context.args[0]?.toLowerCase() ?? '') : undefined;
    if (wanted === undefined && context.args.length > 0)
      throw new CliError(EXIT.usage, 'usage: npx passepartout models [--all [part of a name]]');
    if (context.text('stack') !== undefined) return showDeployed(context);
    const { providers, embeddings } = await findInspection(context);
    if (providers.length === 0)
      throw new CliError(
        EXIT.failed,
        'no provider is configured here',
        'set a key such as OPENAI_API_KEY, or OPENAI_BASE_URL; "npm start" alone uses an Ollama it finds, or the demo model',
      );
    const paint = paintWith(terminal);
    show(terminal, { providers, ...defined({ embeddings }) }, [
      ...providers.flatMap((provider) => [
        endpointLine(provider, paint, terminal),
        ...provider.models.map(modelLine),
        `       ${provider.features.join(', ')}`,
        ...offerLines(provider.offers, wanted),
      ]),
      ...(embeddings === undefined
        ? []
        : [endpointLine(embeddings, paint, terminal), `       ${printable(embeddings.model)}`]),
    ]);
    const all = [...providers, ...(embeddings === undefined ? [] : [embeddings])];
    return all.every(({ isReachable }) => isReachable) ? EXIT.ok : EXIT.failed;
  },
};
