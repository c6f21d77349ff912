/** `jobs add` and `jobs edit`: a job of options, and of a file. */
import { parse } from 'yaml';
import { type Json, JsonObject } from '../../../lib/core/base/json.ts';
import type { Change } from '../../../lib/core/operations/operation.ts';
import { jobsAdd, jobsEdit, jobsShow } from '../../../lib/features/jobs/operations.ts';
import { JOB_OPTIONS, readValue } from '../../../lib/features/jobs/parse-job-line.ts';
import { runChange } from '../../cli/change.ts';
import { performLook } from '../../cli/client.ts';
import type { CommandContext, CommandOption } from '../../cli/command.ts';
import type { LocalPart, LocalParts } from '../../cli/operation-command.ts';
import { readInputs } from '../../cli/read-inputs.ts';
import { shellLines } from '../../cli/shell-lines.ts';
import { CliError, EXIT, type ExitCode, printable, readText } from '../../cli/terminal.ts';

/** Options that give a field of the job each, with the field's name. */
const FIELDS: Readonly<Record<string, string>> = {
  at: 'at',
  every: 'every',
  cron: 'cron',
  event: 'event',
  condition: 'condition',
  ...JOB_OPTIONS,
};

const value = (name: string, help: string): CommandOption => ({ type: 'string', value: name, help });

const OPTIONS: Readonly<Record<string, CommandOption>> = {
  at: value('time', 'once: local time, such as 2026-11-24T09:00'),
  every: value('time', 'again and again: 90m, 2h, 1d'),
  cron: value('rule', 'minute hour day-of-month month day-of-week, such as "0 8 * * 1-5"'),
  event: value('source/event', 'at a webhook event'),
  condition: value('expression', 'when it has become true, such as "facts.approvalsWaiting > 3"'),
  zone: value('zone', 'IANA zone, if not yours'),
  to: value('list', 'here, nowhere, telegram:7, console:main, webhook:shop; several with commas'),
  'catch-up': value('rule', 'missed runs: skip, "once 6h" or "all 3 6h"'),
  overlap: value('rule', 'if the run before has not ended: skip or queue'),
  spread: value('time', 'start at a moment of its own within this time'),
  'pause-after': value('count', 'failures in a row that pause it; 0 for never'),
  cap: value('dollars', 'dollars a day'),
  promises: value('what', 'reply, change or nothing'),
  tools: value('list', 'the only tools that its prompt may use: recall,fetch-url'),
  context: value('what', 'memory: its prompt shows the notes that fit; none, as usual: it can recall them'),
  runbook: value('name', 'a runbook as the work, instead of what to ask'),
  input: { ...value('name=value', 'an input of the runbook; for each one'), multiple: true },
  'approve-whole': value('bounds', 'one yes for so many runs of the runbook, until then: "20 30d"'),
  file: value('path', 'add, edit: the whole job as YAML or JSON'),
};

const readJobFile = ({ folder }: CommandContext, path: string): JsonObject => {
  const text = readText(folder, path);
  try {
    return JsonObject.parse(parse(text));
  } catch {
    throw new CliError(EXIT.usage, `${printable(path)} is neither YAML nor JSON of a job`);
  }
};

const optionFields = ({ text }: CommandContext): JsonObject =>
  Object.fromEntries(
    Object.entries(FIELDS).flatMap(([option, field]): [string, Json][] => {
      const given = text(option);
      return given === undefined ? [] : [[field, readValue(field, given)]];
    }),
  );

const inputFields = (context: CommandContext): JsonObject => {
  const inputs = readInputs(context);
  return Object.keys(inputs).length === 0 ? {} : { inputs };
};

const RULES = ['at', 'every', 'cron', 'event', 'condition'];

/** In a chat a rule is a word; without an option for it the job would have none. */
const checkRule = ({ text }: CommandContext, [, word = '']: readonly string[]): void => {
  if (!RULES.includes(word) || [...RULES, 'file'].some((option) => text(option) !== undefined)) return;
  throw new CliError(
    EXIT.usage,
    `on the command line "${word}" is an option: --${word} <${OPTIONS[word]?.value}>`,
    'npx passepartout help jobs says how to write it',
  );
};

const buildDraft = (context: CommandContext, [name, ...prompt]: readonly string[]): JsonObject => {
  const path = context.text('file');
  const fields = {
    ...(path === undefined ? {} : readJobFile(context, path)),
    ...(name === undefined ? {} : { name }),
    ...optionFields(context),
    ...inputFields(context),
    ...(prompt.length === 0 ? {} : { prompt: prompt.join(' ') }),
  };
  if (!('name' in fields)) throw new CliError(EXIT.usage, 'name the job: npx passepartout help jobs says how');
  return fields;
};

const part = (operation: Change): LocalPart => ({
  form: '<name> [what to ask]',
  options: OPTIONS,
  run: async (context, words): Promise<ExitCode> => {
    const { terminal } = context;
    if (operation === jobsAdd) checkRule(context, words);
    const draft = buildDraft(context, words);
    const code = await runChange(context, operation, draft);
    if (code === EXIT.failed) terminal.remark('npx passepartout help jobs says how to write it');
    // The yes to a whole job permits many calls: its answer lists them.
    if (code !== EXIT.ok || !('approveWhole' in draft) || terminal.isJson) return code;
    const { lines } = await performLook(await context.access(), jobsShow, { name: String(draft.name) });
    for (const line of lines) terminal.line(shellLines(line));
    return code;
  },
});

export const jobsParts: LocalParts = { add: part(jobsAdd), edit: part(jobsEdit) };
