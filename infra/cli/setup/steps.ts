/** The steps of the set-up, in the order in which they are gone through. */
import { chmodSync, existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { PassepartoutError } from '../../../lib/core/base/errors.ts';
import { VERSION } from '../../../lib/core/base/version.ts';
import { PROVIDER_TABLE } from '../../../lib/core/llm/provider-table.ts';
import { SETTINGS } from '../../../lib/core/store/settings.ts';
import { cascadeOf, inspect } from '../../inspect.ts';
import { findOllama, ollamaUrl } from '../../local/choose-model.ts';
import { describeFileProblem, openFolder } from '../../local/data-folder.ts';
import { SETTING_PARSERS } from '../../settings.ts';
import { loadHealth, type StackAccess } from '../client.ts';
import { CHANNEL_STEPS } from '../features.ts';
import { findStackIfRunning, type Variables } from '../stack.ts';
import { CliError, causeOf, printable } from '../terminal.ts';
import type { Settings } from './env-file.ts';
import { LAST_STEPS, REACH_STEPS, RULE_STEPS } from './feature-steps.ts';
import { firstAnswer } from './first-answer.ts';
import { judgeEndpoints, nowhere } from './judge-endpoints.ts';
import { problemOf } from './problem-of.ts';
import type { Questions } from './questions.ts';
import { fine, refused, type Step, wrong } from './step.ts';

const findPortProblem = (port: number): Promise<string | undefined> =>
  new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(`Port ${port} is taken by another program. PORT=0 in .env takes any free one.`));
    server.listen(port, '127.0.0.1', () => server.close(() => done(undefined)));
  });

/** By its own answer: another release may need other settings. */
const describeRunning = async (access: StackAccess): Promise<string> => {
  try {
    const { release } = await loadHealth(access);
    const version = release?.version ?? VERSION;
    const other = version === VERSION ? '' : ` of release ${printable(version)}, not ${VERSION} as this command,`;
    return `A stack${other} is running on it. It takes new settings at its next start.`;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return `A stack is running on it, and does not answer: ${error.message}.`;
  }
};

const machine: Step = {
  name: 'machine',
  title: 'This machine',
  check: async (variables, { env, folder }) => {
    const dataFolder = resolve(folder, variables.DATA_DIR ?? SETTINGS.DATA_DIR.default);
    try {
      openFolder(dataFolder);
      // It holds the keys.
      if (existsSync(join(folder, '.env'))) chmodSync(join(folder, '.env'), 0o600);
    } catch (error) {
      const words = error instanceof PassepartoutError ? error.message : describeFileProblem(error);
      return wrong(words ?? `${dataFolder} cannot be used: ${causeOf(error)}`);
    }
    const found = [`Node ${process.version}.`, `The data folder ${dataFolder} can be written.`];
    const stack = findStackIfRunning(env, folder);
    if (stack !== undefined) return fine(...found, await describeRunning(stack));
    const { PORT = SETTINGS.PORT.default } = variables;
    const port = Number(PORT);
    const problem = problemOf('PORT', PORT) ?? (await findPortProblem(port));
    if (problem !== undefined) return wrong(...found, problem);
    return fine(...found, port === 0 ? 'It listens on any free port.' : `Port ${port} is free.`);
  },
};

const KEYED = PROVIDER_TABLE.filter(({ keyName }) => keyName !== '');

const askOllama = async (questions: Questions, variables: Variables) => {
  const url = ollamaUrl(variables);
  const models = await findOllama(url);
  if (models === undefined || models.length === 0) {
    questions.tell(
      models === undefined
        ? `No Ollama answers at ${printable(url)}. Start it with "ollama serve", or take another model.`
        : 'Ollama has no model yet: "ollama pull qwen3" gets one.',
    );
    return undefined;
  }
  const model = await questions.choose(
    'Which of its models?',
    models.map((name) => ({ value: name, label: name })),
  );
  return { OLLAMA_BASE_URL: url, OLLAMA_MODEL: model };
};

const askEndpoint = async (questions: Questions, tried: Settings = {}) => {
  const OPENAI_BASE_URL = await questions.ask(
    `Its address, such as https://host/v1${tried.OPENAI_BASE_URL ? '' : '; empty for another choice'}`,
    (text) => (text === '' ? undefined : problemOf('OPENAI_BASE_URL', text)),
    tried.OPENAI_BASE_URL || undefined,
  );
  if (OPENAI_BASE_URL === '') return undefined;
  const OPENAI_MODEL = await questions.ask(
    'Its model',
    (text) => (text === '' ? 'It needs a name.' : undefined),
    tried.OPENAI_MODEL || undefined,
  );
  const key = await questions.askSecret('Its key, empty if it needs none (not shown)');
  // The key of before belongs to another address.
  return { OPENAI_BASE_URL, OPENAI_MODEL, OPENAI_API_KEY: key };
};

const askKey = async (name: string, questions: Questions): Promise<Settings | undefined> => {
  const key = await questions.askSecret(`${name}, empty for another choice (not shown)`);
  if (key === '') return undefined;
  return name === 'OPENAI_API_KEY' ? { OPENAI_API_KEY: key, OPENAI_BASE_URL: '', OPENAI_MODEL: '' } : { [name]: key };
};

const choiceOf = (settings: Settings): string | undefined =>
  settings.OPENAI_BASE_URL ? 'endpoint' : KEYED.find(({ keyName }) => settings[keyName])?.keyName;

/** They share one key, so only one of them is there. */
const RIVALS: Readonly<Record<string, string>> = { openai: 'custom', custom: 'openai' };

/** The model that was chosen is asked first; others that are set, if it fails. Pure. */
export const asFirst = (settings: Settings, variables: Variables): Settings => {
  const row = KEYED.find(({ keyName }) => settings[keyName] !== undefined);
  const name = settings.OPENAI_BASE_URL ? 'custom' : (row?.name ?? 'ollama');
  const { PROVIDER_CASCADE: order } = variables;
  const entries = order?.split(',') ?? cascadeOf({ ...variables, ...settings }).map((provider) => provider.name);
  const nameOf = (entry = ''): string => entry.split(':')[0]?.trim() ?? '';
  if (nameOf(entries[0]) === name) return settings;
  const others = entries.filter((entry) => ![name, RIVALS[name]].includes(nameOf(entry)));
  return { ...settings, PROVIDER_CASCADE: [name, ...others].join(',') };
};

const model: Step = {
  name: 'model',
  title: 'The language model',
  ask: async (questions, variables, _context, tried = {}) => {
    const choices = [
      ...KEYED.map(({ name, keyName, model: small }) => ({ value: keyName, label: name, hint: `a key; ${small}` })),
      { value: 'ollama', label: 'Ollama on this machine', hint: 'no key' },
      { value: 'endpoint', label: 'another endpoint that speaks as OpenAI does' },
      { value: 'keep', label: 'leave it as it is', hint: 'without a key, an Ollama or the demo model' },
    ];
    const first = choiceOf(tried) ?? (cascadeOf(variables).length > 0 ? 'keep' : undefined);
    for (;;) {
      const choice = await questions.choose('Which model shall answer?', choices, first);
      if (choice === 'keep') return undefined;
      const settings = await (choice === 'endpoint'
        ? askEndpoint(questions, tried)
        : choice === 'ollama'
          ? askOllama(questions, variables)
          : askKey(choice, questions));
      if (settings !== undefined) return asFirst(settings, variables);
    }
  },
  check: async (variables) => {
    const { providers } = await inspect(variables, nowhere, { isAsking: true });
    if (providers.length === 0) {
      const [found] = (await findOllama(ollamaUrl(variables))) ?? [];
      return fine(
        found === undefined
          ? 'No key is set: the demo model answers, which is a script.'
          : `No key is set: ${printable(found)} of the Ollama on this machine answers.`,
      );
    }
    return judgeEndpoints(providers);
  },
};

/** Keys of models beside those that answer, each with the settings that name these models. */
const FURTHER_KEYS = {
  EMBEDDING_API_KEY: ['EMBEDDING_MODEL'],
  TRANSCRIPTION_API_KEY: ['TRANSCRIPTION_MODEL', 'SPEECH_MODEL'],
} as const;

const keys: Step = {
  name: 'keys',
  title: 'Keys of models that search memory, hear and speak',
  ask: async (questions, variables) => {
    const given: [string, string][] = [];
    for (const [key, models] of Object.entries(FURTHER_KEYS)) {
      const named = models.filter((name) => variables[name]);
      if (named.length === 0) continue;
      const value = await questions.askSecret(`${key} for ${named.join(' and ')}; empty leaves it (not shown)`);
      if (value !== '') given.push([key, value]);
    }
    return given.length === 0 ? undefined : Object.fromEntries(given);
  },
  check: async (variables) => {
    const { embeddings, transcription, speech } = await inspect(variables, nowhere);
    const found = [embeddings, transcription, speech].filter((one) => one !== undefined);
    const models = Object.values(FURTHER_KEYS).flat().join(', ');
    return found.length === 0 ? fine(`None is set. These settings name them: ${models}.`) : judgeEndpoints(found);
  },
};

const budget: Step = {
  name: 'budget',
  title: 'Most that may be spent in a day',
  ask: async (questions, { BUDGET_DAY_USD: now = SETTINGS.BUDGET_DAY_USD.default }) => {
    const usd = await questions.ask('US dollars', (text) => problemOf('BUDGET_DAY_USD', text), now);
    return usd === now ? undefined : { BUDGET_DAY_USD: usd };
  },
  check: ({ BUDGET_DAY_USD: usd = SETTINGS.BUDGET_DAY_USD.default }) => {
    const problem = problemOf('BUDGET_DAY_USD', usd);
    if (problem !== undefined) return refused(problem);
    return fine(Number(usd) === 0 ? '0: no model that costs money is asked.' : `${usd} US dollars.`);
  },
};

const machineZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** People name their city. */
const findZoneProblem = (zone: string): string | undefined => {
  if (typeof SETTING_PARSERS.TIME_ZONE(zone) !== 'string') return undefined;
  const city = `/${zone.replaceAll(' ', '_').toLowerCase()}`;
  const meant = Intl.supportedValuesOf('timeZone').find((name) => name.toLowerCase().endsWith(city));
  return `There is no time zone ${printable(zone)}; one is ${meant ?? 'Europe/Lisbon'}.`;
};

const zone: Step = {
  name: 'zone',
  title: 'Your time zone, for jobs and times',
  ask: async (questions, { TIME_ZONE: now = machineZone() }) => {
    const name = await questions.ask('Time zone', findZoneProblem, now);
    return name === now ? undefined : { TIME_ZONE: name };
  },
  check: ({ TIME_ZONE: name = machineZone() }) => {
    const problem = findZoneProblem(name);
    const time = (): string => new Date().toLocaleTimeString('en-GB', { timeZone: name, timeStyle: 'short' });
    return problem === undefined ? fine(`${name}: it is ${time()}.`) : refused(problem);
  },
};

const answer: Step = { name: 'answer', title: 'A first answer', check: firstAnswer };

export const STEPS: readonly Step[] = [
  machine,
  model,
  keys,
  ...CHANNEL_STEPS,
  ...REACH_STEPS,
  budget,
  zone,
  ...RULE_STEPS,
  answer,
  ...LAST_STEPS,
];
