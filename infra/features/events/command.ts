/**
 * `hooks add`: connects a service. `hooks test`: a sample event through the whole chain. `hooks
 * forms`: own lines of a file.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { type FileProblem, hiddenProblems, inLineOrder, problemWords } from '../../../lib/core/base/file-problem.ts';
import { problemsOf, readYaml } from '../../../lib/core/base/read-yaml.ts';
import { EventForms } from '../../../lib/core/store/setting-forms.ts';
import { findTemplates } from '../../../lib/core/text/template.ts';
import { configSet } from '../../../lib/core/verbs/settings/operations.ts';
import { hooksShow, hooksTry } from '../../../lib/features/events/operations.ts';
import { buildSample, sampleEvent } from '../../../lib/features/webhooks/edge/sample.ts';
import { parseSources } from '../../../lib/features/webhooks/edge/sources.ts';
import { findForm } from '../../../lib/features/webhooks/edge/webhook-signal.ts';
import { runChange } from '../../cli/change.ts';
import { performLook } from '../../cli/client.ts';
import type { CommandContext } from '../../cli/command.ts';
import { nextLine, PLAIN, runAsking } from '../../cli/commands/setup.ts';
import type { LocalParts } from '../../cli/operation-command.ts';
import { shellLines } from '../../cli/shell-lines.ts';
import { findStackIfRunning, readVariables } from '../../cli/stack.ts';
import { CliError, EXIT, printable, show } from '../../cli/terminal.ts';
import { waitForAnswer } from '../../cli/turn.ts';
import { senderOf, strangeService } from '../webhooks/sender-step.ts';

const Answer = z.looseObject({ id: z.string() });

/** Forms by source and event; undefined if the file has faults, which are told. */
const readForms = async ({ folder, terminal }: CommandContext, file: string) => {
  const text = await readFile(resolve(folder, file), 'utf8').catch(() => undefined);
  if (text === undefined) throw new CliError(EXIT.usage, `${printable(file)} cannot be read`);
  const read = readYaml({ file, text, linesBefore: 0 }, EventForms);
  const problems: FileProblem[] = [...problemsOf(read), ...hiddenProblems(file, text)];
  if (read.kind === 'value')
    for (const [source, forms] of Object.entries(read.value))
      for (const [event, form] of Object.entries(forms))
        for (const bad of findTemplates(form).bad)
          problems.push({ file, line: read.lineOf([source, event]), problem: `${bad} is no path such as alert.name` });
  if (read.kind === 'value' && problems.length === 0) return read.value;
  show(
    terminal,
    { problems },
    inLineOrder(problems).map((problem) => printable(problemWords(problem))),
  );
  return undefined;
};

export const hooksParts: LocalParts = {
  add: {
    form: '[service]',
    options: { plain: PLAIN },
    run: async (context, [service, ...more]) => {
      if (more.length > 0) throw new CliError(EXIT.usage, 'usage: npx passepartout hooks add [service]');
      const strange = service === undefined ? undefined : strangeService(service);
      if (strange !== undefined)
        throw new CliError(EXIT.usage, `no service ${printable(service ?? '')} is known`, strange);
      const [taken] = await runAsking(context, [senderOf(service)]);
      const isOk = taken?.found.isOk === true;
      const isRunning = findStackIfRunning(context.env, context.folder) !== undefined;
      show(context.terminal, { isOk }, [nextLine(isOk ? [] : ['sender'], undefined, isRunning)]);
      return isOk ? EXIT.ok : EXIT.failed;
    },
  },
  forms: {
    form: '<file> [event]',
    summary: 'take lines of your own for events; with an event only show what the file makes of it',
    run: async (context, [file = '', event, ...more]) => {
      if (file === '' || more.length > 0)
        throw new CliError(EXIT.usage, 'usage: npx passepartout hooks forms <file> [event]');
      const forms = await readForms(context, file);
      if (forms === undefined) return EXIT.failed;
      if (event === undefined)
        return runChange(context, configSet, { name: 'EVENT_FORMS', value: JSON.stringify(forms) });
      const access = await context.access();
      const { source, event: name } = await performLook(access, hooksShow, { event });
      const form = findForm({ forms: forms[source] ?? {} }, name);
      if (form === undefined) throw new CliError(EXIT.failed, `the file has no line for ${source}/${printable(name)}`);
      const { text, lines } = await performLook(access, hooksTry, { event, form });
      show(context.terminal, { text }, lines.map(shellLines));
      return EXIT.ok;
    },
  },
  test: {
    form: '<source> [event]',
    summary: 'send a sample event, signed as the service signs, and say what became of it',
    run: async (context, [name = '', event, ...more]) => {
      const { env, folder, now, terminal } = context;
      if (name === '' || more.length > 0)
        throw new CliError(EXIT.usage, 'usage: npx passepartout hooks test <source> [event]');
      const { sources } = parseSources(readVariables(env, folder).WEBHOOK_SECRETS);
      const source = sources.get(name);
      if (source === undefined)
        throw new CliError(
          EXIT.usage,
          `WEBHOOK_SECRETS here has no usable entry ${printable(name)}`,
          `its entries: ${[...sources.keys()].map(printable).join(', ') || 'none'}`,
        );
      const sample = buildSample(name, source, event ?? sampleEvent(source), randomUUID(), now());
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
          'start the stack again if WEBHOOK_SECRETS was changed since; why is told within a minute by: npx passepartout hooks',
        );
      await waitForAnswer(context, answer.data.id);
      const shown = await performLook(access, hooksShow, { event: answer.data.id });
      show(terminal, shown, shown.lines.slice(0, 2).map(shellLines));
      return EXIT.ok;
    },
  },
};
