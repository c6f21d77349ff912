/**
 * `jobs`: makes, shows, changes and runs jobs. Lists and histories are read from the API; a change
 * sends the chat's own command, and the approver's token says yes to its card.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { type Json, JsonObject } from '../../../lib/base/json.ts';
import { JOB_OPTIONS, readValue } from '../../../lib/jobs/parse-job-line.ts';
import { loadHistory, loadJob, loadJobs } from '../client.ts';
import type { Command, CommandContext, CommandOption } from '../command.ts';
import { readInputs } from '../runbook-file.ts';
import { CliError, EXIT, type ExitCode, printable, shellLines, show } from '../terminal.ts';
import { sendCommand } from '../turn.ts';
import { isRefusal, sendApproved } from './settings.ts';

const USAGE =
  'list | show|pause|resume|run|dry-run|remove <name> | history <name> [count] | add|edit <name> [what to ask]';

const wrongUsage = (): CliError => new CliError(EXIT.usage, `usage: npx passepartout jobs ${USAGE}`);

/** Options that give a field of the job each, with the field's name. */
const FIELDS: Readonly<Record<string, string>> = {
  at: 'at',
  every: 'every',
  cron: 'cron',
  event: 'event',
  condition: 'condition',
  runbook: 'runbook',
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
  runbook: value('name', 'a runbook as the work, instead of what to ask'),
  input: { ...value('name=value', 'an input of the runbook; for each one'), multiple: true },
  'approve-whole': value('bounds', 'one yes for so many runs of the runbook, until then: "20 30d"'),
  file: value('path', 'add, edit: the whole job as YAML or JSON'),
};

const readJobFile = async ({ folder }: CommandContext, path: string): Promise<JsonObject> => {
  let text: string;
  try {
    text = await readFile(resolve(folder, path), 'utf8');
  } catch {
    throw new CliError(EXIT.usage, `${printable(path)} cannot be read`);
  }
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

/** The chat's command with all fields as JSON: it says what is wrong with them. */
const buildDraft = async (context: CommandContext, words: readonly string[]): Promise<JsonObject> => {
  const [name, ...prompt] = words;
  const path = context.text('file');
  const fields = {
    ...(path === undefined ? {} : await readJobFile(context, path)),
    ...(name === undefined ? {} : { name }),
    ...optionFields(context),
    ...inputFields(context),
    ...(prompt.length === 0 ? {} : { prompt: prompt.join(' ') }),
  };
  if (!('name' in fields)) throw wrongUsage();
  return fields;
};

/** The yes to a whole job permits many calls: its answer lists them. */
const change = async (context: CommandContext, verb: string, words: readonly string[]): Promise<ExitCode> => {
  const draft = await buildDraft(context, words);
  const code = await sendApproved(context, `/jobs ${verb} ${JSON.stringify(draft)}`);
  if (code === EXIT.failed) context.terminal.remark('npx passepartout help jobs says how to write it');
  if (code !== EXIT.ok || !('approveWhole' in draft) || context.terminal.isJson) return code;
  return sendCommand(context, `/jobs show ${String(draft.name)}`, isRefusal);
};

const list = async ({ access, terminal }: CommandContext): Promise<ExitCode> => {
  const found = [];
  let cursor: string | undefined;
  do {
    const page = await loadJobs(await access(), cursor);
    found.push(...page.jobs);
    cursor = page.cursor;
  } while (cursor !== undefined);
  if (found.length === 0 && !terminal.isJson) terminal.remark('there is no job; npx passepartout jobs add makes one');
  show(
    terminal,
    { jobs: found },
    found.map(({ line }) => printable(line)),
  );
  return EXIT.ok;
};

const showOne = async ({ access, terminal }: CommandContext, name: string): Promise<ExitCode> => {
  const job = await loadJob(await access(), name);
  show(terminal, job, [job.line, ...job.lines].map(printable));
  return EXIT.ok;
};

const history = async ({ access, terminal }: CommandContext, name: string, count?: string): Promise<ExitCode> => {
  const answer = await loadHistory(await access(), name, count);
  if (answer.occurrences.length === 0 && !terminal.isJson) terminal.remark('it has not been due yet');
  show(
    terminal,
    answer,
    answer.occurrences.map(({ line }) => shellLines(line)),
  );
  return EXIT.ok;
};

const run = async (context: CommandContext): Promise<ExitCode> => {
  const [verb = 'list', ...words] = context.args;
  const [name, count, ...more] = words;
  if (verb === 'add' || verb === 'edit') return change(context, verb, words);
  if (verb === 'list' && name === undefined) return list(context);
  if (name === undefined || more.length > 0 || (count !== undefined && verb !== 'history')) throw wrongUsage();
  switch (verb) {
    case 'show':
      return showOne(context, name);
    case 'history':
      return history(context, name, count);
    case 'dry-run':
      return sendCommand(context, `/jobs dry-run ${name}`, isRefusal);
    case 'pause':
    case 'resume':
    case 'run':
    case 'remove':
      return sendApproved(context, `/jobs ${verb} ${name}`);
    default:
      throw wrongUsage();
  }
};

export const jobs: Command = {
  name: 'jobs',
  usage: USAGE,
  summary: 'what runs by itself, and when: make, see, change, run',
  options: OPTIONS,
  argCount: [0, 128],
  run,
};
