/**
 * `models`: each provider of the running stack, or else of this folder's settings, and whether it
 * answers. Of a deployed stack its health is shown: its keys do not leave it. Shows no key.
 */

import { defined } from '../../../lib/core/base/defined.ts';
import { ConfigError } from '../../../lib/core/base/errors.ts';
import { isAboutModels } from '../../../lib/core/language/finding.ts';
import { inspect } from '../../inspect.ts';
import type { Endpoint, Inspection, ShownModel } from '../../inspection.ts';
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
  usage: '',
  summary: 'the providers in order: models, windows, prices, and whether they answer',
  argCount: [0, 0],
  run: async (context) => {
    const { terminal } = context;
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
      ]),
      ...(embeddings === undefined
        ? []
        : [endpointLine(embeddings, paint, terminal), `       ${printable(embeddings.model)}`]),
    ]);
    const all = [...providers, ...(embeddings === undefined ? [] : [embeddings])];
    return all.every(({ isReachable }) => isReachable) ? EXIT.ok : EXIT.failed;
  },
};
