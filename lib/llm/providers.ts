/**
 * Model providers as data, and the cascade built from them: pure, from settings and secrets to the list tried in order.
 * All speak OpenAI's chat completions; what differs is named in the table. Unknown names, missing keys and unusable
 * addresses are one ConfigError that lists them all; no provider at all is an empty list, which the caller judges.
 * Facts about models were checked in their makers' documentation in November 2026; an owner overrides them by setting.
 */
import { ConfigError } from '../errors.ts';
import { ANSWER_TOKENS_MAX, PROMPT_TOKENS_MAX } from '../limits.ts';
import type { JsonObject } from '../signal/json.ts';

interface ProviderRow {
  readonly name: string;
  readonly baseUrl: string;
  /** Environment and secret name of its key; empty where none is needed. */
  readonly keyName: string;
  readonly model: string;
  /** Context window, tokens. */
  readonly contextTokens: number;
  /** What the answer's token bound is called there: OpenAI's newer models refuse the older name. */
  readonly answerTokensField: 'max_tokens' | 'max_completion_tokens';
  /** Fields added to each request for the table's own model: hidden reasoning would eat the answer's token bound. */
  readonly extraBody: JsonObject;
  /** Fields added to each tool call that is shown to the model again. */
  readonly callExtra: JsonObject;
}

/** A provider ready to be asked. Holds its key: never log one whole. */
export interface Provider extends Omit<ProviderRow, 'keyName'> {
  readonly key: string;
}

const plain = { answerTokensField: 'max_tokens', extraBody: {}, callExtra: {} } as const;

/**
 * In the order of the default cascade: a key is an explicit wish, so an Ollama that merely happens to run comes last.
 * - openai: `gpt-6-luna` takes tools over chat completions only with reasoning off.
 * - gemini: version 3 models refuse a replayed tool call without its signature, unless told that there is none.
 * - ollama: the window is what the server gives a model by default on a small machine, not what the model could do.
 */
const TABLE: readonly ProviderRow[] = [
  {
    ...plain,
    name: 'openrouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyName: 'OPENROUTER_API_KEY',
    model: 'openrouter/auto',
    contextTokens: 128_000,
  },
  {
    ...plain,
    name: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    keyName: 'OPENAI_API_KEY',
    model: 'gpt-6-luna',
    contextTokens: 1_050_000,
    answerTokensField: 'max_completion_tokens',
    extraBody: { reasoning_effort: 'none' },
  },
  {
    ...plain,
    name: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keyName: 'ANTHROPIC_API_KEY',
    model: 'claude-haiku-5-5',
    contextTokens: 1_000_000,
    extraBody: { thinking: { type: 'disabled' } },
  },
  {
    ...plain,
    name: 'groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    keyName: 'GROQ_API_KEY',
    model: 'openai/gpt-oss-120b',
    contextTokens: 131_072,
    answerTokensField: 'max_completion_tokens',
    extraBody: { reasoning_effort: 'low' },
  },
  {
    ...plain,
    name: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyName: 'GEMINI_API_KEY',
    model: 'gemini-3.5-flash',
    contextTokens: 1_000_000,
    extraBody: { reasoning_effort: 'low' },
    callExtra: { extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } },
  },
  {
    ...plain,
    name: 'ollama',
    baseUrl: 'http://127.0.0.1:11434/v1',
    keyName: '',
    model: 'llama3.2',
    contextTokens: 4_096,
  },
];

/** Any other OpenAI-compatible endpoint: only fields that every such server knows. A single-model server ignores the name. */
const CUSTOM: ProviderRow = {
  ...plain,
  name: 'custom',
  baseUrl: '',
  keyName: 'OPENAI_API_KEY',
  model: 'gpt-6-luna',
  contextTokens: 128_000,
};

/** Sent where no key is needed, because clients insist on one. */
const PLACEHOLDER_KEY = 'none';

/** Every name `PROVIDER_CASCADE` may hold. */
export const PROVIDER_NAMES: readonly string[] = [...TABLE.map((row) => row.name), CUSTOM.name];

/** Names of the secrets a cascade may need, for whoever loads them. */
export const PROVIDER_KEY_NAMES: readonly string[] = TABLE.map((row) => row.keyName).filter((name) => name !== '');

/** Settings as the environment has them: all optional, empty text counts as unset. */
export interface CascadeSettings {
  /** Another endpoint than OpenAI's own; makes the `openai` entry `custom`, and its key optional. */
  readonly OPENAI_BASE_URL?: string | undefined;
  /** Model of the `openai` or `custom` entry; without one in the cascade, of its first entry. */
  readonly OPENAI_MODEL?: string | undefined;
  /** Comma list of `name` or `name:model`, in the order to try them. */
  readonly PROVIDER_CASCADE?: string | undefined;
  readonly OLLAMA_BASE_URL?: string | undefined;
  readonly OLLAMA_MODEL?: string | undefined;
  /** Ollama's own setting, tokens; tells us its window where the owner raised it. */
  readonly OLLAMA_CONTEXT_LENGTH?: string | undefined;
}

interface Wish {
  readonly name: string;
  readonly model: string;
}

const set = (value: string | undefined): string => value?.trim() ?? '';

const parseBaseUrl = (variable: string, value: string, problems: string[]): string => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    problems.push(`${variable} is not an http or https address`);
    return value;
  }
  if (url.username !== '' || url.password !== '') problems.push(`${variable} must not hold a user name or password`);
  return value.replace(/\/+$/, '');
};

const isOpenAi = (baseUrl: string): boolean => baseUrl === TABLE.find((row) => row.name === 'openai')?.baseUrl;

/** The table as these settings have it: addresses replaced, `openai` become `custom` where it is another endpoint. */
const buildRows = (settings: CascadeSettings, problems: string[]): readonly ProviderRow[] => {
  const openaiUrl = set(settings.OPENAI_BASE_URL);
  const baseUrl = openaiUrl === '' ? '' : parseBaseUrl('OPENAI_BASE_URL', openaiUrl, problems);
  const ollamaUrl = set(settings.OLLAMA_BASE_URL);
  const contextTokens = Number(set(settings.OLLAMA_CONTEXT_LENGTH));
  const rows = TABLE.map((row): ProviderRow => {
    if (row.name !== 'ollama') return row;
    const url = ollamaUrl === '' ? row.baseUrl : parseBaseUrl('OLLAMA_BASE_URL', ollamaUrl, problems);
    return {
      ...row,
      baseUrl: url.endsWith('/v1') ? url : `${url}/v1`,
      model: set(settings.OLLAMA_MODEL) || row.model,
      contextTokens: Number.isSafeInteger(contextTokens) && contextTokens > 0 ? contextTokens : row.contextTokens,
    };
  });
  if (baseUrl === '' || isOpenAi(baseUrl)) return rows;
  // The endpoint somebody typed in is their first wish; the key belongs to it, so OpenAI's own is not asked with it.
  return [{ ...CUSTOM, baseUrl }, ...rows.filter((row) => row.name !== 'openai')];
};

const parseWishes = (cascade: string, problems: string[]): readonly Wish[] =>
  cascade
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part): Wish => {
      const colon = part.indexOf(':');
      const name = (colon < 0 ? part : part.slice(0, colon)).trim().toLowerCase();
      if (!PROVIDER_NAMES.includes(name)) {
        problems.push(`PROVIDER_CASCADE names "${name.slice(0, 32)}", which is none of ${PROVIDER_NAMES.join(', ')}`);
      }
      return { name, model: colon < 0 ? '' : part.slice(colon + 1).trim() };
    });

const isKeyNeeded = (row: ProviderRow): boolean => row.keyName !== '' && row.name !== CUSTOM.name;

const findRow = (rows: readonly ProviderRow[], name: string): ProviderRow | undefined =>
  rows.find((row) => row.name === name) ??
  (name === 'openai' ? rows.find((row) => row.name === CUSTOM.name) : undefined);

const buildProvider = (row: ProviderRow, model: string, key: string): Provider => {
  const { keyName: _, ...rest } = row;
  const isTableModel = model === '' || model === row.model;
  return {
    ...rest,
    model: model || row.model,
    // Fields that fit the table's model may be refused by another one, except OpenAI's own rule for tools.
    extraBody: isTableModel || (row.name === 'openai' && /^gpt-([6-9]|\d\d)/.test(model)) ? row.extraBody : {},
    key: key || PLACEHOLDER_KEY,
  };
};

/**
 * The providers to try, in order: those `PROVIDER_CASCADE` names, or else those a key (or address) is present for.
 * `secrets` maps secret names (`OPENAI_API_KEY`, …) to values.
 * @throws ConfigError naming every unknown provider, missing key and unusable address.
 */
export const buildCascade = (settings: CascadeSettings, secrets: ReadonlyMap<string, string>): readonly Provider[] => {
  const problems: string[] = [];
  const rows = buildRows(settings, problems);
  const wishes = parseWishes(set(settings.PROVIDER_CASCADE), problems);
  const keyOf = (row: ProviderRow): string => set(secrets.get(row.keyName));
  const isPresent = (row: ProviderRow): boolean =>
    row.name === 'ollama' ? set(settings.OLLAMA_BASE_URL) !== '' : row.name === CUSTOM.name || keyOf(row) !== '';

  const chosen: { row: ProviderRow; model: string }[] = [];
  for (const wish of wishes) {
    const row = findRow(rows, wish.name);
    if (row === undefined) {
      if (wish.name === CUSTOM.name) problems.push('PROVIDER_CASCADE names custom, but OPENAI_BASE_URL is not set');
      continue;
    }
    if (isKeyNeeded(row) && keyOf(row) === '') {
      problems.push(`PROVIDER_CASCADE names ${row.name}, but ${row.keyName} is not set`);
    }
    chosen.push({ row, model: wish.model });
  }
  if (wishes.length === 0) chosen.push(...rows.filter(isPresent).map((row) => ({ row, model: '' })));
  if (problems.length > 0) throw new ConfigError(problems);

  const model = set(settings.OPENAI_MODEL);
  const own = chosen.find(({ row }) => row.keyName === 'OPENAI_API_KEY') ?? chosen[0];
  return chosen.map((choice) =>
    buildProvider(choice.row, choice.model || (choice === own ? model : ''), keyOf(choice.row)),
  );
};

/** Tokens a prompt may have for this cascade: the first provider's window less the answer; smaller ones are skipped. */
export const promptTokensMax = (providers: readonly Provider[]): number =>
  Math.min(PROMPT_TOKENS_MAX, (providers[0]?.contextTokens ?? PROMPT_TOKENS_MAX) - ANSWER_TOKENS_MAX);
