/**
 * `effects resolve`: what became of an effect that failed or whose outcome is unknown, as a person
 * found out.
 */
import type { Command } from '../command.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { printable } from '../printable.ts';

interface Resolution {
  readonly signalId: string;
  readonly n: number;
  readonly resolution: 'done' | 'retry';
}

/** `<signal> <n> done` and `<signal>#<n> done`. Pure. @throws CliError (exit 2) */
export const parseResolution = (args: readonly string[]): Resolution => {
  const [verb, target = '', ...rest] = args;
  const [, signalId = target, inTarget] = /^(.+)#(\d{1,3})$/.exec(target) ?? [];
  const [nText, resolution] = inTarget === undefined ? rest : [inTarget, ...rest];
  const isWhole = rest.length === (inTarget === undefined ? 2 : 1);
  if (
    verb !== 'resolve' ||
    !isWhole ||
    !/^\d{1,3}$/.test(nText ?? '') ||
    (resolution !== 'done' && resolution !== 'retry')
  )
    throw new CliError(EXIT.usage, 'usage: passepartout effects resolve <signal>#<n> done|retry');
  return { signalId, n: Number(nText), resolution };
};

export const effects: Command = {
  name: 'effects',
  usage: 'resolve <signal>#<n> done|retry',
  summary: 'say what became of an effect that failed or is unknown: it happened, or may be tried again',
  argCount: [3, 4],
  run: async ({ args, client, terminal }) => {
    const { signalId, n, resolution } = parseResolution(args);
    const answer = await (await client()).resolve(signalId, n, resolution);
    if (terminal.isJson) terminal.json(answer);
    else
      terminal.line(
        `effect ${n} of ${printable(answer.id)} ${resolution === 'done' ? 'counts as done' : 'will be tried again'}`,
      );
    return EXIT.ok;
  },
};
