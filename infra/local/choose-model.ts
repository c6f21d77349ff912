/** Chooses the model: a configured one, else a running Ollama, else the scripted demo model. */
import * as z from 'zod/mini';
import { modelName } from '../../lib/core/llm/choose-model.ts';
import type { LocalSettings, Variables } from './settings.ts';

export const loadLazy = () => import('./lazy.ts');

/** Ollama answers at once, on a busy machine later; where none is, the connection is refused. */
const OLLAMA_PROBE_MS = 2_000;

export interface ModelChoice {
  /** A name for people: `openai/gpt-…`, or the name of the demo model. */
  readonly description: string;
  /** Laid over the settings' own variables. */
  readonly variables: Variables;
  readonly close: () => Promise<void>;
}

const OLLAMA_PORT = '11434';

/** The address of an Ollama on this machine: `OLLAMA_HOST` has the forms that Ollama gives it. */
export const ollamaUrl = ({ OLLAMA_HOST = '' }: Variables): string => {
  const [, name = '', port = OLLAMA_PORT] = /^(?:http:\/\/)?([\w.-]*)(?::(\d+))?\/?$/.exec(OLLAMA_HOST.trim()) ?? [];
  return `http://${name === '' || name === '0.0.0.0' ? '127.0.0.1' : name}:${port}`;
};
const Tags = z.object({ models: z.array(z.object({ name: z.string().check(z.minLength(1)) })) });

/** Names of the models an Ollama on this machine has; undefined when none answers. */
export const findOllama = async (url: string): Promise<readonly string[] | undefined> => {
  try {
    const answer = await fetch(`${url}/api/tags`, { signal: AbortSignal.timeout(OLLAMA_PROBE_MS) });
    const tags = Tags.safeParse(await answer.json());
    return tags.success ? tags.data.models.map(({ name }) => name) : undefined;
  } catch {
    return undefined;
  }
};

/** @param report takes a sentence about each call of the demo's webhook */
export const chooseModel = async (settings: LocalSettings, report: (line: string) => void): Promise<ModelChoice> => {
  const nothingToClose = (): Promise<void> => Promise.resolve();
  if (settings.providers.length > 0) {
    return { description: settings.providers.join(', then '), variables: {}, close: nothingToClose };
  }
  const url = ollamaUrl(settings.variables);
  const [model] = (await findOllama(url)) ?? [];
  if (model !== undefined) {
    const OLLAMA_MODEL = settings.variables.OLLAMA_MODEL ?? model;
    return {
      description: `${modelName('ollama', OLLAMA_MODEL)} (found on this machine)`,
      variables: { OLLAMA_BASE_URL: url, OLLAMA_MODEL, PROVIDER_NAMES: modelName('ollama', OLLAMA_MODEL) },
      close: nothingToClose,
    };
  }
  const { DEMO_MODEL_NAME, startDemoModel, startDemoWebhook } = await loadLazy();
  const demo = await startDemoModel();
  const isReceiverNeeded = settings.variables.WEBHOOK_TARGETS === undefined;
  const receiver = isReceiverNeeded ? await startDemoWebhook(report) : undefined;
  return {
    description: 'the demo model, a script; set OPENAI_API_KEY, OPENAI_BASE_URL or start Ollama for a real one',
    variables: {
      PROVIDERS: JSON.stringify({ demo: { baseUrl: demo.baseUrl, model: DEMO_MODEL_NAME } }),
      PROVIDER_KEYS: JSON.stringify({ demo: demo.key }),
      PROVIDER_NAMES: modelName('demo', DEMO_MODEL_NAME),
      ...receiver?.variables,
    },
    close: async () => {
      await Promise.all([demo.close(), receiver?.close()]);
    },
  };
};
