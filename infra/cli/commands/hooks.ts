/** `hooks test`: a sample event, signed here, through the whole chain. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { buildSample } from '../../../lib/edge/webhook/sample.ts';
import { parseSources } from '../../../lib/edge/webhook/sources.ts';
import { hooksShow } from '../../../lib/wings/events/operations.ts';
import { performLook } from '../client.ts';
import type { LocalParts } from '../operation-command.ts';
import { readVariables } from '../stack.ts';
import { CliError, EXIT, printable, shellLines, show } from '../terminal.ts';
import { waitForAnswer } from '../turn.ts';

const Answer = z.looseObject({ id: z.string() });

export const hooksParts: LocalParts = {
  test: {
    form: '<source> [event]',
    summary: 'send a sample event, signed as the service signs, and say what became of it',
    run: async (context, [name = '', event = 'test', ...more]) => {
      const { env, folder, now, terminal } = context;
      if (name === '' || more.length > 0)
        throw new CliError(EXIT.usage, 'usage: npx passepartout hooks test <source> [event]');
      const { sources } = parseSources(readVariables(env, folder).WEBHOOK_SECRETS);
      const source = sources.get(name);
      if (source === undefined)
        throw new CliError(
          EXIT.usage,
          `WEBHOOK_SECRETS here has no usable entry ${printable(name)}`,
          `it has ${[...sources.keys()].map(printable).join(', ') || 'none'}`,
        );
      const sample = buildSample(name, source, event, randomUUID(), now());
      if (sample === undefined)
        throw new CliError(EXIT.failed, `only the service itself can sign as ${source.scheme}: let it send a test`);
      const access = await context.access();
      const { path, headers, body } = sample;
      const response = await fetch(new URL(path, access.webhookUrl ?? access.url), { method: 'POST', headers, body });
      const answer = Answer.safeParse(await response.json().catch(() => undefined));
      if (response.status !== 202 || !answer.success)
        throw new CliError(
          EXIT.failed,
          `it was refused with status ${response.status}`,
          'why is told by: npx passepartout hooks',
        );
      await waitForAnswer(context, answer.data.id);
      const shown = await performLook(access, hooksShow, { event: answer.data.id });
      show(terminal, shown, shown.lines.slice(0, 2).map(shellLines));
      return EXIT.ok;
    },
  },
};
